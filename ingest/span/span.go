package span

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Span is one span as any exporter writes it. Values are JSON: a string that
// holds a JSON object or list stands as that (see Text). Empty fields are as if
// absent.
type Span struct {
	Trace, ID, Parent string // lower-case hex where the source has hex
	Name, Kind        string // Kind in lower case: internal, server, client, producer, consumer
	Start, End        uint64 // nanoseconds since 1970; 0 when not stated
	Status, Message   string // Status is ok, error or empty
	State             string // W3C trace state
	Flags             uint32
	Dropped           uint64 // attributes, events and links that the SDK cut off
	Attrs             []Attr
	Events            []Event
	Links             []Link
	Resource, Scope   []byte // JSON objects, rendered once for many spans
}

// Attr is an attribute with its value as JSON.
type Attr struct {
	Key   string
	Value []byte
}

// Event is a span event.
type Event struct {
	Name  string
	Time  uint64
	Attrs []Attr
}

// Link points to another span.
type Link struct {
	Trace, ID string
	Attrs     []Attr
}

// Append renders the span: one JSON object, the same bytes whatever container
// it came in. Attributes stand in natural order, number 9 before number 10.
func (s *Span) Append(b []byte) []byte {
	b = append(b, '{')
	for _, m := range []struct{ name, value string }{
		{"traceId", s.Trace}, {"spanId", s.ID}, {"parentSpanId", s.Parent}, {"name", s.Name}, {"kind", s.Kind},
		{"start", nanos(s.Start)}, {"end", nanos(s.End)}, {"status", s.Status}, {"message", s.Message}, {"state", s.State},
	} {
		if m.value != "" {
			b = append(Quote(member(b, m.name), m.value), ',')
		}
	}
	if s.Flags != 0 {
		b = append(strconv.AppendUint(member(b, "flags"), uint64(s.Flags), 10), ',')
	}
	if s.Dropped != 0 {
		b = append(strconv.AppendUint(member(b, "dropped"), s.Dropped, 10), ',')
	}
	b = Object(member(b, "attributes"), s.Attrs)
	b = s.appendEvents(b)
	b = s.appendLinks(b)
	if len(s.Resource) > 0 {
		b = append(member(append(b, ','), "resource"), s.Resource...)
	}
	if len(s.Scope) > 0 {
		b = append(member(append(b, ','), "scope"), s.Scope...)
	}
	return append(b, '}')
}

func (s *Span) appendEvents(b []byte) []byte {
	for i, e := range s.Events {
		if b = append(b, ','); i == 0 {
			b = append(member(b, "events"), '[')
		}
		b = append(Quote(member(append(b, '{'), "name"), e.Name), ',')
		if e.Time != 0 {
			b = append(Quote(member(b, "time"), nanos(e.Time)), ',')
		}
		b = append(Object(member(b, "attributes"), e.Attrs), '}')
	}
	if len(s.Events) > 0 {
		b = append(b, ']')
	}
	return b
}

func (s *Span) appendLinks(b []byte) []byte {
	for i, l := range s.Links {
		if b = append(b, ','); i == 0 {
			b = append(member(b, "links"), '[')
		}
		b = append(Quote(member(append(b, '{'), "traceId"), l.Trace), ',')
		b = append(Quote(member(b, "spanId"), l.ID), ',')
		b = append(Object(member(b, "attributes"), l.Attrs), '}')
	}
	if len(s.Links) > 0 {
		b = append(b, ']')
	}
	return b
}

func member(b []byte, name string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

func nanos(t uint64) string {
	if t == 0 {
		return ""
	}
	return strconv.FormatUint(t, 10)
}

// Object renders attributes in natural order of their keys.
func Object(b []byte, attrs []Attr) []byte {
	slices.SortStableFunc(attrs, func(a, b Attr) int { return natural(a.Key, b.Key) })
	b = append(b, '{')
	for i, a := range attrs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(Quote(b, a.Key), ':'), a.Value...)
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

// Quote renders a string. Bytes that are no UTF-8 become U+FFFD.
func Quote(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // the error tells of U+FFFD only
	return b
}

// Text renders the text of an attribute: JSON that was put into a string stands
// as JSON, so that an event can point to a part of it.
func Text(b []byte, key, s string) []byte {
	if isText(key) || !isNested(s) && !isQuoted(key, s) {
		return Quote(b, s)
	}
	return append(b, s...)
}

// Bytes renders an attribute of bytes: text as text, which is redacted and read as
// such, and what is none as OTLP does, under the name by which redaction knows it.
func Bytes(b []byte, key string, v []byte) []byte {
	if utf8.Valid(v) {
		return Text(b, key, string(v))
	}
	b = append(b, `{"bytesValue":"`...)
	b = base64.StdEncoding.AppendEncode(b, v)
	return append(b, `"}`...)
}

// Float renders a number; NaN and the infinities, which JSON lacks, as strings.
func Float(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Quote(b, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}
