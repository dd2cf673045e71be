package opencode

import (
	"cmp"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// emit adds how a model's message ended.
func (m *message) emit(u *decode.Unit) {
	if m.summary {
		m.event(u, ingest.Compaction, m.created)
	}
	ended := m.completed
	if ended.IsZero() {
		ended = m.created
	}
	switch {
	case m.fault != nil:
		m.fault.emit(u, ended)
	case m.finish == "error":
		m.event(u, ingest.Error, ended).Stopped(m.finish)
	default:
		if kind, name := ingest.Stop(m.finish); name != "" {
			m.event(u, kind, ended).Stopped(name)
		}
	}
	for i := range u.Events {
		u.Events[i].ID, u.Events[i].Message = m.id, m.id
	}
}

func (m *message) event(u *decode.Unit, kind ingest.Kind, at time.Time) *ingest.Event {
	e := u.Event(kind, ingest.Harness)
	e.At, e.Quality = at, quality(at)
	return e
}

// emit adds an error that ended a message.
func (f *fault) emit(u *decode.Unit, at time.Time) {
	e := u.Event(ingest.Error, ingest.Harness)
	e.Name, e.Text, e.At, e.Quality = cmp.Or(f.name, "error"), f.text, at, quality(at)
	switch e.Outcome, e.Reason = ingest.Fail, ingest.Errored; f.name {
	case "MessageAbortedError":
		e.Outcome, e.Reason = ingest.Unknown, ingest.Interrupted
	case "MessageOutputLengthError", "ContextOverflowError":
		e.Kind = ingest.Limit
	}
}

// emit adds the events of a part of the message.
func (p *part) emit(u *decode.Unit, m *message) {
	switch p.kind {
	case "text":
		p.say(u, m)
	case "subtask":
		e := p.event(u, m, ingest.Message, ingest.User, time.Time{})
		e.Name, e.Text = "subtask", p.text
	case "reasoning":
		if !blank(u, p.text) {
			p.event(u, m, ingest.ModelCall, ingest.Agent, p.start).Text = p.text
		}
	case "tool":
		p.called(u, m)
	case "step-finish":
		e := p.event(u, m, ingest.ModelCall, ingest.Agent, time.Time{})
		e.Message, e.Usage = p.id, p.usage // a message may have several steps
	case "retry":
		e := p.event(u, m, ingest.Error, ingest.Harness, p.created)
		if e.Name, e.Reason = "retry", ingest.Errored; p.fault != nil {
			e.Text = p.fault.text
		}
	}
}

func (p *part) event(u *decode.Unit, m *message, kind ingest.Kind, actor ingest.Actor, at time.Time) *ingest.Event {
	e := u.Event(kind, actor)
	e.ID, e.Message, e.At, e.Quality = p.id, p.message, at, quality(at)
	if actor == ingest.Agent {
		e.Model = m.model
	}
	return e
}

func (p *part) say(u *decode.Unit, m *message) {
	if blank(u, p.text) {
		return
	}
	actor, name := ingest.Agent, ""
	switch {
	case p.synthetic:
		actor, name = ingest.Harness, "synthetic"
	case p.ignored:
		actor, name = ingest.Harness, "ignored" // never shown to the model
	case m.role == "user":
		actor = ingest.User
	case m.summary:
		actor, name = ingest.Harness, "summary"
	}
	e := p.event(u, m, ingest.Message, actor, p.start)
	e.Name, e.Text, e.Summary = name, p.text, m.summary
	e.Open = actor == ingest.Agent && !p.start.IsZero() && p.end.IsZero() // broken off, or still being written
}

func blank(u *decode.Unit, s ingest.Span) bool {
	return strings.TrimSpace(ingest.TextOf(u.Data[s.Off:s.Off+s.Len])) == ""
}

func (p *part) called(u *decode.Unit, m *message) {
	e := p.event(u, m, ingest.ToolCall, ingest.Agent, p.state.start)
	e.Call, e.Name, e.Args = p.call, p.tool, p.state.input
	if p.state.status != "completed" && p.state.status != "error" {
		return
	}
	at := p.state.end
	if at.Before(p.state.start) {
		at = p.state.start
	}
	e = p.event(u, m, ingest.ToolResult, ingest.Tool, at)
	e.Call, e.Name, e.Text, e.Detail = p.call, p.tool, p.state.output, p.state.metadata
	if p.state.status == "error" {
		e.Text = p.state.fail
	}
	e.Agent = p.state.child
	e.Outcome, e.Reason, e.Exit = p.judge(ingest.TextOf(u.Data[e.Text.Off : e.Text.Off+e.Text.Len]))
}
