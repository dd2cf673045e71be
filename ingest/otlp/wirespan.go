package otlp

import (
	"encoding/hex"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest/span"
)

// Spans in protobuf are rendered straight from their bytes. What the walk below
// takes, the collector's library takes too and reads alike, which a fuzz test
// holds it to; whatever is out of the ordinary (a broken field, a group, a value
// that stands twice, deep nesting) it leaves to the library.

// The types of the fields of a span, of its events and links, by number.
var (
	spanTypes  = [...]protowire.Type{1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 0, 7: 1, 8: 1, 9: 2, 10: 0, 11: 2, 12: 0, 13: 2, 14: 0, 15: 2, 16: 5}
	eventTypes = [...]protowire.Type{1: 1, 2: 2, 3: 2, 4: 0}
	linkTypes  = [...]protowire.Type{1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 5}
)

// wire returns the span that a message is; it is valid until the next call. Ok is
// false where the library has to read it.
func (r *renderer) wire(raw, resource, scope []byte) (s *span.Span, ok bool) {
	r.mem, r.attr = r.mem[:0], r.attr[:0]
	out := &r.span
	r.counted = 0
	*out = span.Span{Sound: true, Trace: noTrace, ID: noTrace[:16], Resource: resource, Scope: scope, Events: out.Events[:0], Links: out.Links[:0]}
	more := false
	ok = each(raw, spanTypes[:], func(f *fields) bool {
		more = more || f.n == 11 || f.n == 13
		return f.n == 9 && r.keyValue(f.val) || f.n != 9 && r.member(f)
	})
	out.Attrs = r.attr[:len(r.attr):len(r.attr)]
	if ok && more { // their attributes lie behind the span's own
		ok = each(raw, spanTypes[:], r.inner)
	}
	return out, ok
}

const noTrace = "00000000000000000000000000000000"

// member takes a field of the span that is no list.
func (r *renderer) member(f *fields) (ok bool) {
	s := &r.span
	switch f.n {
	case 1:
		s.Trace, ok = r.trace(f.val)
		return ok
	case 2:
		s.ID, ok = spanID(f.val)
		return ok
	case 3:
		s.State = string(f.val)
	case 4:
		s.Parent, ok = spanID(f.val)
		if s.Parent == noTrace[:16] {
			s.Parent = ""
		}
		return ok
	case 5:
		s.Name = r.words.Of(f.val)
	case 6:
		s.Kind = kindOf(int32(f.num))
	case 7:
		s.Start = f.fixed()
	case 8:
		s.End = f.fixed()
	case 10, 12, 14:
		return r.dropped(f)
	case 15:
		return r.status(f.val)
	case 16:
		s.Flags = uint32(f.fixed())
	}
	return true
}

// dropped adds to what the SDK cut off, unless a count stands twice: then the
// last one counts.
func (r *renderer) dropped(f *fields) bool {
	bit := uint8(1) << (f.n / 2)
	again := r.counted&bit != 0
	r.counted |= bit
	r.span.Dropped += uint64(uint32(f.num))
	return !again
}

func (r *renderer) status(message []byte) bool {
	f := fields{rest: message}
	for f.next() {
		switch {
		case f.n == 2 && f.is(protowire.BytesType):
			r.span.Message = string(f.val)
		case f.n == 3 && f.is(protowire.VarintType):
			r.span.Status = statusName(int32(f.num))
		}
	}
	return !f.odd
}

// inner takes an event or a link.
func (r *renderer) inner(f *fields) bool {
	from := len(r.attr)
	switch f.n {
	case 11:
		e := span.Event{}
		ok := each(f.val, eventTypes[:], func(f *fields) bool {
			switch f.n {
			case 1:
				e.Time = f.fixed()
			case 2:
				e.Name = r.words.Of(f.val)
			case 3:
				return r.keyValue(f.val)
			}
			return true
		})
		e.Attrs = r.attr[from:len(r.attr):len(r.attr)]
		r.span.Events = append(r.span.Events, e)
		return ok
	case 13:
		l := span.Link{Trace: noTrace, ID: noTrace[:16]}
		ok := each(f.val, linkTypes[:], func(f *fields) (ok bool) {
			switch f.n {
			case 1:
				l.Trace, ok = r.trace(f.val)
			case 2:
				l.ID, ok = spanID(f.val)
			case 4:
				ok = r.keyValue(f.val)
			default:
				ok = true
			}
			return ok
		})
		l.Attrs = r.attr[from:len(r.attr):len(r.attr)]
		r.span.Links = append(r.span.Links, l)
		return ok
	}
	return true
}

// keyValue renders an attribute.
func (r *renderer) keyValue(message []byte) bool {
	key, value, ok := pairOf(message)
	if !ok {
		return false
	}
	name, at := r.words.Of(key), len(r.mem)
	if r.mem, ok = r.value(r.mem, name, value, 0); !ok {
		return false
	}
	r.attr = append(r.attr, span.Attr{Key: name, Value: r.mem[at:len(r.mem):len(r.mem)]})
	return true
}

// trace is an id in hex; spans that follow each other mostly have the same.
func (r *renderer) trace(id []byte) (string, bool) {
	switch {
	case len(id) == 0:
		return noTrace, true
	case len(id) != 16:
		return "", false
	case string(r.lastID[:]) != string(id) || r.last == "":
		r.lastID = [16]byte(id)
		r.last = hex.EncodeToString(id)
	}
	return r.last, true
}

func spanID(id []byte) (string, bool) {
	switch len(id) {
	case 0:
		return noTrace[:16], true
	case 8:
		var text [16]byte
		hex.Encode(text[:], id)
		return string(text[:]), true
	}
	return "", false
}
