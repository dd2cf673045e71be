package effect

import (
	"maps"
	"slices"
	"strings"
)

// FromTool judges a tool call by its name and arguments. args is a JSON object
// or anything else; what cannot be read counts as opaque text.
func FromTool(name string, args []byte) Effect {
	p := parseName(name)
	v, ok := parseArgs(args)
	if s, isText := v.(string); isText && strings.HasPrefix(s, "{") { // encoded twice
		if inner, ok := parseArgs([]byte(s)); ok {
			v = inner
		}
	}
	if !ok && len(args) > 0 {
		v = string(args)
	}
	m, _ := v.(map[string]value)
	e := Effect{Tool: p.tool, Server: p.server, Verb: None, Class: Unknown, Inferred: true, Why: "no known verb in the tool's name"}
	if class, ok := builtin(name); ok {
		e.Class, e.Repeatable, e.Why = class, class == Read, "agent tool"
		e.Identity = identity(v, "", false)
		if class == LocalWrite {
			e.Local = "file"
		}
		return e
	}
	if r, ok := toolRequest(p, m); ok {
		h := httpEffect(r)
		h.Server = ""
		return dryRun(h, m)
	}
	e = toolVerb(e, p, m)
	e.OperationID = operationID(v, e.Resource, 0)
	e.Identity = identity(v, e.Resource, e.Append)
	return dryRun(locate(e, p, m), m)
}

// toolVerb takes GraphQL and SQL in the arguments before the name's verb.
func toolVerb(e Effect, p parsed, m map[string]value) Effect {
	if g, ok := graphQL(m); ok {
		return g.onto(e)
	}
	for _, k := range []string{"sql", "query", "statement", "sql_query"} {
		s, _ := m[k].(string)
		if k == "query" && !sqlName(p) {
			continue
		}
		if q, ok := sqlEffect(s); ok {
			q.Tool, q.Server, q.Inferred = e.Tool, e.Server, true
			return q
		}
	}
	if p.at < 0 {
		return e
	}
	e = p.apply(e)
	if e.Resource == "" && p.m.write {
		e = e.resourceFromIDs(m)
	}
	if p.words[p.at] == "open" && e.Class == ExternalWrite && !namesOwn(e.Resource, m) {
		e.Verb, e.Repeatable = Create, false // "open a ticket" makes one
	}
	return e
}

// namesOwn reports that the arguments hold the id of the resource itself.
func namesOwn(resource string, m map[string]value) bool {
	noun := resource[strings.LastIndexByte(resource, '-')+1:]
	for k := range m {
		f := flatKey(k)
		if f == "id" || f == noun || noun != "" && strings.HasPrefix(f, noun) && (strings.HasSuffix(f, "id") || strings.HasSuffix(f, "number") || strings.HasSuffix(f, "key")) {
			return true
		}
	}
	return false
}

// resourceFromIDs: "cancel" with an order_id cancels an order.
func (e Effect) resourceFromIDs(m map[string]value) Effect {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		words := splitWords(k)
		if last := len(words) - 1; last > 0 && words[last] == "id" && !operationKeys[flatKey(k)] && !owners[words[0]] {
			e.Resource = resourceName(words[:last])
			if e.Verb == Cancel || e.Verb == Delete || e.Verb == Close || e.Verb == Return {
				e.Undoes = e.Resource
			}
			return e
		}
	}
	return e
}

// sqlName: "query" holds SQL only in a tool that says so.
func sqlName(p parsed) bool {
	for _, w := range append(strings.Split(p.server, "_"), p.words...) {
		switch w {
		case "sql", "db", "database", "postgres", "postgresql", "mysql", "sqlite", "bigquery", "snowflake", "duckdb", "clickhouse", "supabase", "query", "execute":
			return true
		}
	}
	return false
}

