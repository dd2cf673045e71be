package decode

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Unit is one unit on its way: redacted bytes and the events read from them.
type Unit struct {
	Data    []byte // redacted; spans point into it
	Native  string // native id that the format guarantees, else ""
	Carries string // native session id of the unit, if not its run's
	State   string // what its events rest on beside Data, where equal data may mean unlike events
	Node    string // native id in a tree of units; see ingest.Unit
	Under   string
	Open    bool
	Events  []ingest.Event
	// Superseded says that the file itself replaces the unit further on, or
	// takes it back: it is kept, and its events do not count.
	Superseded bool

	hits   []redact.Hit
	member string
	line   int
	offset int64
	length int64
	over   *ingest.Event // stands for the events behind the last that a unit may have
}

// MaxEvents is how many events one unit may have. A unit of 32 MB could tell of
// millions, which no harness writes; it is quarantined as a whole.
const MaxEvents = 1 << 16

// Event adds an event and returns it to be filled in. The pointer is valid
// until the next call.
func (u *Unit) Event(kind ingest.Kind, actor ingest.Actor) *ingest.Event {
	if len(u.Events) == MaxEvents {
		u.over = &ingest.Event{Kind: kind, Actor: actor}
		return u.over
	}
	u.Events = append(u.Events, ingest.Event{Kind: kind, Actor: actor, Quality: ingest.NoTime})
	return &u.Events[len(u.Events)-1]
}

// Offset is where the unit stands in the file.
func (u *Unit) Offset() int64 { return u.offset }

// Whole is the span of all the unit's bytes.
func (u *Unit) Whole() ingest.Span { return ingest.Span{Len: uint32(len(u.Data))} }
