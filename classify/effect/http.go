package effect

import "strings"

// request is one HTTP request as far as a call shows it.
type request struct {
	method, url string
	body        value
	headers     map[string]string
}

// queryPaths end paths whose POST only asks or logs in.
var queryPaths = wordSet("search _search query _query graphql login signin token oauth auth authenticate introspect lookup find count _count " +
	"_msearch completions embeddings responses generatecontent validate preview estimate batchget export verify session")

// actionPaths end paths whose POST is a verb on the resource before it.
var actionPaths = map[string]meaning{
	"cancel": set(Cancel), "void": set(Cancel), "revoke": set(Cancel), "stop": set(Cancel), "close": set(Close), "archive": set(Close),
	"open": set(Open), "reopen": set(Open), "refund": wr(Return), "refunds": wr(Return), "pay": wr(Pay), "charges": wr(Pay), "payments": wr(Pay),
	"capture": wr(Pay), "send": wr(Send), "messages": wr(Send), "comments": wr(Append), "notes": wr(Append), "replies": wr(Append),
	"start": wr(Start), "run": wr(Start), "runs": wr(Start), "dispatches": wr(Start), "merge": set(Close), "delete": set(Delete), "transfers": wr(Transfer),
	"bookings": wr(Book), "reservations": wr(Book), "deployments": wr(Deploy), "chat.postmessage": wr(Send),
}

// httpEffect follows the method of a request.
func httpEffect(r request) Effect {
	method := strings.ToUpper(strings.TrimSpace(r.method))
	if method == "" {
		method = "GET"
	}
	host, path, query := splitURL(r.url)
	e := Effect{Tool: "http", Class: ExternalWrite, Verb: Create, Inferred: true, Why: "HTTP " + method}
	e.Resource = "http:" + method + " " + host + path
	last := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	if i := strings.LastIndexByte(last, ':'); i >= 0 { // google style custom verbs
		last = last[i+1:]
	}
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND":
		e.Class, e.Verb, e.LooksUp, e.Repeatable = Read, Lookup, e.Resource, true
	case "PUT":
		e.Verb, e.Repeatable = Set, true
	case "PATCH":
		e.Verb, e.Repeatable = Update, true
	case "DELETE":
		e.Verb, e.Repeatable, e.Undoes = Delete, true, e.Resource
	default:
		e = postEffect(e, r, host, last)
	}
	e.OperationID = headerOperationID(r)
	e.Identity = httpIdentity(r, host+path, query)
	ground, known := localTarget(r.url)
	if !known && e.Class == ExternalWrite {
		e.Class, e.Why = Unknown, e.Why+" to an unexpanded address"
	}
	return e.localise(ground)
}

func postEffect(e Effect, r request, host, last string) Effect {
	if q, ok := graphQL(r.body); ok {
		return q.onto(e)
	}
	if queryPaths[last] || last == "messages" && strings.Contains(host, "anthropic") {
		e = e.asRead(e.Why + " of a query or log-in path")
		if strings.Contains(last, "login") || last == "token" || strings.HasPrefix(last, "auth") || last == "signin" || last == "session" {
			e.Verb = Login
		}
		return e
	}
	if m, ok := actionPaths[last]; ok {
		e.Verb, e.Repeatable = m.verb, m.repeatable
		e.Append = m.verb == Append || m.verb == Send
		if m.verb == Cancel || m.verb == Delete || m.verb == Return || m.verb == Close {
			e.Undoes = e.Resource
		}
	}
	return e
}

func headerOperationID(r request) string {
	m := map[string]value{}
	for k, v := range r.headers {
		m[k] = v
	}
	if id := operationID(m, "", 0); id != "" {
		return id
	}
	return operationID(r.body, "", 0)
}

func httpIdentity(r request, target, query string) string {
	m := map[string]value{"url": target}
	if query != "" {
		m["query"] = query
	}
	if body, ok := r.body.(map[string]value); ok {
		if b := identity(body, "", true); b != "{}" {
			m["body"] = string(b)
		}
	} else if r.body != nil {
		m["body"] = canonical(r.body)
	}
	return canonical(m)
}
