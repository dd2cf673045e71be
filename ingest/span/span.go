package span

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/faultline-dev/faultline/ingest/quote"
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
	// Sound says that the values are known to be JSON in UTF-8 that nests no
	// deeper than two thousand levels, so that nobody has to look.
	Sound bool
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

// Quote renders a string. Bytes that are no UTF-8 become U+FFFD.
func Quote(b, s []byte) []byte { return quote.Append(b, s) }

// Text renders the text of an attribute: JSON that was put into a string stands
// as JSON, so that an event can point to a part of it.
func Text(b []byte, key string, s []byte) []byte {
	if isText(key) || !isNested(s) && !isQuoted(key, s) {
		return Quote(b, s)
	}
	return append(b, s...)
}

// Bytes renders an attribute of bytes: text as text, which is redacted and read as
// such, and what is none as OTLP does, under the name by which redaction knows it.
func Bytes(b []byte, key string, v []byte) []byte {
	if utf8.Valid(v) {
		return Text(b, key, v)
	}
	b = append(b, `{"bytesValue":"`...)
	b = base64.StdEncoding.AppendEncode(b, v)
	return append(b, `"}`...)
}

// Float renders a number; NaN and the infinities, which JSON lacks, as strings.
func Float(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(strconv.AppendFloat(append(b, '"'), f, 'g', -1, 64), '"')
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}
