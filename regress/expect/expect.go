package expect

// Kind names an invariant.
type Kind string

// The invariants; the package's documentation says what each demands.
const (
	RuleSilent     Kind = "rule-silent"
	ExactlyOnce    Kind = "exactly-once"
	AtMost         Kind = "at-most"
	Never          Kind = "never"
	Before         Kind = "before"
	ArgumentEquals Kind = "argument-equals"
	NotAccepted    Kind = "not-accepted"
	NoRepeat       Kind = "no-repeat"
	Stop           Kind = "stop"
	RoutedToReview Kind = "routed-to-review"
	Denied         Kind = "denied"
)

// Expect is one invariant of a case. Which members an invariant needs,
// Validate tells.
type Expect struct {
	Invariant Kind   `json:"invariant"`
	Rule      string `json:"rule,omitzero"` // rule-silent
	// Fingerprint restricts rule-silent to one structure; "" is any.
	Fingerprint string   `json:"fingerprint,omitzero"`
	Call        *Call    `json:"call,omitzero"`     // the call that it speaks of
	Require     *Call    `json:"require,omitzero"`  // before: the call that must have been ok
	Same        []string `json:"same,omitzero"`     // argument names; "*" for all
	N           int      `json:"n,omitzero"`        // at-most
	Argument    string   `json:"argument,omitzero"` // argument-equals
	Equals      any      `json:"equals,omitzero"`   // argument-equals
	Check       string   `json:"check,omitzero"`    // not-accepted: the check's command or name
}

// Call is a pattern of calls: the tool's own name, with or without its server
// and with * for any run of characters, and arguments that must be equal.
type Call struct {
	Tool    string         `json:"tool,omitzero"`
	Command string         `json:"command,omitzero"` // words of a command, with *
	Args    map[string]any `json:"args,omitzero"`
}

// ActKind says what an act is.
type ActKind string

// The acts. A call is a dispatch as the tool's side saw it where that side was
// watched, else as the log says; an effect is what came of it in the world.
const (
	Requested    ActKind = "user-request"
	Called       ActKind = "call"
	Effected     ActKind = "effect"
	Changed      ActKind = "change" // of the candidate
	Checked      ActKind = "check"
	Accepted     ActKind = "accepted"
	Reviewed     ActKind = "review"
	Refused      ActKind = "denied"
	Asked        ActKind = "model-request"
	ProviderStop ActKind = "provider-stop"
	Crossed      ActKind = "boundary" // a resume, a compaction, a restart
)

// Act is one thing that was done, in the order of a list of them.
type Act struct {
	Kind    ActKind        `json:"kind"`
	Tool    string         `json:"tool,omitzero"`
	Command string         `json:"command,omitzero"`
	Args    map[string]any `json:"args,omitzero"`
	Outcome string         `json:"outcome,omitzero"` // ok, fail, unknown or pending
	Looks   bool           `json:"looks,omitzero"`   // it changes nothing: a read, or a check
	By      string         `json:"by,omitzero"`      // who sent it: sdk, wrapper, loop or model; "" where unknown
	Ref     string         `json:"ref,omitzero"`     // where it stands: file:line, or world:SEQ
}

// Seen is what an observer of a run tells: a log, or the world of a replay.
type Seen struct {
	Acts []Act
	// Kinds are those that the observer would have seen had they happened.
	// What it cannot see is never taken for something that did not happen.
	Kinds []ActKind
	// Judged: rules judged the run; then Fired and Abstained say how.
	Judged    bool
	Fired     []Fired
	Abstained []string // rules
}

// Fired is one finding of a rule.
type Fired struct {
	Rule        string
	Fingerprint string
	Ref         string
}

// Grade is what was seen says of an expectation.
type Grade string

// The grades.
const (
	Held       Grade = "held"
	Broken     Grade = "broken"
	CannotTell Grade = "cannot tell"
)

// Result is the grade of one expectation, with the acts that decide it.
type Result struct {
	Expect Expect   `json:"expect"`
	Grade  Grade    `json:"grade"`
	Why    string   `json:"why"`  // one sentence
	Refs   []string `json:"refs"` // of the deciding acts, in order
}
