package native

import (
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/span"
)

var errNoRun = fmt.Errorf("%w: run_id", record.ErrField)

// event walks one event/v1 object.
func (d *decoder) event(c *decode.Cursor, u *decode.Unit) error {
	var run, native, tool string
	var role int64
	var about *ingest.Meta
	var grade []string
	e := u.Event(ingest.Message, ingest.Harness)
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "run_id":
			run, err = c.ID()
		case "id":
			native, err = c.ID()
		case "tool":
			tool, err = c.String()
		case "role":
			role, _, err = c.Int()
		case "run":
			about = new(ingest.Meta)
			grade, err = aboutRun(c, about)
		default:
			err = field(c, e, string(name))
		}
		return err
	})
	if err != nil {
		return err
	}
	if run == "" {
		return errNoRun
	}
	if e.Kind == span.NativeKind { // measured, and no step of the run
		u.Events = u.Events[:0]
	} else if !known(e.Kind) {
		u.Events = u.Events[:0]
		return fmt.Errorf("unknown event kind %q", e.Kind)
	}
	e.ID = native
	if tool != "" {
		e.Name = tool
	}
	settleOutcome(e)
	if native != "" {
		u.Native = run + "\x00" + native
	}
	d.begin(run, int(role), about, grade)
	return nil
}

// begin makes the named run current and adds what the event says of it.
func (d *decoder) begin(run string, role int, about *ingest.Meta, grade []string) {
	d.w.BeginMember(role, run)
	m := d.w.Meta()
	if about != nil {
		*m = about.Merge(*m)
	}
	if m.Native == "" {
		m.Native = run
	}
	if grade != nil {
		d.w.SetGrade(ingest.Evidence(0).Parse(grade))
	}
}

func known(k ingest.Kind) bool {
	switch k {
	case ingest.Message, ingest.ModelCall, ingest.ToolCall, ingest.ToolResult, ingest.Approval, ingest.Check,
		ingest.Claim, ingest.Compaction, ingest.Resume, ingest.Handoff, ingest.Error, ingest.Limit, ingest.Score,
		ingest.RecordDoc, ingest.Request:
		return true
	}
	return false
}

// field reads one plain member into the event.
func field(c *decode.Cursor, e *ingest.Event, name string) (err error) {
	var s string
	switch name {
	case "kind":
		s, err = c.String()
		e.Kind = ingest.Kind(s)
	case "actor":
		s, err = c.String()
		e.Actor = ingest.Actor(s)
	case "outcome":
		s, err = c.String()
		e.Outcome = ingest.Outcome(s)
	case "reason":
		s, err = c.String()
		e.Reason = ingest.Reason(s)
	case "at":
		var q ingest.TimeQuality
		e.At, q, err = c.Time()
		if e.Quality == ingest.NoTime {
			e.Quality = q
		}
	case "time_quality":
		if s, err = c.String(); s == string(ingest.Inferred) || s == string(ingest.NoTime) {
			e.Quality = ingest.TimeQuality(s)
		}
	case "exit_code":
		n, ok, ierr := c.Int()
		if err = ierr; ok {
			code := int(n)
			e.Exit = &code
		}
	case "value":
		f, ok, ferr := c.Float()
		if err = ferr; ok {
			e.Value = &f
		}
	case "call_id":
		e.Call, err = c.ID()
	case "parent_id":
		e.Parent, err = c.ID()
	case "message_id":
		e.Message, err = c.ID()
	case "model":
		e.Model, err = c.String()
	case "agent":
		e.Agent, err = c.ID()
	case "task":
		e.Task, err = c.ID()
	case "name":
		e.Name, err = c.String()
	case "summary":
		e.Summary, _, err = c.Bool()
	case "open":
		e.Open, _, err = c.Bool()
	case "copied":
		e.Copied, _, err = c.Bool()
	case "text":
		e.Text, err = c.Span()
	case "arguments":
		e.Args, err = c.Span()
	case "detail":
		e.Detail, err = c.Span()
	case "usage":
		err = usage(c, e)
	default:
		err = c.Skip()
	}
	return err
}

// noOutcome is how an export says that its source states no outcome.
const noOutcome = "none"

// settleOutcome fills in the outcome of a result that states only an exit code
// or a reason.
func settleOutcome(e *ingest.Event) {
	if e.Outcome != "" {
		switch e.Outcome {
		case ingest.OK, ingest.Fail, ingest.Unknown, ingest.Pending:
		case noOutcome:
			e.Outcome = ""
		default:
			e.Outcome = ingest.Unknown
		}
		return
	}
	switch {
	case e.Reason == ingest.TimedOut || e.Reason == ingest.Lost:
		e.Outcome = ingest.Unknown
	case e.Reason == ingest.Launched:
		e.Outcome = ingest.Pending
	case e.Reason != "":
		e.Outcome = ingest.Fail
	case e.Exit != nil && *e.Exit != 0:
		e.Outcome = ingest.Fail
	case e.Kind == ingest.ToolResult || e.Exit != nil:
		e.Outcome = ingest.OK
	}
}

func usage(c *decode.Cursor, e *ingest.Event) error {
	u := &ingest.Usage{}
	into := map[string]*int64{
		"input_uncached": &u.InputUncached, "cache_read": &u.CacheRead, "cache_write_5m": &u.CacheWrite5m,
		"cache_write_1h": &u.CacheWrite1h, "output": &u.Output, "reasoning": &u.Reasoning,
	}
	if c.Kind() != '{' {
		return c.Skip()
	}
	err := c.Object(func(name []byte) error {
		if p := into[string(name)]; p != nil {
			n, _, err := c.Int()
			*p = n
			return err
		}
		switch string(name) {
		case "billed_cost":
			f, _, err := c.Float()
			u.Cost = f
			return err
		case "violation":
			b, _, err := c.Bool()
			u.Violation = b
			return err
		}
		return c.Skip()
	})
	e.Usage = u
	return err
}

func aboutRun(c *decode.Cursor, m *ingest.Meta) (grade []string, err error) {
	into := map[string]*string{
		"native": &m.Native, "agent": &m.Agent, "parent": &m.Parent, "cwd": &m.Cwd, "branch": &m.Branch,
		"model": &m.Model, "harness": &m.Harness, "version": &m.Version, "task": &m.Task, "format": &m.Format,
	}
	if c.Kind() != '{' {
		return nil, c.Skip()
	}
	err = c.Object(func(name []byte) (err error) {
		if p := into[string(name)]; p != nil {
			*p, err = c.ID()
			return err
		}
		switch string(name) {
		case "links":
			m.Links, err = stringsOf(c)
		case "grade":
			grade, err = stringsOf(c)
			if grade == nil {
				grade = []string{}
			}
		case "trial":
			m.Trial, _, err = c.Bool()
		case "part":
			var n int64
			n, _, err = c.Int()
			m.Part = int(n)
		default:
			err = c.Skip()
		}
		return err
	})
	return grade, err
}

func stringsOf(c *decode.Cursor) (out []string, err error) {
	err = c.Array(func() error {
		s, err := c.ID()
		if s != "" {
			out = append(out, s)
		}
		return err
	})
	return out, err
}
