package crush

import (
	"cmp"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// message is one row of messages.
type message struct {
	id, role, model   string
	summary           bool
	created, finished time.Time
	updated           time.Time
	parts             []part
}

// part is {type, data} of any type; only the members of its type are set.
type part struct {
	kind        string
	text        ingest.Span // of text, reasoning, a result, a command's output, an error
	id, name    string      // of a call, or of the call of a result
	args, whole ingest.Span
	metadata    ingest.Span
	failed      bool
	reason      string
	exit        *int
}

func (m *message) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "id":
			m.id, err = c.String()
		case "role":
			m.role, err = c.String()
		case "model":
			m.model, err = c.String()
		case "is_summary_message":
			n, _, nerr := c.Int()
			m.summary, err = n != 0, nerr
		case "created_at":
			m.created, _, err = c.Time()
		case "updated_at":
			m.updated, _, err = c.Time()
		case "finished_at":
			m.finished, _, err = c.Time()
		case "parts":
			err = c.Array(func() error { return m.readPart(c) })
		default:
			err = c.Skip()
		}
		return err
	})
}

func (m *message) readPart(c *decode.Cursor) error {
	var p part
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "type":
			p.kind, err = c.String()
		case "data":
			mark := c.Mark()
			err = c.Object(func(name []byte) error { return p.read(c, string(name)) })
			p.whole = c.Since(mark)
		default:
			err = c.Skip()
		}
		return err
	})
	m.parts = append(m.parts, p)
	return err
}

func (p *part) read(c *decode.Cursor, name string) (err error) {
	switch name {
	case "text", "thinking", "content", "output", "message":
		p.text, err = c.Span()
	case "id", "tool_call_id":
		p.id, err = c.String()
	case "name":
		p.name, err = c.String()
	case "input":
		p.args, err = c.Span()
	case "metadata":
		p.metadata, err = c.Span()
	case "is_error":
		p.failed, _, err = c.Bool()
	case "reason":
		p.reason, err = c.String()
	case "exit_code":
		n, ok, nerr := c.Int()
		if code := int(n); ok {
			p.exit = &code
		}
		err = nerr
	default:
		err = c.Skip()
	}
	return err
}

// message decodes a row of messages.
func (d *decoder) message(c *decode.Cursor, u *decode.Unit) error {
	var m message
	if err := m.read(c); err != nil {
		return err
	}
	u.Native = d.id + "/" + m.id
	d.changed(m.updated)
	if meta := d.w.Meta(); m.role == "assistant" {
		meta.Model = cmp.Or(meta.Model, m.model)
	}
	if m.summary {
		m.event(u, ingest.Compaction, ingest.Harness)
	}
	for i := range m.parts {
		d.part(u, &m, &m.parts[i])
	}
	return nil
}

func (m *message) event(u *decode.Unit, kind ingest.Kind, actor ingest.Actor) *ingest.Event {
	e := u.Event(kind, actor)
	e.ID, e.At, e.Quality = m.id, m.created, quality(m.created)
	if actor == ingest.Agent {
		e.Message, e.Model = m.id, m.model
	}
	return e
}

func (d *decoder) part(u *decode.Unit, m *message, p *part) {
	switch p.kind {
	case "text":
		m.say(u, p)
	case "reasoning":
		if !blank(u, p.text) {
			m.event(u, ingest.ModelCall, ingest.Agent).Text = p.text
		}
	case "tool_call":
		d.calls[p.id] = call{tool: p.name, message: m.id}
		e := m.event(u, ingest.ToolCall, ingest.Agent)
		e.Call, e.Name, e.Args = p.id, p.name, p.args
	case "tool_result":
		d.result(u, m, p)
	case "shell_command":
		e := m.event(u, ingest.Message, ingest.Harness)
		e.Name, e.Text, e.Detail, e.Exit = "shell", p.text, p.whole, p.exit
	case "finish":
		if m.role == "assistant" {
			m.finish(u, p)
		}
	}
}

func blank(u *decode.Unit, s ingest.Span) bool { return strings.TrimSpace(textOf(u, s)) == "" }

func textOf(u *decode.Unit, s ingest.Span) string {
	return ingest.TextOf(u.Data[s.Off : s.Off+s.Len])
}

func (m *message) say(u *decode.Unit, p *part) {
	if blank(u, p.text) {
		return
	}
	actor := ingest.Harness
	switch {
	case m.summary:
	case m.role == "user":
		actor = ingest.User
	case m.role == "assistant":
		actor = ingest.Agent
	}
	e := m.event(u, ingest.Message, actor)
	e.Text, e.Summary = p.text, m.summary
	e.Open = actor == ingest.Agent && !m.ended()
}

// ended reports whether the model had its say.
func (m *message) ended() bool {
	for i := range m.parts {
		if m.parts[i].kind == "finish" {
			return true
		}
	}
	return false
}

// finish adds how a message ended, unless it ended as it should.
func (m *message) finish(u *decode.Unit, p *part) {
	kind, outcome, reason := ingest.Error, ingest.Fail, ingest.Errored
	switch p.reason {
	case "error", "content_filter":
	case "max_tokens":
		kind = ingest.Limit
	case "canceled":
		outcome, reason = ingest.Unknown, ingest.Interrupted
	case "permission_denied":
		reason = ingest.Denied
	default:
		return
	}
	e := m.event(u, kind, ingest.Harness)
	e.Name, e.Text, e.Detail, e.Outcome, e.Reason = p.reason, p.text, p.whole, outcome, reason
	if _, name := ingest.Stop(p.reason); name != "" {
		e.Name = name
	}
	if m.finished.After(e.At) {
		e.At = m.finished
	}
}

func (d *decoder) result(u *decode.Unit, m *message, p *part) {
	from := d.calls[p.id]
	e := m.event(u, ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text = p.id, cmp.Or(p.name, from.tool), p.text
	for _, child := range []string{from.message + "$$" + p.id, p.id} {
		if child != d.id && d.sessions[child] {
			e.Agent = child
			break
		}
	}
	p.judge(e, textOf(u, p.text), textOf(u, p.metadata))
}
