package harbor

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// decodeEnding reads the agent's log beside a trajectory. It is a second view
// of the same run, but only it says how the agent ended.
func decodeEnding(in *decode.Input, w *decode.Writer) error {
	return w.Lines(in, func(c *decode.Cursor, u *decode.Unit) error {
		var end ending
		if err := end.read(c); err != nil {
			return err
		}
		if end.kind != "result" {
			return decode.Skipped("second-view")
		}
		end.emit(u)
		return nil
	})
}

// ending is a result line of Claude Code's stream-json. Its token counts and
// cost repeat those of the trajectory.
type ending struct {
	kind, subtype string
	failed        bool
	said          ingest.Span
}

func (end *ending) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "type":
			end.kind, err = c.String()
		case "subtype":
			end.subtype, err = c.String()
		case "is_error":
			end.failed, _, err = c.Bool()
		case "result":
			end.said, err = c.Span()
		default:
			err = c.Skip()
		}
		return err
	})
}

func (end *ending) emit(u *decode.Unit) {
	e := u.Event(ingest.Claim, ingest.Harness)
	e.Name, e.Text, e.Detail = end.subtype, end.said, u.Whole()
	switch end.subtype {
	case "error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries":
		e.Kind = ingest.Limit
	case "error_during_execution":
		e.Kind = ingest.Error
	}
	if e.Outcome = ingest.OK; end.failed || end.subtype != "success" {
		e.Outcome, e.Reason = ingest.Fail, ingest.Errored
	}
}
