package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
)

// A unit with more events than any harness writes is quarantined as a whole,
// and those around it are read.
func TestTooManyEvents(t *testing.T) {
	f := decode.Format{Name: "probe", Version: 1, Decode: func(in *decode.Input, w *decode.Writer) error {
		return w.Lines(in, func(c *decode.Cursor, u *decode.Unit) error {
			return c.Array(func() error {
				u.Event(ingest.Message, ingest.Agent)
				return c.Skip()
			})
		})
	}}
	list := func(n int) string { return "[0" + strings.Repeat(",0", n-1) + "]\n" }
	b := decodetest.New()
	r := b.File(t, f, "many", []byte(list(1)+list(decode.MaxEvents)+list(decode.MaxEvents+1)+list(2)))
	assert.Equal(t, []int{4, 3, 1, decode.MaxEvents + 3}, []int{r.Units, r.Stored, r.Quarantined, r.Events})
	assert.Equal(t, []ingest.ReasonCount{{Kind: "too-many-events", Count: 1,
		First: ingest.Position{Line: 3, Offset: int64(2*decode.MaxEvents + 6), Cause: "more than 65536 events"}}}, r.Reasons)
}
