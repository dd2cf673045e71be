package sweagent

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// step is an element of the trajectory.
type step struct {
	action, observation, response, thought ingest.Span
	stateless                              bool // state is an empty object
	timed                                  bool // there is a duration
	duration                               float64
}

func (s *step) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "action":
			s.action, err = c.Span()
		case "observation":
			s.observation, err = c.Span()
		case "response":
			s.response, err = c.Span()
		case "thought":
			s.thought, err = c.Span()
		case "execution_time":
			s.duration, s.timed, err = c.Float()
		case "state":
			s.stateless = c.Kind() == '{'
			err = c.Object(func([]byte) error {
				s.stateless = false
				return c.Skip()
			})
		default:
			err = c.Skip()
		}
		return err
	})
}

// lookStep collects the actions, and what names the run.
func (d *decoder) lookStep(u *decode.Unit, id string) bool {
	var c decode.Cursor
	c.Reset(u.Data)
	var s step
	if c.Kind() != '{' || s.read(&c) != nil {
		d.calls.add("")
		return true
	}
	if !d.named {
		d.prefix = append(d.prefix, id...)
	}
	d.named = d.named || s.duration > 0
	d.calls.add(strings.TrimSpace(textOf(u, s.action)))
	return true
}

func (d *decoder) step(c *decode.Cursor, u *decode.Unit) error {
	d.begin()
	d.steps++
	if c.Kind() != '{' {
		return errors.New("step is not an object")
	}
	var s step
	if err := s.read(c); err != nil {
		return fmt.Errorf("read step: %w", err)
	}
	d.place(u, "step", d.steps)
	d.emit(&s, u)
	return nil
}

func (d *decoder) emit(s *step, u *decode.Unit) {
	action := strings.TrimSpace(textOf(u, s.action))
	if ends(action) || action == "" && exits(textOf(u, s.response)) {
		d.say(u, ingest.Harness, s.response, s.thought) // the harness wrote the step
		return
	}
	if e := d.say(u, ingest.Agent, s.thought, s.response); e != nil {
		e.Open = action != ""
	}
	if action == "" {
		d.say(u, ingest.Harness, s.observation)
		return
	}
	e := u.Event(ingest.ToolCall, ingest.Agent)
	e.Call, e.Name, e.Args = madeUp(d.steps), toolOf(action), s.action
	if id, tool, ok := d.calls.of(d.steps - 1); ok {
		e.Call, e.Name = id, tool
	}
	call, name := e.Call, e.Name
	e = u.Event(ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text = call, name, s.observation
	text := textOf(u, s.observation)
	if e.Outcome, e.Reason = outcome(text); text == "" && s.stateless && s.timed && s.duration == 0 {
		e.Outcome, e.Reason = ingest.Fail, ingest.Rejected
	}
}

// say adds a message with the first text that is not blank, if there is one.
func (d *decoder) say(u *decode.Unit, actor ingest.Actor, texts ...ingest.Span) *ingest.Event {
	for _, text := range texts {
		if strings.TrimSpace(textOf(u, text)) != "" {
			e := u.Event(ingest.Message, actor)
			e.Text = text
			return e
		}
	}
	return nil
}

// madeUp is the id of a call whose own is not known.
func madeUp(step int) string { return "step#" + strconv.Itoa(step) }

// toolOf names the tool of an action: all are commands of one shell, but one
// ends the task.
func toolOf(action string) string {
	if word, _, _ := strings.Cut(action, " "); strings.TrimSpace(word) == "submit" {
		return "submit"
	}
	return "bash"
}

func textOf(u *decode.Unit, s ingest.Span) string {
	return ingest.TextOf(u.Data[s.Off : s.Off+s.Len])
}
