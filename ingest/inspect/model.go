package inspect

import (
	"cmp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// output is what a model event says came back.
type output struct {
	model, stop string
	message     message
	answered    bool
	usage       *ingest.Usage
	fault       fault
}

func (e *event) readOutput(c *decode.Cursor) error {
	if e.kind != "model" {
		return c.Skip()
	}
	o := &e.output
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "model":
			o.model, err = c.String()
		case "choices":
			err = c.Array(func() error { return o.readChoice(c) })
		case "usage":
			o.usage, err = readUsage(c)
		case "error":
			err = o.fault.read(c)
		default:
			err = c.Skip()
		}
		return err
	})
}

// readChoice reads the first choice: it is the one that a harness goes on with.
func (o *output) readChoice(c *decode.Cursor) error {
	if o.answered {
		return c.Skip()
	}
	o.answered = true
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "message":
			o.message, err = readMessage(c)
		case "stop_reason":
			o.stop, err = c.String()
		default:
			err = c.Skip()
		}
		return err
	})
}

// model adds a request's new messages, the call, and what came back.
func (a *attempt) model(u *decode.Unit, e *event, s stamp) {
	if e.role != "" && a.o.roleless && s.agent == "" {
		s.agent = e.role // beside the model under test: a grader, a simulated user
	}
	for i := range e.messages {
		a.say(u, &e.messages[i], s)
	}
	m := &e.output.message
	s.answer = cmp.Or(m.id, e.uuid)
	if !e.completed.IsZero() {
		s.at = e.completed
	}
	if e.retries > 0 {
		r := s.event(u, ingest.Error, ingest.Harness)
		r.Name, r.Reason, r.Detail = "api_retry", ingest.Errored, u.Whole()
	}
	call := s.event(u, ingest.ModelCall, ingest.Agent)
	call.ID, call.Model, call.Text = e.uuid, cmp.Or(e.output.model, e.model), m.reasoning
	if e.cache != "read" { // else nothing was sent
		call.Usage = e.output.usage
	}
	if e.pending {
		call.Outcome = ingest.Pending
	}
	if f := cmp.Or(e.fault, e.output.fault); f.whole.Len > 0 {
		a.modelError(u, f, s)
	}
	a.answer(u, m, s)
	if kind, name := ingest.Stop(e.output.stop); name != "" {
		s.event(u, kind, ingest.Harness).Stopped(name)
	}
}

// The texts that a call of the model ends with when something else ended it.
const (
	byOperator = "Cancelled by operator"
	byLimit    = "Cancelled by limit"
	bySystem   = "Cancelled by system"
)

func (a *attempt) modelError(u *decode.Unit, f fault, s stamp) {
	e := s.event(u, ingest.Error, ingest.Harness)
	e.Name, e.Text, e.Detail, e.Reason = "model-error", f.message, f.whole, ingest.Errored
	switch ingest.TextOf(u.Data[f.message.Off : f.message.Off+f.message.Len]) {
	case byOperator, byLimit, bySystem:
		e.Name, e.Outcome, e.Reason = "interrupt", ingest.Unknown, ingest.Interrupted
	}
}

// readUsage reads token counts. Whether the input counts cached tokens differs
// by provider and version; the total tells.
func readUsage(c *decode.Cursor) (*ingest.Usage, error) {
	if c.Kind() != '{' {
		return nil, c.Skip()
	}
	var in, total int64
	var u ingest.Usage
	into := map[string]*int64{
		"input_tokens": &in, "output_tokens": &u.Output, "total_tokens": &total, "reasoning_tokens": &u.Reasoning,
		"input_tokens_cache_read": &u.CacheRead, "input_tokens_cache_write": &u.CacheWrite5m,
	}
	err := c.Object(func(name []byte) (err error) {
		if p := into[string(name)]; p != nil {
			*p, _, err = c.Int()
			return err
		}
		if string(name) == "total_cost" {
			u.Cost, _, err = c.Float()
			return err
		}
		return c.Skip()
	})
	settle(&u, in, total)
	return &u, err
}

// settle finds the reading of a usage that its total bears out.
func settle(u *ingest.Usage, in, total int64) {
	cached := u.CacheRead + u.CacheWrite5m
	u.InputUncached = in
	switch total {
	case 0, in + cached + u.Output:
	case in + cached + u.Output + u.Reasoning:
		u.Output += u.Reasoning
	case in + u.Output:
		u.InputUncached = in - cached
	case in + u.Output + u.Reasoning:
		u.InputUncached, u.Output = in-cached, u.Output+u.Reasoning
	default:
		u.Violation = true
	}
	for _, n := range []int64{u.InputUncached, u.CacheRead, u.CacheWrite5m, u.Output, u.Reasoning} {
		if n < 0 {
			u.InputUncached, u.Violation = in, true
		}
	}
}
