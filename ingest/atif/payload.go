package atif

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// payload is the part of a tool's structured result, as the converter for
// Claude Code keeps it in tool_result_metadata, that decides the outcome:
// what was sent to the background, and how a task that was asked about stands.
type payload struct {
	interrupted bool
	launched    string // id of the background task that the call started
	task        string // id of the task that the call asked about
	status      string // of that task
	exit        *int
}

// parse reads the members that matter out of the payload's bytes.
func (p *payload) parse(raw []byte) {
	if len(raw) == 0 || raw[0] != '{' {
		return
	}
	var c decode.Cursor
	c.Reset(raw)
	// The bytes were walked once as part of the step, so this cannot fail.
	_ = c.Object(func(name []byte) error {
		if string(name) == "tool_use_result" {
			return c.Object(func(name []byte) error { return p.member(&c, string(name)) })
		}
		return c.Skip()
	})
}

func (p *payload) member(c *decode.Cursor, name string) (err error) {
	switch name {
	case "interrupted":
		p.interrupted, _, err = c.Bool()
	case "backgroundTaskId":
		p.launched, err = c.ID()
	case "task":
		err = c.Object(func(name []byte) (err error) {
			switch string(name) {
			case "task_id":
				p.task, err = c.ID()
			case "status":
				p.status, err = c.String()
			case "exitCode":
				n, ok, err := c.Int()
				if code := int(n); ok {
					p.exit = &code
				}
				return err
			default:
				err = c.Skip()
			}
			return err
		})
	default:
		err = c.Skip()
	}
	return err
}

// settle says what the payload makes of the call itself; ok is false when it
// says nothing.
func (p *payload) settle(e *ingest.Event) (ok bool) {
	switch {
	case p.launched != "":
		e.Outcome, e.Reason, e.Task = ingest.Pending, ingest.Launched, p.launched
	case p.interrupted:
		e.Outcome, e.Reason = ingest.Unknown, ingest.Interrupted
	default:
		return false
	}
	return true
}

// taskOutcome reads the status of a background task; "" while it goes on.
func taskOutcome(status string, exit *int) (ingest.Outcome, ingest.Reason) {
	switch {
	case exit != nil && *exit != 0, status == "failed":
		return ingest.Fail, ingest.Errored
	case status == "completed":
		return ingest.OK, ""
	case status == "killed", status == "stopped", status == "cancelled":
		return ingest.Unknown, ingest.Interrupted
	}
	return "", ""
}
