package effect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// meaning is what one verb word of a tool name says.
type meaning struct {
	verb       Verb
	write      bool
	repeatable bool
	noun       bool   // also common as a noun: another verb in the name wins
	resource   string // the resource when the name gives no noun
}

func rd(v Verb) meaning { return meaning{verb: v, repeatable: true} }
func wr(v Verb) meaning { return meaning{verb: v, write: true} }
func set(v Verb) meaning {
	return meaning{verb: v, write: true, repeatable: true}
}

func (m meaning) asNoun() meaning         { m.noun = true; return m }
func (m meaning) of(res string) meaning   { m.resource = res; return m }
func (m meaning) nounOf(r string) meaning { return m.asNoun().of(r) }

// verbs maps the verb words of tool names and sub-commands.
var verbs = map[string]meaning{
	"get": rd(Lookup), "read": rd(Lookup), "describe": rd(Lookup), "show": rd(Lookup), "view": rd(Lookup),
	"fetch": rd(Lookup), "retrieve": rd(Lookup), "lookup": rd(Lookup), "load": rd(Lookup), "inspect": rd(Lookup),
	"check": rd(Lookup).asNoun(), "verify": rd(Lookup), "validate": rd(Lookup), "exists": rd(Lookup),
	"status": rd(Lookup).asNoun(), "count": rd(Lookup).asNoun(), "head": rd(Lookup).asNoun(),
	"poll": rd(Lookup), "watch": rd(Lookup), "wait": rd(None), "download": rd(Lookup), "track": rd(Lookup),
	"preview": rd(Lookup).asNoun(), "compare": rd(Lookup), "diff": rd(Lookup).asNoun(), "examine": rd(Lookup),
	"explain": rd(Lookup), "analyze": rd(Lookup), "analyse": rd(Lookup), "summarize": rd(Lookup),
	"whoami": rd(Lookup), "ping": rd(None), "help": rd(None), "about": rd(None), "version": rd(None).asNoun(),
	"list": rd(List), "ls": rd(List), "browse": rd(List), "enumerate": rd(List), "logs": rd(Lookup).asNoun(),
	"search": rd(Search), "find": rd(Search), "query": rd(Search).asNoun(), "select": rd(Search),
	"scan": rd(Search), "grep": rd(Search), "filter": rd(Search).asNoun(), "match": rd(Search),
	"login": rd(Login), "signin": rd(Login), "authenticate": rd(Login), "auth": rd(Login).asNoun(), "logout": rd(Login),
	"calculate": rd(None), "compute": rd(None), "think": rd(None), "convert": rd(None), "estimate": rd(None).asNoun(),
	"plan": rd(None).asNoun(), "simulate": rd(None), "translate": rd(None), "thinking": rd(None), "sequentialthinking": rd(None), "parse": rd(None), "format": rd(None).asNoun(),
	"snapshot": rd(Lookup).asNoun(), "screenshot": rd(Lookup), "navigate": rd(Lookup), "hover": rd(None),

	"create": wr(Create), "add": wr(Create), "insert": wr(Create), "new": wr(Create).asNoun(), "register": wr(Create),
	"make": wr(Create), "place": wr(Create).asNoun(), "submit": wr(Create), "post": wr(Create).nounOf("post"),
	"order": wr(Create).nounOf("order"), "purchase": wr(Create).nounOf("order"), "buy": wr(Create).of("order"),
	"checkout": wr(Create).nounOf("order"), "schedule": wr(Create).asNoun(), "issue": wr(Create).asNoun(),
	"provision": wr(Create), "fork": wr(Create).asNoun(), "clone": wr(Create).asNoun(), "copy": wr(Create).asNoun(),
	"import": wr(Create).asNoun(), "upload": wr(Create), "subscribe": wr(Create).of("subscription"), "file": wr(Create).asNoun(),
	"commit": wr(Create).nounOf("commit"),
	"send":   wr(Send), "email": wr(Send).nounOf("email"), "notify": wr(Send).of("notification"),
	"message": wr(Send).nounOf("message"), "invite": wr(Send).nounOf("invitation"), "forward": wr(Send).asNoun(),
	"text": wr(Send).nounOf("message"), "dm": wr(Send).nounOf("message"), "broadcast": wr(Send).of("message"),
	"append": wr(Append), "comment": wr(Append).nounOf("comment"), "reply": wr(Append).nounOf("reply"),
	"log": wr(Append).nounOf("log"), "increment": wr(Update), "decrement": wr(Update), "adjust": wr(Update), "deduct": wr(Update), "renew": wr(Update),
	"ship": wr(Create).nounOf("shipment"), "enrol": wr(Create).of("enrollment"), "enroll": wr(Create).of("enrollment"), "enqueue": wr(Create), "queue": wr(Create).asNoun(),
	"hire": wr(Create).of("employee"), "onboard": wr(Create).of("employee"), "raise": wr(Create), "allocate": wr(Create), "mint": wr(Create), "dispense": wr(Create), "award": wr(Create).asNoun(),
	"record": wr(Create).asNoun(), "claim": wr(Create).asNoun(), "dispute": wr(Create).asNoun(), "sell": wr(Create).of("order"), "trade": wr(Create).nounOf("order"), "signup": wr(Create).of("account"),
	"deliver": wr(Send), "alert": wr(Send).nounOf("notification"), "remind": wr(Send).of("reminder"),
	"donate": wr(Pay).of("donation"), "credit": wr(Pay).nounOf("credit"), "debit": wr(Pay).nounOf("payment"), "topup": wr(Pay).of("payment"), "recharge": wr(Pay), "settle": wr(Pay),
	"disburse": wr(Transfer), "remit": wr(Transfer), "payout": wr(Transfer).nounOf("payout"),
	"pay": wr(Pay).of("payment"), "charge": wr(Pay).nounOf("payment"), "bill": wr(Pay).nounOf("payment"),
	"capture": wr(Pay).nounOf("payment"), "redeem": wr(Pay), "tip": wr(Pay).nounOf("payment"),
	"refund": wr(Return).nounOf("payment"), "return": wr(Return), "exchange": wr(Exchange).asNoun(), "swap": wr(Exchange),
	"book": wr(Book).nounOf("booking"), "reserve": wr(Book).of("reservation"), "rent": wr(Book).asNoun(),
	"transfer": wr(Transfer).nounOf("transfer"), "withdraw": wr(Transfer), "deposit": wr(Transfer).asNoun(), "wire": wr(Transfer),
	"start": wr(Start), "run": wr(Start).asNoun(), "rerun": wr(Start).asNoun(), "trigger": wr(Start).asNoun(), "launch": wr(Start),
	"invoke": wr(Start), "dispatch": wr(Start), "restart": wr(Start), "reboot": wr(Start), "retry": wr(Start).asNoun(),
	"toggle": wr(Update), "merge": set(Close).asNoun(), "push": set(Push).asNoun(),
	"deploy": set(Deploy), "publish": wr(Deploy), "release": wr(Deploy).nounOf("release"), "promote": set(Deploy), "rollback": wr(Update),

	"update": set(Update), "modify": set(Update), "edit": set(Update), "change": set(Update).asNoun(), "rename": set(Update),
	"move": set(Update), "patch": set(Update).asNoun(), "replace": set(Update), "scale": set(Update).asNoun(), "reschedule": set(Update),
	"set": set(Set).asNoun(), "put": set(Set), "upsert": set(Set), "assign": set(Set), "enable": set(Set), "disable": set(Set),
	"apply": set(Set), "sync": set(Set).asNoun(), "save": set(Set), "store": set(Set).asNoun(), "write": set(Set), "approve": set(Set),
	"reject": set(Set), "confirm": set(Set), "accept": set(Set), "grant": set(Set), "share": set(Set).asNoun(), "attach": set(Set),
	"mark": set(Set), "star": set(Set).asNoun(), "follow": set(Set), "like": set(Set).asNoun(), "tag": set(Set).asNoun(), "label": set(Set).asNoun(),
	"cancel": set(Cancel), "void": set(Cancel), "revoke": set(Cancel), "unsubscribe": set(Cancel).of("subscription"),
	"abort": set(Cancel), "stop": set(Cancel), "kill": set(Cancel),
	"delete": set(Delete), "remove": set(Delete), "destroy": set(Delete), "drop": set(Delete), "purge": set(Delete), "detach": set(Delete),
	"terminate": set(Delete), "uninstall": set(Delete), "unassign": set(Delete), "del": set(Delete), "rm": set(Delete), "erase": set(Delete),
	"close": set(Close), "archive": set(Close).asNoun(), "complete": set(Close), "open": set(Open), "reopen": set(Open),
	"suspend": set(Close), "pause": set(Close), "lock": set(Close), "deactivate": set(Close), "resume": set(Open), "unlock": set(Open), "activate": set(Open), "reactivate": set(Open),
	"unarchive": set(Open), "restore": set(Open), "undelete": set(Open),
}

