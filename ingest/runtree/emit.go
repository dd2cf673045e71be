package runtree

import (
	"cmp"
	"regexp"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/message"
)

// emitter adds the events of one node to its unit.
type emitter struct {
	*trace
	n     *Node
	u     *decode.Unit
	agent string // sub-agent that the node belongs to
	twice bool   // the node is a second view of a tool
}

func (x index) emit(n *Node, u *decode.Unit) {
	e := &emitter{trace: x.of(n), n: n, u: u}
	if n.Kind == Grade {
		e.grade()
		return
	}
	id, p := e.within(n)
	e.agent = id
	e.twice = p != nil && p.name == n.Name && n.Kind != Model
	e.inputs()
	if n.Kind == Model {
		e.model()
	}
	e.outputs()
	if _, joined := e.joined[n.ID]; (joined || n.Kind == Tool) && !e.twice {
		e.tool()
	}
	e.end()
}

// add adds an event of the node at a time.
func (e *emitter) add(kind ingest.Kind, actor ingest.Actor, at time.Time) *ingest.Event {
	ev := e.u.Event(kind, actor)
	e.stamp(ev, at)
	return ev
}

func (e *emitter) stamp(ev *ingest.Event, at time.Time) {
	if !at.IsZero() {
		ev.At, ev.Quality = at, e.n.Quality
	}
	ev.ID, ev.Parent, ev.Agent = e.n.ID, e.n.Parent, e.agent
}

// inputs adds what the node is given and no other one stated before.
func (e *emitter) inputs() {
	msgs, goesOn := e.n.asked()
	for i := range msgs {
		m := &msgs[i]
		if m.Role == message.User && (e.agent != "" || !e.n.root() && !goesOn && e.told) {
			m.Role = message.Harness
			e.say(m, message.User, i, e.n.Start)
			continue
		}
		e.say(m, m.Role, i, e.n.Start)
	}
}

// outputs adds what the node says: all that a model does, of others what no
// one stated before.
func (e *emitter) outputs() {
	if _, joined := e.joined[e.n.ID]; joined {
		return // a result
	}
	at := e.answers(e.n)
	if e.n.End.IsZero() && e.n.root() {
		at = e.last
	}
	msgs := e.n.answered()
	for i := range msgs {
		e.say(&msgs[i], msgs[i].Role, i, at)
	}
}

// say adds the parts of a message that the node states first. As is the role
// under which the message was entered.
func (e *emitter) say(m *message.Message, as message.Role, i int, at time.Time) {
	entered := *m
	entered.Role = as
	text, results := false, map[string]bool{}
	for _, s := range statements(&entered, e.u.Data) {
		if first := e.first(e.n, s); s.call != "" {
			results[s.call] = first
		} else {
			text = first
		}
	}
	if e.n.Kind == Model && as == message.Agent {
		text = true
	}
	first := len(e.u.Events)
	for k := range m.Parts {
		p := m.Parts[k]
		switch {
		case p.Kind == message.Result && p.ID != "":
			if results[p.ID] {
				m.EmitPart(e.u, &p, &message.Calls{})
			}
		case text:
			if p.Kind == message.Call {
				p.ID = callID(e.n, i, k, &p)
			}
			m.EmitPart(e.u, &p, &message.Calls{})
		}
	}
	e.finish(e.u.Events[first:], m, at)
}

func (e *emitter) finish(events []ingest.Event, m *message.Message, at time.Time) {
	for i := range events {
		ev := &events[i]
		id := ev.ID
		if e.stamp(ev, at); id != "" {
			ev.ID = id
		}
		if ev.Actor == ingest.Agent {
			ev.Message, ev.Model = e.n.ID, e.n.Model
		}
	}
}

// model adds the call of the model itself.
func (e *emitter) model() {
	n := e.n
	if n.Failed && !n.root() {
		ev := e.add(ingest.Error, ingest.Harness, n.ends())
		ev.Name, ev.Reason, ev.Text = e.errorName("model-error"), ingest.Errored, n.Error
	}
	if n.Usage == nil && (n.Failed || !n.Ended) {
		return
	}
	ev := e.add(ingest.ModelCall, ingest.Agent, e.answers(n))
	ev.Message, ev.Model, ev.Usage = n.ID, n.Model, n.Usage
}

// tool adds the result of a call, and the call where no model made it.
func (e *emitter) tool() {
	n := e.n
	id, joined := e.joined[n.ID]
	if !joined {
		id = n.ID
		ev := e.add(ingest.ToolCall, ingest.Agent, n.Start)
		ev.Call, ev.Name, ev.Args, ev.Message = id, n.Name, n.In.Whole, n.ID
	}
	if !n.Ended {
		return
	}
	ev := e.add(ingest.ToolResult, ingest.Tool, n.ends())
	ev.Call, ev.Name, ev.Detail = id, n.Name, n.Out.Whole
	part := n.Out.result(e.u.Data)
	ev.Text = part.Span
	ev.Outcome, ev.Reason, ev.Exit = e.outcome(&part)
	if n.Failed && n.Error.Len > 0 {
		ev.Text = n.Error
	}
}

// end adds how the run ended, and errors that no node below states.
func (e *emitter) end() {
	n := e.n
	_, joined := e.joined[n.ID]
	switch {
	case n.root() && n.Failed:
		outcome, reason := e.cause()
		if outcome == ingest.OK {
			return
		}
		ev := e.add(ingest.Error, ingest.Harness, n.ends())
		ev.Name, ev.Outcome, ev.Reason, ev.Text = e.errorName("error"), outcome, reason, n.Error
	case n.root() && n.Succeeded && n.Kind != Tool:
		ev := e.add(ingest.Claim, ingest.Harness, n.ends())
		ev.Name, ev.Outcome = "success", ingest.OK
	case n.Failed && n.Kind == Step && !joined && !e.place(n.ID).fails:
		if outcome, _ := e.cause(); outcome == ingest.OK {
			return
		}
		ev := e.add(ingest.Error, ingest.Harness, n.ends())
		ev.Name, ev.Reason, ev.Text = e.errorName("error"), ingest.Errored, n.Error
	}
}

// exception is the class with which the text of an exception begins:
// "RateLimitError('…')", "openai.BadRequestError: …".
var exception = regexp.MustCompile(`^[A-Za-z_][\w.]*(?:Error|Exception|Exceeded|Interrupt|Timeout)\b`)

// errorName is the class of the node's error, or what it is called otherwise.
func (e *emitter) errorName(otherwise string) string {
	text := e.text(e.n.Error)
	return cmp.Or(exception.FindString(text[:min(len(text), 200)]), otherwise)
}

func (e *emitter) grade() {
	ev := e.add(ingest.Score, ingest.Harness, e.n.Start)
	s := e.n.Score
	ev.Agent, ev.Name, ev.Value, ev.Outcome, ev.Text = "", e.n.Name, s.Value, s.Outcome, s.Text
}
