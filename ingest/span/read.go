package span

import (
	"strconv"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// reading is a rendered span as it is read: where its parts stand in the unit,
// and what its attributes tell.
type reading struct {
	u                   *decode.Unit
	c                   *decode.Cursor
	w                   *walker
	known               *quote.Words
	of                  *origins
	scratch, spoken     []byte
	trace, id, parent   string
	name                string
	side                string // client, server, …
	status              string
	message             ingest.Span
	start, end          uint64
	attrs               ingest.Span
	told                [fields]ingest.Span
	rank                [fields]uint8
	asked               []message // flat lists of messages
	answered            []message
	events              []happening
	scope, scopeVersion string
	service, version    string
}

// happening is a span event with what its attributes tell.
type happening struct {
	name  string
	at    uint64
	attrs ingest.Span
	told  map[field]ingest.Span
	body  map[string]ingest.Span // attributes of no convention, by name
}

func (r *reading) reset(u *decode.Unit, c *decode.Cursor) {
	if r.w == nil {
		r.known, r.of = &quote.Words{}, &origins{}
		r.w = &walker{words: r.known}
	}
	r.w.reset()
	*r = reading{u: u, c: c, w: r.w, known: r.known, of: r.of, scratch: r.scratch[:0], spoken: r.spoken[:0], asked: r.asked[:0], answered: r.answered[:0], events: r.events[:0]}
	c.Reset(u.Data)
}

// read walks the rendering once.
func (r *reading) read() error {
	return r.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "traceId":
			r.trace, err = r.c.String()
		case "spanId":
			r.id, err = r.c.String()
		case "parentSpanId":
			r.parent, err = r.c.String()
		case "name":
			r.name, err = r.c.Word(r.known)
		case "kind":
			r.side, err = r.c.Word(r.known)
		case "start":
			r.start, err = r.time()
		case "end":
			r.end, err = r.time()
		case "status":
			r.status, err = r.c.Word(r.known)
		case "message":
			r.message, err = r.c.Span()
		case "attributes":
			mark := r.c.Mark()
			err = r.c.Object(r.attribute)
			r.attrs = r.c.Since(mark)
		case "events":
			err = r.c.Array(r.happened)
		case "resource":
			err = r.c.Object(r.resource)
		case "scope":
			err = r.c.Object(r.scopeMember)
		default:
			err = r.c.Skip()
		}
		return err
	})
}

func (r *reading) time() (uint64, error) {
	s, err := r.c.ID()
	if err != nil {
		return 0, err
	}
	n, _ := strconv.ParseUint(s, 10, 64) // 0, not stated, when it is no number
	return n, nil
}

func (r *reading) attribute(name []byte) error {
	key := string(name)
	s, known := slots[key]
	if !known {
		if l, ok := listOf(key); ok {
			return r.listed(l)
		}
		return r.c.Skip()
	}
	v, err := r.c.Span()
	if err == nil {
		r.tells(s, v)
	}
	return err
}

// tells takes the value of an attribute that is known.
func (r *reading) tells(s slot, v ingest.Span) {
	if v.Len == 0 || s.field == none {
		return
	}
	if have := r.rank[s.field]; have == 0 || s.rank < have {
		r.told[s.field], r.rank[s.field] = v, s.rank
	}
}

func (r *reading) happened() error {
	h := happening{}
	err := r.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "name":
			h.name, err = r.c.Word(r.known)
		case "time":
			h.at, err = r.time()
		case "attributes":
			mark := r.c.Mark()
			err = r.c.Object(func(name []byte) error { return h.attribute(r.c, string(name)) })
			h.attrs = r.c.Since(mark)
		default:
			err = r.c.Skip()
		}
		return err
	})
	r.events = append(r.events, h)
	return err
}

func (h *happening) attribute(c *decode.Cursor, key string) error {
	v, err := c.Span()
	if err != nil || v.Len == 0 {
		return err
	}
	if h.told == nil {
		h.told, h.body = map[field]ingest.Span{}, map[string]ingest.Span{}
	}
	h.body[key] = v
	if s := slots[key]; s.field != none && h.told[s.field].Len == 0 {
		h.told[s.field] = v
	}
	return nil
}

func (r *reading) resource(name []byte) (err error) {
	switch string(name) {
	case "service.name":
		r.service, err = r.c.Word(r.known)
	case "service.version":
		r.version, err = r.c.ID()
	default:
		err = r.c.Skip()
	}
	return err
}

func (r *reading) scopeMember(name []byte) (err error) {
	switch string(name) {
	case "name":
		r.scope, err = r.c.Word(r.known)
	case "version":
		r.scopeVersion, err = r.c.ID()
	default:
		err = r.c.Skip()
	}
	return err
}

// raw is the JSON that a span of the unit covers.
func (r *reading) raw(s ingest.Span) []byte { return r.u.Data[s.Off : s.Off+s.Len] }

func (r *reading) has(f field) bool { return r.told[f].Len > 0 }

// text is what an attribute says, "" when it is not there. Of a list it is the
// first element.
func (r *reading) text(f field) string {
	if !r.has(f) {
		return ""
	}
	raw := r.raw(r.told[f])
	if raw[0] == '[' {
		first := ""
		decode.Peek(raw, func(_ string, v []byte, _ bool) bool {
			first = ingest.TextOf(v)
			return false
		})
		return first
	}
	if s, ok := r.known.Text(raw); ok {
		return s
	}
	return ingest.TextOf(raw)
}

// number is a count; a count in a string is one as well.
func (r *reading) number(f field) (int64, bool) {
	if !r.has(f) {
		return 0, false
	}
	text := r.text(f)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != v || v < -(1<<53) || v > 1<<53 {
		return 0, false
	}
	return int64(v), true
}

// maxTime is the last nanosecond that time.Time can be asked for.
const maxTime = 1<<63 - 1

// at is a time of the source; one that is not stated, or beyond any clock, is
// none.
func at(nanos uint64) (time.Time, ingest.TimeQuality) {
	if nanos == 0 || nanos > maxTime {
		return time.Time{}, ingest.NoTime
	}
	return time.Unix(0, int64(nanos)).UTC(), ingest.Exact
}

// began and ended are when the span did. A span that ends before it starts has
// a broken clock: what it tells is taken to be of its start. One without a
// start is taken to have started when it ended.
func (r *reading) began() (time.Time, ingest.TimeQuality) {
	if t, q := at(r.start); q != ingest.NoTime {
		return t, q
	}
	t, q := at(r.end)
	if q == ingest.Exact {
		q = ingest.Inferred
	}
	return t, q
}

func (r *reading) ended() (time.Time, ingest.TimeQuality) {
	start, sq := at(r.start)
	t, q := at(r.end)
	if sq != ingest.NoTime && (q == ingest.NoTime || t.Before(start)) {
		return start, ingest.Inferred
	}
	return t, q
}

func (r *reading) open() bool { return r.end == 0 }