// qualifiers say which or how, not what; they are no part of a resource.
var qualifiers = wordSet("all pending delivered new existing current latest details detail info information status history list item items id ids " +
	"direct onestop multiple batch bulk my the a an many one single full data async api tool state or and")

// linkers end the nouns of a name; "to" and its like name the owner after them.
var linkers = map[string]bool{"by": false, "for": false, "with": false, "via": false, "using": false, "at": false, "as": false, "if": false,
	"to": true, "on": true, "from": true, "of": true, "in": true, "into": true}

// synonyms fold words for one kind of thing.
var synonyms = map[string]string{
	"pr": "pull-request", "prs": "pull-request", "mr": "pull-request", "merge-request": "pull-request", "repo": "repository",
	"booking": "reservation", "purchase": "order", "charge": "payment", "payment-intent": "payment", "transaction": "payment",
	"mail": "email", "e-mail": "email", "sms": "message", "dm": "message", "svc": "service", "deploy": "deployment",
	"po": "pod", "ns": "namespace", "cm": "configmap", "sts": "statefulset", "ing": "ingress",
}

// appended are resources that are added to rather than changed.
var appended = map[string]Verb{"comment": Append, "note": Append, "reply": Append, "log": Append, "review": Append,
	"message": Send, "email": Send, "notification": Send, "chat": Send, "reaction": Append}

