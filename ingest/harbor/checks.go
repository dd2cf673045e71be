package harbor

import (
	"errors"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/trial"
)

// decodeChecks reads a CTRF report: one check event per test. Its summary
// repeats them.
func decodeChecks(in *decode.Input, w *decode.Writer) error {
	return w.Values(in, func(c *decode.Cursor, u *decode.Unit) error {
		if c.Kind() != '{' {
			return errors.New("report is not an object")
		}
		return members(c, "results", func() error {
			return members(c, "tests", func() error {
				return c.Array(func() error { return readTest(c, u) })
			})
		})
	})
}

func readTest(c *decode.Cursor, u *decode.Unit) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	var name, status string
	var message, trace ingest.Span
	var stop trial.Moment
	start := c.Mark()
	err := c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "name":
			name, err = c.String()
		case "status":
			status, err = c.String()
		case "message":
			message, err = c.Span()
		case "trace":
			trace, err = c.Span()
		case "stop":
			err = stop.Read(c)
		default:
			err = c.Skip()
		}
		return err
	})
	e := u.Event(ingest.Check, ingest.Harness)
	e.Name, e.Text, e.Detail, e.Outcome = name, message, c.Since(start), ingest.Unknown
	if message.Len == 0 {
		e.Text = trace
	}
	trial.Stamp(e, stop)
	switch status {
	case "passed":
		e.Outcome = ingest.OK
	case "failed":
		e.Outcome, e.Reason = ingest.Fail, ingest.Errored
	}
	return err
}
