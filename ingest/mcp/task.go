package mcp

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// task is the state of a task as either dialect writes it.
type task struct {
	id, status, related string
	note                ingest.Span // statusMessage
	result              *answer     // of a completed task, newer dialect
	failed              *failure    // of a failed one
}

func (t *task) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) error { return t.member(c, string(name)) })
}

func (t *task) member(c *decode.Cursor, name string) (err error) {
	switch name {
	case "taskId":
		t.id, err = c.ID()
	case "status":
		t.status, err = c.String()
	case "statusMessage":
		t.note, err = c.Span()
	case "result":
		t.result = &answer{}
		err = t.result.read(c)
	case "error":
		if c.Kind() != '{' {
			return c.Skip()
		}
		t.failed = &failure{}
		err = t.failed.read(c)
	default:
		err = c.Skip()
	}
	return err
}

// created reports whether an answer to a call is a task instead of its result.
func (a *answer) created() bool {
	return a.task.id != "" && (a.kind == "task" || a.wrapped || a.task.status != "" && a.content.Len == 0)
}

// settle adds what a status says of a task. A status that is not final, or
// that says "completed" without the result, settles nothing.
func (d *decoder) settle(u *decode.Unit, t task) {
	if t.id == "" {
		return
	}
	e := d.note(u, ingest.Message, "task", t.note)
	e.Task = t.id
	switch t.status {
	case "completed":
		if t.result != nil {
			e.Outcome, e.Reason, e.Exit = t.result.outcome(d.data)
			e.Text = t.result.text()
		}
	case "failed":
		e.Outcome, e.Reason = ingest.Fail, ingest.Errored
		if f := t.failed; f != nil {
			e.Outcome, e.Reason = f.outcome(d.data)
			e.Text = f.message
		}
	case "cancelled", "canceled":
		e.Outcome, e.Reason = ingest.Unknown, ingest.Interrupted
	case "working", "input_required", "submitted":
		e.Outcome = ingest.Pending
	}
}

// taskAnswer reads the answer to a request about a task.
func (d *decoder) taskAnswer(u *decode.Unit, m *message, q *request) {
	switch {
	case m.isError && q.method == "tasks/result": // the error of the call itself
		e := d.note(u, ingest.Message, "task", m.failed.message)
		e.Task = q.task
		e.Outcome, e.Reason = m.failed.outcome(d.data)
	case m.isError && q.method == "tasks/get" && m.failed.code == invalidParams: // the server does not know it (any more)
		e := d.note(u, ingest.Message, "task", m.failed.message)
		e.Task, e.Outcome, e.Reason = q.task, ingest.Unknown, ingest.Lost
	case m.isError:
		d.note(u, ingest.Message, q.method, m.failed.message).Task = q.task
	case q.method == "tasks/result":
		e := d.note(u, ingest.Message, "task", m.answer.text())
		e.Task = q.task
		e.Outcome, e.Reason, e.Exit = m.answer.outcome(d.data)
	default:
		t := m.answer.task
		if t.id == "" && t.status != "" {
			t.id = q.task
		}
		if t.status == "" && q.method == "tasks/cancel" { // heard; what became of the work is not told
			t = task{id: q.task, status: "cancelled"}
		}
		d.settle(u, t)
		for _, t := range m.answer.tasks {
			d.settle(u, t)
		}
	}
}
