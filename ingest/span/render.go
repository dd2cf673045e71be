package span

import (
	"slices"
	"strconv"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// places are where the parts of a span stand in its rendering; 0 is nowhere.
type places struct {
	message                 ingest.Span
	attrs                   ingest.Span
	values                  []ingest.Span // of the attributes, in order
	events, resource, scope int
}

// Append renders the span: one JSON object, the same bytes whatever container
// it came in. Attributes stand in natural order, number 9 before number 10.
func (s *Span) Append(b []byte) []byte { return s.render(b, &places{}) }

// render is Append to an empty b that tells where things stand.
func (s *Span) render(b []byte, p *places) []byte {
	*p = places{values: p.values[:0]}
	b = append(b, '{')
	b = text(b, "traceId", s.Trace)
	b = text(b, "spanId", s.ID)
	b = text(b, "parentSpanId", s.Parent)
	b = text(b, "name", s.Name)
	b = text(b, "kind", s.Kind)
	b = nanos(b, "start", s.Start)
	b = nanos(b, "end", s.End)
	b = text(b, "status", s.Status)
	if s.Message != "" {
		from := len(member(b, "message"))
		b = text(b, "message", s.Message)
		p.message = between(from, len(b)-1)
	}
	b = text(b, "state", s.State)
	b = number(b, "flags", uint64(s.Flags))
	b = number(b, "dropped", s.Dropped)
	b = member(b, "attributes")
	from := len(b)
	b = object(b, s.Attrs, &p.values)
	p.attrs = between(from, len(b))
	p.events, b = s.appendEvents(b)
	b = s.appendLinks(b)
	p.resource, b = common(b, "resource", s.Resource)
	p.scope, b = common(b, "scope", s.Scope)
	return append(b, '}')
}

func between(from, to int) ingest.Span { return ingest.Span{Off: uint32(from), Len: uint32(to - from)} }

func (s *Span) appendEvents(b []byte) (at int, _ []byte) {
	for i, e := range s.Events {
		if b = append(b, ','); i == 0 {
			b = member(b, "events")
			at = len(b)
			b = append(b, '[')
		}
		b = append(quoted(member(append(b, '{'), "name"), e.Name), ',')
		b = nanos(b, "time", e.Time)
		b = append(object(member(b, "attributes"), e.Attrs, nil), '}')
	}
	if len(s.Events) > 0 {
		b = append(b, ']')
	}
	return at, b
}

func (s *Span) appendLinks(b []byte) []byte {
	for i, l := range s.Links {
		if b = append(b, ','); i == 0 {
			b = append(member(b, "links"), '[')
		}
		b = append(quoted(member(append(b, '{'), "traceId"), l.Trace), ',')
		b = append(quoted(member(b, "spanId"), l.ID), ',')
		b = append(object(member(b, "attributes"), l.Attrs, nil), '}')
	}
	if len(s.Links) > 0 {
		b = append(b, ']')
	}
	return b
}

// common appends what was rendered once for many spans.
func common(b []byte, name string, object []byte) (at int, _ []byte) {
	if len(object) == 0 {
		return 0, b
	}
	b = member(append(b, ','), name)
	return len(b), append(b, object...)
}

// text appends a member that is no list and the comma behind it; one that is
// empty is left out.
func text(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	return append(quoted(member(b, name), s), ',')
}

func nanos(b []byte, name string, t uint64) []byte {
	if t == 0 {
		return b
	}
	b = strconv.AppendUint(append(member(b, name), '"'), t, 10)
	return append(b, '"', ',')
}

func number(b []byte, name string, n uint64) []byte {
	if n == 0 {
		return b
	}
	return append(strconv.AppendUint(member(b, name), n, 10), ',')
}

func member(b []byte, name string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// quoted is Quote for a string that is mostly short and plain.
func quoted(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return quote.Append(b, []byte(s))
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// Object renders attributes in natural order of their keys.
func Object(b []byte, attrs []Attr) []byte { return object(b, attrs, nil) }

// object is Object that adds where the values stand to at, unless that is nil.
func object(b []byte, attrs []Attr, at *[]ingest.Span) []byte {
	slices.SortStableFunc(attrs, func(a, b Attr) int { return natural(a.Key, b.Key) })
	b = append(b, '{')
	for i := range attrs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quoted(b, attrs[i].Key), ':')
		from := len(b)
		b = append(b, attrs[i].Value...)
		if at != nil {
			*at = append(*at, between(from, len(b)))
		}
	}
	return append(b, '}')
}

// natural orders strings with the numbers in them by value.
func natural(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if !digit(a[i]) || !digit(b[i]) {
			break
		}
		for i > 0 && digit(a[i-1]) {
			i--
		}
		if n, m := digits(a[i:]), digits(b[i:]); n != m {
			return n - m // more digits, no leading zeros: larger
		}
		break
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}
