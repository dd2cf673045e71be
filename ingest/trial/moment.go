package trial

import (
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Moment is a time that a result file states. The zero Moment is unknown.
type Moment struct {
	At      time.Time
	Quality ingest.TimeQuality
}

// Read takes the moment from a value; see decode.Cursor.Time.
func (m *Moment) Read(c *decode.Cursor) (err error) {
	m.At, m.Quality, err = c.Time()
	return err
}

// Stamp dates an event by the first known moment, if there is one.
func Stamp(e *ingest.Event, moments ...Moment) {
	for _, m := range moments {
		if !m.At.IsZero() {
			e.At, e.Quality = m.At, m.Quality
			return
		}
	}
}
