package message

import (
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Role is who speaks in a message.
type Role int

// The roles. A message whose speaker is not known is none of them.
const (
	None Role = iota
	Harness
	User
	Agent
	Tool
)

// roles are the words for a speaker: as the role member, as LangChain's type,
// and as the name of LangChain's classes without their ending.
var roles = map[string]Role{
	"system": Harness, "developer": Harness,
	"user": User, "human": User,
	"assistant": Agent, "ai": Agent, "model": Agent,
	"tool": Tool, "function": Tool,
}

// RoleOf reads a word for a speaker.
func RoleOf(word string) Role {
	if r, ok := roles[word]; ok {
		return r
	}
	class := strings.TrimSuffix(strings.TrimSuffix(word, "Chunk"), "Message")
	if class == word {
		return None
	}
	return roles[strings.ToLower(class)]
}

// Kind is what a part of a message is.
type Kind int

// The kinds of parts.
const (
	Text Kind = iota
	Reasoning
	Call
	Result
)

// Part is one thing that a message says, or does.
type Part struct {
	Kind   Kind
	ID     string      // of the call
	Name   string      // of the tool
	Span   ingest.Span // what is said or returned, or the arguments of a call
	Failed bool        // a flag says that the call failed
	Stated bool        // there is such a flag, whatever it says
}

// Message is one message.
type Message struct {
	Role    Role
	As      string // the source's own word for the role
	ID      string
	Model   string
	Parts   []Part
	Usage   *ingest.Usage
	Stop    string // why an answer of the model ended, in the provider's word
	At      time.Time
	Quality ingest.TimeQuality
}

// Calls reports whether the message calls a tool, and whether the provider
// gave one of the calls an id.
func (m *Message) Calls() (any, ids bool) {
	for _, p := range m.Parts {
		any = any || p.Kind == Call
		ids = ids || p.Kind == Call && p.ID != ""
	}
	return any, ids
}

// Read reads the message at the cursor, which must stand at an object. Other,
// when not nil, is given the members that are none of a message's, and must
// consume their values.
func Read(c *decode.Cursor, other func(name []byte) error) (Message, error) {
	r := reader{c: c, other: other}
	err := c.Object(r.member)
	return r.message(), err
}

// reader holds the members of a message until all of them are known: they come
// in any order.
type reader struct {
	c     *decode.Cursor
	other func(name []byte) error

	role, kind, class    string
	id, name, model      string
	callID, status, stop string
	content              ingest.Span
	blocks               []Part // of a content that is more than text
	plain                bool   // the content says nothing but text
	refusal, reasoning   ingest.Span
	args, output         ingest.Span
	calls                []Part
	spare                []Part // the provider's own, where the message has none
	failed, flagged      bool
	usage, metadata, llm *ingest.Usage // as the message, LangChain and the provider state it
	at                   time.Time
	quality              ingest.TimeQuality
	nested               int
}

func (r *reader) message() Message {
	m := Message{ID: r.id, Model: r.model, At: r.at, Quality: r.quality, As: r.role}
	if m.Quality == "" {
		m.Quality = ingest.NoTime
	}
	for _, word := range []string{r.role, r.kind, r.class} {
		if m.Role = RoleOf(word); m.Role != None {
			m.As = word
			break
		}
	}
	for _, u := range []*ingest.Usage{r.usage, r.metadata, r.llm} {
		if m.Usage == nil {
			m.Usage = u
		}
	}
	if m.Role == Agent {
		m.Stop = r.stop
	}
	r.item(&m)
	if len(m.Parts) == 0 {
		m.Parts = r.parts(m.Role)
	}
	return m
}

// item reads the items of OpenAI's Responses that are no messages.
func (r *reader) item(m *Message) {
	switch {
	case r.role != "":
	case r.kind == "function_call" || r.kind == "custom_tool_call":
		m.Role, m.As = Agent, r.kind
		m.Parts = []Part{{Kind: Call, ID: r.callID, Name: r.name, Span: r.args}}
	case r.kind == "function_call_output" || r.kind == "custom_tool_call_output":
		m.Role, m.As = Tool, r.kind
		m.Parts = []Part{{Kind: Result, ID: r.callID, Span: r.output}}
	}
}

// parts puts the parts of the message into their order.
func (r *reader) parts(role Role) []Part {
	if role == Tool && len(r.blocks) == 0 {
		return []Part{{Kind: Result, ID: r.callID, Name: r.name, Span: r.content,
			Failed: r.failed || r.status == "error", Stated: r.flagged || r.status == "error"}}
	}
	var parts []Part
	if r.reasoning.Len > 0 {
		parts = append(parts, Part{Kind: Reasoning, Span: r.reasoning})
	}
	if r.plain && r.content.Len > 0 {
		parts = append(parts, Part{Span: r.content})
	}
	parts = append(parts, r.blocks...)
	if r.refusal.Len > 0 {
		parts = append(parts, Part{Span: r.refusal})
	}
	calls := r.calls
	if len(calls) == 0 {
		calls = r.spare
	}
	for _, k := range calls {
		if k.ID == "" || !hasCall(parts, k.ID) {
			parts = append(parts, k)
		}
	}
	return parts
}

func hasCall(parts []Part, id string) bool {
	for _, p := range parts {
		if p.Kind == Call && p.ID == id {
			return true
		}
	}
	return false
}