// wordSet is the set of the words of a list.
func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// splitWords cuts snake, kebab, dotted and camel case names into lower-case
// words. Names longer than 256 bytes are cut there.
func splitWords(name string) []string {
	if len(name) > 256 {
		name = name[:256]
	}
	var words []string
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	prev := rune(0)
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev) || nextLower(name[i+utf8.RuneLen(r):]) && unicode.IsUpper(prev)):
			flush(i)
			start = i
		}
		prev = r
	}
	flush(len(name))
	return words
}

func nextLower(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(r)
}

// singular gives the singular of a regular English noun.
func singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// resourceName joins nouns to one normalised resource.
func resourceName(nouns []string) string {
	kept := make([]string, 0, len(nouns))
	for _, w := range nouns {
		if !qualifiers[w] {
			kept = append(kept, singular(w))
		}
	}
	if len(kept) == 0 {
		for _, w := range nouns {
			if w != "or" && w != "and" {
				kept = append(kept, singular(w))
			}
		}
	}
	return fold(strings.Join(kept, "-"))
}

func fold(resource string) string {
	if s, ok := synonyms[resource]; ok {
		return s
	}
	parts := strings.Split(resource, "-")
	for i, p := range parts {
		if s, ok := synonyms[p]; ok {
			parts[i] = s
		}
	}
	return strings.Join(parts, "-")
}
