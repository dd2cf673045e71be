package miniswe

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// notExecuted is the exception of commands that stood behind one which ended
// the step.
const notExecuted = "action was not executed"

// outcome reads the structured result, then the text that a template made of it.
func (m *message) outcome(e *ingest.Event, text string) {
	x := &m.extra
	e.Outcome = ingest.OK
	code := x.code
	if code == nil {
		code = tagged(text)
	}
	switch {
	case x.exception == notExecuted:
		e.Outcome, e.Reason = ingest.Fail, ingest.Cancelled
	case x.exception != "" && timedOut(x.exceptionType+" "+x.exception):
		e.Outcome, e.Reason = ingest.Unknown, ingest.TimedOut
	case x.exception != "":
		e.Outcome, e.Reason = ingest.Fail, ingest.Errored
	case strings.HasPrefix(text, "The last command <command>") && strings.Contains(text, "timed out and has been killed"):
		e.Outcome, e.Reason = ingest.Unknown, ingest.TimedOut
	case strings.HasPrefix(text, "<exception>"):
		line, _, _ := strings.Cut(text, "</exception>")
		if e.Outcome, e.Reason = ingest.Fail, ingest.Errored; timedOut(line) {
			e.Outcome, e.Reason = ingest.Unknown, ingest.TimedOut
		}
	case code != nil:
		if e.Exit = code; *code != 0 {
			e.Outcome, e.Reason = ingest.Fail, ingest.Errored
		}
	}
}

func timedOut(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "timed out") || strings.Contains(s, "timeout")
}

// tagged reads <returncode>N</returncode> at the start of a text.
func tagged(text string) *int {
	rest, ok := strings.CutPrefix(text, "<returncode>")
	if !ok {
		return nil
	}
	digits, _, ok := strings.Cut(rest, "</returncode>")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if !ok || err != nil {
		return nil
	}
	return &n
}

// exit reads the message that ends a run.
func (d *decoder) exit(m *message, u *decode.Unit) {
	if m.extra.status == "Submitted" {
		d.submitted(m, u)
	}
	d.w.CanRecord(ingest.HasEnds)
	if d.ended { // as what stands beside the messages said
		return
	}
	d.ended = true
	e := m.event(u, ingest.Error, ingest.Harness)
	e.Detail, e.Text = m.extra.submission, m.extra.error
	end(e, m.extra.status)
}

// submitted gives the command that submits its result: the run ended by it.
func (d *decoder) submitted(m *message, u *decode.Unit) {
	if d.submit == "" {
		return
	}
	e := m.event(u, ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text, e.Outcome, e.Exit = d.take(d.submit), "bash", m.content, ingest.OK, new(0)
	d.submit = ""
}

// end states how a run ended.
func end(e *ingest.Event, status string) {
	e.Name, e.Outcome, e.Reason = status, ingest.Fail, ingest.Errored
	switch status {
	case "Submitted":
		e.Kind, e.Outcome, e.Reason = ingest.Claim, ingest.OK, ""
	case "LimitsExceeded":
		e.Kind = ingest.Limit
	case "TimeExceeded":
		e.Kind, e.Reason = ingest.Limit, ingest.TimedOut
	case "UserInterruption", "KeyboardInterrupt":
		e.Outcome, e.Reason = ingest.Unknown, ingest.Interrupted
	}
}

// info keeps the info object as a unit. A run has one: that of a file which
// grew takes the place of the earlier one.
func (d *decoder) info(c *decode.Cursor, u *decode.Unit) error {
	d.begin()
	u.Native = "info of " + d.run
	var status string
	var submission, cause ingest.Span
	var cost float64
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "exit_status":
			status, err = c.ID()
		case "submission":
			submission, err = c.Span()
		case "exception_str":
			cause, err = c.Span()
		case "model_stats":
			err = object(c, "instance_cost", func() (err error) {
				cost, _, err = c.Float()
				return err
			})
		default:
			err = c.Skip()
		}
		return err
	})
	if cost > 0 && !d.usage {
		d.w.CanRecord(ingest.HasUsage)
		u.Event(ingest.ModelCall, ingest.Agent).Usage = &ingest.Usage{Cost: cost}
	}
	if status != "" && !d.ended {
		d.ended = true
		d.w.CanRecord(ingest.HasEnds)
		e := u.Event(ingest.Error, ingest.Harness)
		e.Detail, e.Text = submission, cause
		end(e, status)
	}
	return err
}
