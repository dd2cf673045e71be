package harbor

import (
	"fmt"
	"io"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// text decodes a text that is one unit.
func text(f func(*decode.Unit)) func(*decode.Input, *decode.Writer) error {
	return func(in *decode.Input, w *decode.Writer) error {
		if in.Size == 0 {
			return nil
		}
		if in.Size > decode.MaxUnit {
			w.SkipAt(1, 0, "oversized", fmt.Sprintf("%d bytes, limit %d", in.Size, decode.MaxUnit))
			return nil
		}
		raw, err := io.ReadAll(in.Reader())
		if err != nil {
			return fmt.Errorf("read %s: %w", in.Path, err)
		}
		u := w.Unit(raw, 1, 0)
		f(u)
		return w.Keep(u)
	}
}

// keep stores a unit that says nothing which another member does not state.
func keep(*decode.Unit) {}

// output shows what the verifier printed.
func output(u *decode.Unit) {
	e := u.Event(ingest.Message, ingest.Harness)
	e.Name, e.Text = "verifier-output", u.Whole()
}

// skip accounts for a text that holds no events of its own.
func skip(reason string) func(*decode.Input, *decode.Writer) error {
	return func(in *decode.Input, w *decode.Writer) error {
		if in.Size > 0 {
			w.SkipAt(1, 0, reason, "")
		}
		return nil
	}
}

// decodePlain keeps a JSON document without events.
func decodePlain(in *decode.Input, w *decode.Writer) error {
	return w.Values(in, func(c *decode.Cursor, _ *decode.Unit) error { return c.Skip() })
}
