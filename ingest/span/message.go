package span

import (
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// message is what one message of a conversation says.
type message struct {
	index    int // in a flat list
	role     role
	texts    []ingest.Span
	thoughts []ingest.Span
	calls    []call
	results  []result
	more     bool   // it stopped for its tool calls
	stop     string // why it ended, in the provider's word

	callID, tool string // of a message that is itself a result
}

// role is whose words a message holds.
type role uint8

const (
	unknownRole role = iota
	harnessRole
	userRole
	agentRole
	toolRole
)

// roles are the words of all conventions, SDKs and providers.
var roles = map[string]role{
	"system": harnessRole, "developer": harnessRole, "user": userRole, "human": userRole, "assistant": agentRole, "ai": agentRole,
	"model": agentRole, "tool": toolRole, "function": toolRole,
	"SystemMessage": harnessRole, "HumanMessage": userRole, "AIMessage": agentRole, "AIMessageChunk": agentRole,
	"ToolMessage": toolRole, "FunctionMessage": toolRole,
	"gen_ai.system.message": harnessRole, "gen_ai.user.message": userRole, "gen_ai.assistant.message": agentRole,
	"gen_ai.tool.message": toolRole, "gen_ai.choice": agentRole,
	"tool-call-response": toolRole, "tool-response": toolRole, "tool_result": toolRole,
}

// call is a tool call that a message proposes, result one that it brings back.
type call struct {
	index    int // in a flat list
	id, name string
	args     ingest.Span
}

type result struct {
	id, name string
	text     ingest.Span
	failed   bool
}

// emptyText is the length of a JSON string that says nothing.
const emptyText = uint32(len(`""`))

// maxMessages bounds what is read of one list: the last ones count.
const maxMessages = 4096

// walker reads messages out of a part of a unit.
type walker struct {
	c     decode.Cursor
	words *quote.Words
	raw   []byte
	base  uint32
	out   []message

	all   []message // memory for the messages of a span, used again for the next
	rest  []message // what of it is free
	parts []*part   // free
}

// reset makes room for the messages of another span.
func (w *walker) reset() {
	if cap(w.all) > maxMessages {
		w.all = nil
	}
	w.rest = w.all
}

// part returns an empty part, which free takes back.
func (w *walker) part() *part {
	if n := len(w.parts); n > 0 {
		p := w.parts[n-1]
		w.parts = w.parts[:n-1]
		return p
	}
	return &part{}
}

func (w *walker) free(p *part) {
	*p = part{}
	w.parts = append(w.parts, p)
}

// messagesIn reads the messages of a value in any of the shapes that are
// known: a list, an object around one, one message, or a text alone, which has
// the given role.
func (r *reading) messagesIn(at ingest.Span, alone role) []message {
	w := r.walk(at)
	if err := w.value(alone); err != nil {
		return nil // the unit was walked before: this is never broken JSON
	}
	n := len(w.out)
	if cap(w.out) > cap(w.all) {
		w.all = w.out[:0]
	}
	w.rest = w.out[n:]
	return w.out[max(0, n-maxMessages):n:n]
}

// walk points the walker at a part of the unit. There is one: a walk is over
// before the next begins.
func (r *reading) walk(at ingest.Span) *walker {
	w := r.w
	w.raw, w.base, w.out = r.raw(at), at.Off, w.rest
	w.c.ResetSound(w.raw)
	return w
}

func (w *walker) span() (ingest.Span, error) {
	s, err := w.c.Span()
	if s.Len > 0 {
		s.Off += w.base
	}
	return s, err
}

func (w *walker) value(alone role) error {
	switch w.c.Kind() {
	case '[':
		return w.c.Array(func() error { return w.value(alone) })
	case '{':
		return w.object(alone)
	case '"':
		s, err := w.span()
		w.out = append(w.out, message{role: alone, texts: []ingest.Span{s}})
		return err
	}
	return w.c.Skip()
}

// object reads one message, or what is around a list of them.
func (w *walker) object(alone role) error {
	p := w.part()
	defer w.free(p)
	m := &p.around
	before := len(w.out)
	err := w.c.Object(func(name []byte) error { return w.member(m, p, name, alone) })
	p.into(m)
	if m.role == toolRole {
		m.becomeResult(p)
	} else if m.empty() && p.kind == "" && len(w.out) == before {
		m.texts = w.plain(p, alone)
	}
	if m.role == unknownRole && len(w.out) == before {
		m.role = alone
	}
	if !m.empty() {
		// What is said beside a list of messages, the system's prompt, precedes it.
		w.out = append(w.out, message{})
		copy(w.out[before+1:], w.out[before:])
		w.out[before] = *m
	}
	return err
}

// plain is the text of an object that is no message: what is asked under a name
// like question, what is answered under one like output.
func (w *walker) plain(p *part, alone role) []ingest.Span {
	s := p.result
	if alone == userRole {
		s = p.args
	}
	if s.Len == 0 || w.raw[s.Off-w.base] != '"' {
		return nil
	}
	return []ingest.Span{s}
}

func (m *message) empty() bool {
	return len(m.texts)+len(m.thoughts)+len(m.calls)+len(m.results) == 0 && !m.brokenOff()
}

// brokenOff reports that the message did not end of itself.
func (m *message) brokenOff() bool {
	_, name := ingest.Stop(m.stop)
	return name != ""
}

// becomeResult turns the text of a message of a tool into a result.
func (m *message) becomeResult(p *part) {
	if len(m.results) > 0 {
		return
	}
	res := result{id: m.callID, name: m.tool, failed: p.failed}
	if res.id == "" {
		res.id = p.id
	}
	if res.name == "" {
		res.name = p.name
	}
	if len(m.texts) > 0 {
		res.text = m.texts[0]
	}
	m.texts, m.results = nil, []result{res}
}

func (w *walker) member(m *message, p *part, name []byte, alone role) error {
	switch string(name) {
	case "messages", "generations", "history", "chat_history", "message_history":
		return w.value(alone)
	case "prompt":
		if w.c.Kind() == '[' {
			return w.value(alone)
		}
		if w.c.Kind() == '"' && alone == userRole {
			return w.value(alone)
		}
		return w.fill(&p.args)
	case "question", "query", "task", "goal":
		return w.fill(&p.args)
	case "answer", "final_output":
		return w.fill(&p.result)
	case "role", "event.name":
		s, err := w.c.Word(w.words)
		if m.role == unknownRole || string(name) == "event.name" {
			m.role = roles[s]
		}
		return err
	case "type":
		s, err := w.c.Word(w.words)
		if p.kind = s; m.role == unknownRole {
			m.role = roles[s]
		}
		return err
	case "id":
		return w.identity(m, p)
	case "kwargs", "data", "message", "lc_kwargs":
		if w.c.Kind() == '{' {
			return w.c.Object(func(name []byte) error { return w.member(m, p, name, alone) })
		}
		return w.c.Skip()
	case "content", "parts", "contents":
		return w.content(m)
	case "system", "instructions":
		if w.c.Kind() != '"' {
			return w.c.Skip()
		}
		s, err := w.span()
		w.out = append(w.out, message{role: harnessRole, texts: []ingest.Span{s}})
		return err
	case "tool_calls", "toolCalls":
		return w.c.Array(func() error { return w.call(m) })
	case "tool_call_id":
		s, err := w.c.ID()
		m.callID = s
		return err
	case "finish_reason", "finishReason", "stop_reason":
		s, err := w.c.Word(w.words)
		m.more, m.stop = isMore(s), s
		return err
	case "reasoning_content":
		s, err := w.span()
		if s.Len > emptyText {
			m.thoughts = append(m.thoughts, s)
		}
		return err
	}
	return w.partMember(p, name)
}

// isMore reports a reason to stop that means: after the tools, go on.
func isMore(reason string) bool {
	switch strings.ReplaceAll(strings.ToLower(reason), "-", "_") {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return true
	}
	return false
}

// identity reads an id: of the message, of a call, or the class of a message
// that LangChain serialised.
func (w *walker) identity(m *message, p *part) (err error) {
	if w.c.Kind() != '[' {
		p.id, err = w.c.ID()
		return err
	}
	return w.c.Array(func() error {
		s, err := w.c.Word(w.words)
		if known := roles[s]; known != unknownRole && m.role == unknownRole {
			m.role = known
		}
		return err
	})
}

// content reads a text, or a list of parts.
func (w *walker) content(m *message) error {
	if w.c.Kind() != '[' {
		s, err := w.span()
		if s.Len > emptyText {
			m.texts = append(m.texts, s)
		}
		return err
	}
	return w.c.Array(func() error {
		switch w.c.Kind() {
		case '{':
			p := w.part()
			defer w.free(p)
			err := w.c.Object(func(name []byte) error { return w.partMember(p, name) })
			p.into(m)
			return err
		case '"':
			s, err := w.span()
			m.texts = append(m.texts, s)
			return err
		}
		return w.c.Skip()
	})
}

func (w *walker) call(m *message) error {
	if w.c.Kind() != '{' {
		return w.c.Skip()
	}
	p := w.part()
	defer w.free(p)
	p.kind = "tool_call"
	err := w.c.Object(func(name []byte) error {
		if string(name) == "type" { // "function": every element is a call
			return w.c.Skip()
		}
		return w.partMember(p, name)
	})
	p.into(m)
	return err
}
