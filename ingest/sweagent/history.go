package sweagent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// message is an entry of the history.
type message struct {
	role, kind       string
	demo             bool
	content, thought ingest.Span
	command          ingest.Span // the action
	calls            []toolCall
	results          []string // ids of the calls that it answers
}

type toolCall struct {
	id, name string
	args     ingest.Span
}

func (m *message) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "role":
			m.role, err = c.String()
		case "message_type":
			m.kind, err = c.String()
		case "is_demo":
			m.demo, _, err = c.Bool()
		case "content":
			m.content, err = c.Span()
		case "thought":
			m.thought, err = c.Span()
		case "action":
			m.command, err = c.Span()
		case "tool_calls":
			err = c.Array(func() error { return m.readCall(c) })
		case "tool_call_ids":
			err = c.Array(func() error {
				id, err := c.ID()
				m.results = append(m.results, id)
				return err
			})
		default:
			err = c.Skip()
		}
		return err
	})
}

func (m *message) readCall(c *decode.Cursor) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	var k toolCall
	var walk func(name []byte) error
	walk = func(name []byte) (err error) {
		switch string(name) {
		case "id":
			k.id, err = c.ID()
		case "name":
			k.name, err = c.String()
		case "arguments":
			k.args, err = c.Span()
		case "function":
			err = c.Object(walk)
		default:
			err = c.Skip()
		}
		return err
	}
	err := c.Object(walk)
	m.calls = append(m.calls, k)
	return err
}

// lookMessage collects the calls of the history, and what names a run before
// its first action.
func (d *decoder) lookMessage(u *decode.Unit, id string) bool {
	var c decode.Cursor
	c.Reset(u.Data)
	var m message
	if c.Kind() != '{' || m.read(&c) != nil {
		return true
	}
	acts := m.role == "assistant" && !m.demo
	if !d.acted || len(d.calls.actions) == 0 && !d.named {
		d.prefix = append(d.prefix, id...)
	}
	d.acted = d.acted || acts
	if !acts {
		return true
	}
	action := strings.TrimSpace(textOf(u, m.command))
	var k toolCall
	if len(m.calls) > 0 {
		k = m.calls[0]
		d.named = d.named || k.id != ""
	}
	d.calls.pair(action, k.id, k.name)
	return true
}

// prompt keeps a message that stands before the first action; the rest repeats
// the steps.
func (d *decoder) prompt(c *decode.Cursor, u *decode.Unit) error {
	m, err := readMessage(c)
	if err != nil {
		return err
	}
	d.past = d.past || m.role == "assistant" && !m.demo
	if d.past {
		return decode.Skipped(secondView)
	}
	d.begin()
	d.read++
	d.place(u, "message", d.read)
	d.emitPrompt(&m, u)
	return nil
}

func readMessage(c *decode.Cursor) (message, error) {
	var m message
	if c.Kind() != '{' {
		return m, errors.New("message is not an object")
	}
	if err := m.read(c); err != nil {
		return m, fmt.Errorf("read message: %w", err)
	}
	return m, nil
}

func (d *decoder) emitPrompt(m *message, u *decode.Unit) {
	if strings.TrimSpace(textOf(u, m.content)) == "" {
		return
	}
	actor := ingest.Harness
	if m.role == "user" && !m.demo {
		actor = ingest.User
	}
	e := u.Event(ingest.Message, actor)
	e.Text = m.content
	if m.demo {
		e.Name = "demonstration"
	}
}

// message keeps an entry of a history that is all there is.
func (d *decoder) message(c *decode.Cursor, u *decode.Unit) error {
	m, err := readMessage(c)
	if err != nil {
		return err
	}
	d.begin()
	d.read++
	d.place(u, "message", d.read)
	switch {
	case m.role == "assistant" && !m.demo:
		d.emitAction(&m, u)
	case d.last != "" && (m.role == "tool" || m.role == "user") && !m.demo:
		d.emitResult(&m, u)
	default:
		d.emitPrompt(&m, u)
	}
	return nil
}

func (d *decoder) emitAction(m *message, u *decode.Unit) {
	text := m.thought
	if strings.TrimSpace(textOf(u, text)) == "" {
		text = m.content
	}
	if strings.TrimSpace(textOf(u, text)) != "" {
		e := u.Event(ingest.Message, ingest.Agent)
		e.Text, e.Open = text, len(m.calls) > 0 || m.command.Len > 0
	}
	action := strings.TrimSpace(textOf(u, m.command))
	if len(m.calls) == 0 && action == "" {
		return
	}
	d.steps++
	e := u.Event(ingest.ToolCall, ingest.Agent)
	e.Call, e.Name, e.Args = madeUp(d.steps), toolOf(action), m.command
	if len(m.calls) > 0 {
		k := m.calls[0]
		e.Name, e.Args = k.name, k.args
		if k.id != "" {
			e.Call = k.id
		}
	}
	d.last, d.tool = e.Call, e.Name
}

func (d *decoder) emitResult(m *message, u *decode.Unit) {
	e := u.Event(ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text = d.last, d.tool, m.content
	if len(m.results) > 0 && m.results[0] != "" {
		e.Call = m.results[0]
	}
	e.Outcome, e.Reason = outcome(textOf(u, m.content))
	d.last = ""
}
