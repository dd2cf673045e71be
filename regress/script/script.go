package script

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/regress/expect"
)

// ErrScript is wrapped by every error of a malformed script, with the member
// or the line that is wrong.
var ErrScript = errors.New("malformed script")

// Script is what a replay plays.
type Script struct {
	Version int    `json:"version"`         // 1
	Prompt  string `json:"prompt"`          // what the user asks
	Resume  string `json:"resume,omitzero"` // what the user asks after a restart; "" for the prompt again
	// Check is the command that the harness is told to require, for its adapter.
	Check  string            `json:"check,omitzero"`
	Files  map[string]string `json:"files,omitzero"` // the workspace at the start: slash-separated relative paths
	Turns  []Turn            `json:"turns"`
	Tools  []Tool            `json:"tools,omitzero"`
	Fault  *Fault            `json:"fault,omitzero"`
	Expect []expect.Expect   `json:"expect"`
}

// Need says whether something has to happen.
type Need string

// The needs; "" is Must for a turn and May for a tool.
const (
	Must  Need = "must"
	May   Need = "may"
	Never Need = "never"
)

// Turn is one message of the model.
type Turn struct {
	ID     string   `json:"id"`
	Say    string   `json:"say,omitzero"`
	Calls  []Call   `json:"calls,omitzero"`
	Need   Need     `json:"need,omitzero"`
	Unless []string `json:"unless,omitzero"` // texts; with one of them in the request the turn is done
	Stop   Stop     `json:"stop,omitzero"`
}

// Stop is why the model's message ends, where it is not the usual end.
type Stop string

// The stops that end work: a refusal or filter of the provider, and a limit.
const (
	Refusal   Stop = "refusal"
	Filter    Stop = "content_filter"
	MaxTokens Stop = "max_tokens"
)

// Call is one tool call of a turn: the tool's own name, without what the
// harness puts before it, and its arguments, a JSON object.
type Call struct {
	Tool string         `json:"tool"`
	Args jsontext.Value `json:"args"`
}

// Via says how the harness reaches a tool.
type Via string

// The ways. A built-in tool is the harness's own (its shell, its file editor):
// the world sees only its result in the next request.
const (
	MCP     Via = "mcp"
	HTTP    Via = "http"
	Command Via = "command"
	Builtin Via = "builtin"
)

// Effect says what a tool does to the resources of the world.
type Effect string

// The effects; "" has none: the tool gives its fixed reply.
const (
	Create Effect = "create"
	Lookup Effect = "lookup"
	Update Effect = "update"
	Cancel Effect = "cancel"
)

// Tool is one tool of the world.
type Tool struct {
	Name        string         `json:"name"`
	Via         Via            `json:"via"`
	Server      string         `json:"server,omitzero"` // of MCP; base path of HTTP; name of the command
	Method      string         `json:"method,omitzero"` // HTTP
	Path        string         `json:"path,omitzero"`   // HTTP: with {argument} for a segment
	Words       []string       `json:"words,omitzero"`  // command: its first arguments; {argument} for one word
	Description string         `json:"description,omitzero"`
	Schema      jsontext.Value `json:"schema,omitzero"` // of the arguments; any object where it is absent
	Effect      Effect         `json:"effect,omitzero"`
	Resource    string         `json:"resource,omitzero"` // a singular noun, shared by the tools of one resource
	Identity    []string       `json:"identity,omitzero"` // arguments that name the intended effect
	Key         string         `json:"key,omitzero"`      // argument or header whose equal value is one effect
	Reply       jsontext.Value `json:"reply,omitzero"`    // of a tool without an effect
	Task        bool           `json:"task,omitzero"`     // MCP: answered as a task that is polled
	Need        Need           `json:"need,omitzero"`
}

// Point names where the world fails, against the effect.
type Point string

// The points. Where Kill is set the harness is killed there and started again
// with its resume command; else only the reply or stream is spoiled.
const (
	BeforePersist          Point = "before-persist"           // the model's message is cut off before its end
	PersistedNotDispatched Point = "persisted-not-dispatched" // the dispatch arrives and has no effect
	CommittedNotReplied    Point = "committed-not-replied"    // the effect happens, no reply is sent
	RepliedNotRecorded     Point = "replied-not-recorded"     // killed as the reply's last byte is sent
	ApprovedNotDispatched  Point = "approved-not-dispatched"  // killed as the approval is answered
	ReplyLate              Point = "reply-late"               // the effect happens, the reply comes after the client's time-out
	StreamCutBefore        Point = "stream-cut-before"        // headers only
	StreamCutInside        Point = "stream-cut-inside"        // inside a tool call
	StreamCutAfterCall     Point = "stream-cut-after-call"    // after a complete tool call, before the end
	ParallelReplyLost      Point = "parallel-reply-lost"      // one of the calls of a turn gets no reply
	DuplicateDelivery      Point = "duplicate-delivery"       // the model's call is delivered twice under one id
	StaleSummary           Point = "stale-summary"            // at the restart the summary lacks the last effect
	DeadProcess            Point = "dead-process"             // what is claimed to run does not
	StoppedByProvider      Point = "provider-stop"            // the provider refuses
)

// Fault is the one failure of a replay.
type Fault struct {
	Point Point  `json:"point"`
	Tool  string `json:"tool,omitzero"` // whose call; "" for any with an effect
	Turn  string `json:"turn,omitzero"` // the turn whose message is spoiled
	Nth   int    `json:"nth,omitzero"`  // which of them, from 1; 0 is 1
	Kill  bool   `json:"kill,omitzero"`
}
