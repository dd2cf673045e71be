package message

import (
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/toolerr"
)

var actors = map[Role]ingest.Actor{None: ingest.Harness, Harness: ingest.Harness, User: ingest.User, Agent: ingest.Agent, Tool: ingest.Harness}

// Emit adds the events of a message of a unit. Its usage goes to the first.
func (m *Message) Emit(u *decode.Unit, cs *Calls) {
	first := len(u.Events)
	for i := range m.Parts {
		m.EmitPart(u, &m.Parts[i], cs)
	}
	if kind, name := ingest.Stop(m.Stop); name != "" {
		m.event(u, kind, ingest.Harness).Stopped(name)
	}
	if m.Usage == nil {
		return
	}
	if len(u.Events) == first {
		m.event(u, ingest.ModelCall, ingest.Agent)
	}
	u.Events[first].Usage = m.Usage
}

// EmitPart adds the event of one part; an empty text has none.
func (m *Message) EmitPart(u *decode.Unit, p *Part, cs *Calls) {
	switch p.Kind {
	case Call:
		e := m.event(u, ingest.ToolCall, ingest.Agent)
		e.Call, e.Name, e.Args = cs.add(*p), p.Name, p.Span
	case Result:
		k, _ := cs.take(p.ID, p.Name)
		e := m.event(u, ingest.ToolResult, ingest.Tool)
		if e.Call, e.Name, e.Text = k.ID, p.Name, p.Span; e.Name == "" {
			e.Name = k.Name
		}
		e.Outcome, e.Reason, e.Exit = p.Outcome(u)
	case Reasoning:
		if !blank(u, p.Span) {
			m.event(u, ingest.ModelCall, ingest.Agent).Text = p.Span
		}
	default:
		m.say(u, p.Span)
	}
}

func (m *Message) say(u *decode.Unit, text ingest.Span) {
	if blank(u, text) {
		return
	}
	e := m.event(u, ingest.Message, actors[m.Role])
	if e.Text = text; m.Role == None {
		e.Name = m.As
	}
}

func (m *Message) event(u *decode.Unit, kind ingest.Kind, actor ingest.Actor) *ingest.Event {
	e := u.Event(kind, actor)
	e.ID, e.At, e.Quality = m.ID, m.At, m.Quality
	if actor == ingest.Agent {
		e.Model = m.Model
	}
	return e
}

// Outcome is what became of the call that the part is the result of.
func (p *Part) Outcome(u *decode.Unit) (ingest.Outcome, ingest.Reason, *int) {
	content := u.Data[p.Span.Off : p.Span.Off+p.Span.Len]
	switch {
	case p.Failed:
		return toolerr.Classify(ingest.TextOf(content))
	case p.Stated:
		return ingest.OK, "", nil
	}
	return toolerr.Read(content)
}

func blank(u *decode.Unit, s ingest.Span) bool {
	return strings.TrimSpace(ingest.TextOf(u.Data[s.Off:s.Off+s.Len])) == ""
}
