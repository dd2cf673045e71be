package harbor

import (
	"cmp"
	"errors"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/trial"
)

// decodeResult reads a trial's result.json: what went wrong around the agent,
// and what the verifier gave.
func decodeResult(in *decode.Input, w *decode.Writer) error {
	return w.Values(in, func(c *decode.Cursor, u *decode.Unit) error {
		if c.Kind() != '{' {
			return errors.New("result is not an object")
		}
		var r result
		if err := c.Object(func(name []byte) error { return r.member(c, string(name)) }); err != nil {
			return err
		}
		r.meta(w.Meta())
		r.emit(u)
		return nil
	})
}

type result struct {
	trial, task, model       string
	agent, version, setModel string
	rewards                  []reward
	disabled                 bool // the verifier was not to run
	exception                exception
	finished, agentEnd       trial.Moment
	verifierEnd              trial.Moment
}

type reward struct {
	name  string
	value float64
}

type exception struct {
	kind    string
	message ingest.Span
	whole   ingest.Span
	at      trial.Moment
}

func (r *result) member(c *decode.Cursor, name string) (err error) {
	switch name {
	case "trial_name":
		r.trial, err = c.String()
	case "task_name":
		r.task, err = c.String()
	case "agent_info":
		err = r.readAgent(c)
	case "config":
		err = r.readConfig(c)
	case "verifier_result":
		err = members(c, "rewards", func() error { return r.readRewards(c) })
	case "exception_info":
		err = r.exception.read(c)
	case "finished_at":
		err = r.finished.Read(c)
	case "agent_execution":
		err = members(c, "finished_at", func() error { return r.agentEnd.Read(c) })
	case "verifier":
		err = members(c, "finished_at", func() error { return r.verifierEnd.Read(c) })
	default:
		err = c.Skip()
	}
	return err
}

// members walks an object and reads the one member that is wanted.
func members(c *decode.Cursor, want string, f func() error) error {
	return c.Object(func(name []byte) error {
		if string(name) == want {
			return f()
		}
		return c.Skip()
	})
}

func (r *result) readAgent(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "name":
			r.agent, err = c.String()
		case "version":
			r.version, err = c.ID()
		case "model_info":
			err = members(c, "name", func() (err error) {
				r.model, err = c.String()
				return err
			})
		default:
			err = c.Skip()
		}
		return err
	})
}

func (r *result) readConfig(c *decode.Cursor) error {
	return c.Object(func(name []byte) error {
		switch string(name) {
		case "agent":
			return members(c, "model_name", func() (err error) {
				r.setModel, err = c.String()
				return err
			})
		case "verifier":
			return members(c, "disable", func() (err error) {
				r.disabled, _, err = c.Bool()
				return err
			})
		}
		return c.Skip()
	})
}

func (r *result) readRewards(c *decode.Cursor) error {
	return c.Object(func(name []byte) error {
		if c.Kind() != '0' {
			return c.Skip()
		}
		key := string(name)
		f, ok, err := c.Float()
		if ok {
			r.rewards = append(r.rewards, reward{key, f})
		}
		return err
	})
}

func (x *exception) read(c *decode.Cursor) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	start := c.Mark()
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "exception_type":
			x.kind, err = c.String()
		case "exception_message":
			x.message, err = c.Span()
		case "occurred_at":
			err = x.at.Read(c)
		default:
			err = c.Skip()
		}
		return err
	})
	x.whole = c.Since(start)
	return err
}

func (r *result) meta(m *ingest.Meta) {
	m.Native, m.Task, m.Trial = r.trial, r.task, true
	m.Harness, m.Version, m.Model = r.agent, r.version, cmp.Or(r.setModel, r.model)
}

func (r *result) emit(u *decode.Unit) {
	timedOut := strings.HasSuffix(r.exception.kind, "TimeoutError")
	if r.exception.whole.Len > 0 {
		r.emitException(u, timedOut)
	}
	rewards := r.rewards
	for _, w := range r.rewards {
		if w.name == "reward" {
			rewards = []reward{w} // the others are parts of it
		}
	}
	for _, w := range rewards {
		e := r.score(u, w.name)
		value := w.value
		if e.Value, e.Outcome = &value, ingest.Fail; value >= 1 {
			e.Outcome = ingest.OK
		}
	}
	if len(rewards) > 0 || r.disabled {
		return
	}
	e := r.score(u, "reward")
	e.Outcome, e.Reason = ingest.Unknown, ingest.Lost
	if timedOut && strings.HasPrefix(r.exception.kind, "Verifier") {
		e.Reason = ingest.TimedOut
	}
}

func (r *result) score(u *decode.Unit, name string) *ingest.Event {
	e := u.Event(ingest.Score, ingest.Harness)
	e.Name = name
	trial.Stamp(e, r.verifierEnd, r.finished)
	return e
}

// emitException dates the exception by the phase that it ended when its own
// time has no zone: Harbor writes local time there and UTC elsewhere.
func (r *result) emitException(u *decode.Unit, timedOut bool) {
	e := u.Event(ingest.Error, ingest.Harness)
	e.Name, e.Text, e.Detail = r.exception.kind, r.exception.message, r.exception.whole
	e.Outcome, e.Reason = ingest.Fail, ingest.Errored
	if timedOut {
		e.Reason = ingest.TimedOut
	}
	if r.exception.at.Quality == ingest.Exact {
		trial.Stamp(e, r.exception.at)
		return
	}
	phase := r.finished
	if strings.HasPrefix(r.exception.kind, "Verifier") {
		phase = r.verifierEnd
	} else if strings.HasPrefix(r.exception.kind, "Agent") {
		phase = r.agentEnd
	}
	trial.Stamp(e, phase, r.finished, r.exception.at)
	e.Quality = ingest.Inferred
}
