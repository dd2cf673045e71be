package effect

// Class says where an effect lands.
type Class string

// The classes are those of an Operation or Contract record, and Unknown for a
// call whose name and arguments do not tell.
const (
	Read          Class = "read"
	LocalWrite    Class = "local_write"
	ExternalWrite Class = "external_write"
	Unknown       Class = "unknown"
)

// Verb is what a call does to its resource, normalised over tools.
type Verb string

// The verbs. Lookup reads one thing, List and Search read several.
const (
	None     Verb = "none"
	Create   Verb = "create"
	Update   Verb = "update"
	Set      Verb = "set"
	Delete   Verb = "delete"
	Send     Verb = "send"
	Append   Verb = "append"
	Pay      Verb = "pay"
	Cancel   Verb = "cancel"
	Close    Verb = "close"
	Open     Verb = "open"
	Start    Verb = "start"
	Deploy   Verb = "deploy"
	Push     Verb = "push"
	Transfer Verb = "transfer"
	Book     Verb = "book"
	Exchange Verb = "exchange"
	Return   Verb = "return"
	Lookup   Verb = "lookup"
	List     Verb = "list"
	Login    Verb = "login"
	Search   Verb = "search"
)

// Effect is what one call intends.
type Effect struct {
	Class Class
	// Tool is the tool's own name in snake case without its server; all HTTP
	// clients share "http", so that curl and wget can be compared.
	Tool string
	// Server is the MCP server or service prefix of the tool's name, if any.
	Server string
	Verb   Verb
	// Resource is a singular noun ("order", "pull-request", "s3-object",
	// "k8s/deployment") or "http:POST host/path".
	Resource string
	// Yields is the noun of what the verb itself brings about, where the name
	// gives another: book_room yields a reservation, charge_card a payment.
	Yields string
	// Identity is canonical JSON of the arguments that name the intended
	// effect: sorted keys, no operation ids, times, reasons or output flags.
	// Strings over 1 KiB are replaced by their SHA-256.
	Identity string
	// OperationID is an application-owned operation id or idempotency key
	// seen in arguments or headers. A model's tool-call id never counts.
	OperationID string
	// Undoes is the resource that this call cancels, deletes or reverts.
	Undoes string
	// LooksUp is, for a read, the resource whose state it can reveal.
	LooksUp string
	// Repeatable: a second dispatch leaves the same state as one.
	Repeatable bool
	// Append: a message, comment, mail or log line is added. A repeat is a
	// duplicate only with an equal body after an unknown outcome.
	Append bool
	// Local is why a write counts as workspace-local: "loopback", "private
	// address", "file", "container", "test double", or "".
	Local string
	// Inferred is true for everything derived here.
	Inferred bool
	// Why is the ground in a few words, for display.
	Why string

	read *members // the identity's, where they were read before
}

// Parsed returns the effect with its identity read once for all comparisons.
func (e Effect) Parsed() Effect {
	e.read = readMembers(e.Identity)
	return e
}

// members returns what the identity holds.
func (e Effect) members() *members {
	if e.read != nil {
		return e.read
	}
	return readMembers(e.Identity)
}

// SameIntent reports whether two writes intend one and the same effect: equal
// server, tool, verb, resource and identity. Operation ids do not matter.
func SameIntent(a, b Effect) bool {
	return a.isWrite() && b.isWrite() &&
		a.Tool == b.Tool && a.Server == b.Server && a.Verb == b.Verb &&
		a.Resource == b.Resource && a.Identity == b.Identity
}

func (e Effect) isWrite() bool {
	return e.Class == ExternalWrite || e.Class == LocalWrite
}

// localise turns a write at a workspace-local target into a local write.
func (e Effect) localise(ground string) Effect {
	if ground == "" {
		return e
	}
	e.Local = ground
	if e.Class == ExternalWrite || e.Class == Unknown && e.Verb != None {
		e.Class = LocalWrite
	}
	return e
}

// asRead turns a write that changes nothing (a dry run, a query) into a read.
func (e Effect) asRead(why string) Effect {
	e.Class, e.Verb, e.LooksUp = Read, Lookup, e.Resource
	e.Undoes, e.Repeatable, e.Append, e.Why = "", true, false, why
	return e
}