// apply puts what the name says into e.
func (p parsed) apply(e Effect) Effect {
	verb := p.words[p.at]
	e.Verb, e.Resource, e.Repeatable = p.m.verb, p.resource, p.m.repeatable
	e.Why = "tool name " + verb
	if !p.m.write {
		e.Class = Read
		if e.Verb != None && e.Verb != Login {
			e.LooksUp = e.Resource
		}
		return e
	}
	e.Class = ExternalWrite
	if noun := fold(p.m.resource); noun != e.Resource {
		e.Yields = noun
	}
	head := e.Resource[strings.LastIndexByte(e.Resource, '-')+1:]
	if as, ok := appended[head]; ok && (e.Verb == Create || e.Verb == Append || e.Verb == Send || e.Verb == Set && verb == "write") {
		e.Verb, e.Append, e.Repeatable = as, true, false
	}
	e.Append = e.Append || e.Verb == Append
	if isHuman(p.words) && e.Verb == Transfer {
		e.Class, e.Verb, e.Repeatable, e.Why = Read, None, true, "hand-over to a person"
	}
	switch {
	case e.Verb == Cancel, e.Verb == Delete, e.Verb == Close && verb != "merge", e.Verb == Return:
		e.Undoes = e.Resource
	case head == "refund":
		e.Undoes = "payment"
	}
	return e
}

func isHuman(words []string) bool {
	for _, w := range words {
		if w == "human" || w == "agent" || w == "agents" || w == "humans" {
			return true
		}
	}
	return false
}

// locate judges where a call lands, by an address or path in its arguments.
func locate(e Effect, p parsed, m map[string]value) Effect {
	if !e.isWrite() && e.Class != Unknown {
		return e
	}
	if ground, known, found := addressGround(m); found {
		if !known && e.Class == ExternalWrite {
			e.Class = Unknown
		}
		return e.localise(ground)
	}
	if testDouble(strings.ReplaceAll(p.server+"-"+p.tool, "_", "-")) {
		return e.localise("test double")
	}
	if e.Verb == Start && codeNouns[e.Resource[strings.LastIndexByte(e.Resource, '-')+1:]] {
		return e.localise("file")
	}
	if isFileCall(e, p, m) {
		return e.localise("file")
	}
	return e
}

// codeNouns are what a tool runs in the workspace.
var codeNouns = wordSet("python code script notebook cell shell bash command javascript node test check lint linter build program snippet")

var fileNouns = wordSet("file directory folder dir path notebook line block cell")

// isFileCall: a path with no sign of a remote owner is a file of the workspace.
func isFileCall(e Effect, p parsed, m map[string]value) bool {
	if p.server == "memory" {
		return true
	}
	local := p.server == "filesystem" || p.server == "fs"
	for k, v := range m {
		switch f := flatKey(k); f {
		case "path", "filepath", "filename", "directory", "dirpath", "repopath", "source", "destination", "notebookpath", "databasepath", "dbpath":
			if s, ok := v.(string); ok && s != "" {
				local = local || fileNouns[e.Resource] || f == "repopath" || strings.HasSuffix(f, "dbpath") || f == "databasepath"
			}
		case "repo", "owner", "bucket", "driveid", "folderid", "parentid", "site", "channel", "projectid", "repository":
			return false
		}
	}
	return local && e.Verb != Push
}

// dryRun: a call that says it changes nothing is a read.
func dryRun(e Effect, m map[string]value) Effect {
	for k, v := range m {
		if f := flatKey(k); v == true && (f == "dryrun" || f == "validateonly" || f == "previewonly") && e.Class != Read {
			return e.asRead("dry run")
		}
	}
	return e
}

// toolRequest recognises an HTTP-like tool: a url with a method, or a name
// that says so.
func toolRequest(p parsed, m map[string]value) (request, bool) {
	r := request{headers: map[string]string{}}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v := m[k]
		switch flatKey(k) {
		case "url", "uri", "endpoint":
			r.url = scalar(v)
		case "method", "httpmethod", "verb":
			r.method = scalar(v)
		case "body", "data", "json", "payload":
			r.body = v
			if s, ok := v.(string); ok {
				if parsed, ok := parseArgs([]byte(s)); ok {
					r.body = parsed
				}
			}
		case "headers":
			h, _ := v.(map[string]value)
			for name, hv := range h {
				r.headers[name] = scalar(hv)
			}
		}
	}
	named := false
	for _, w := range p.words {
		named = named || w == "http" || w == "request" || w == "rest" || w == "curl"
	}
	if r.method == "" && named {
		r.method = methodIn(p.words, r.body != nil)
	}
	return r, r.url != "" && (r.method != "" || named)
}

// methodIn finds the method in a tool's name ("http_post"); a body without one
// is posted.
func methodIn(words []string, body bool) string {
	for _, w := range words {
		switch w {
		case "get", "post", "put", "patch", "delete", "head":
			return strings.ToUpper(w)
		}
	}
	if body {
		return "POST"
	}
	return ""
}
