package otlp

import (
	"encoding/hex"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/faultline-dev/faultline/ingest/quote"
	"github.com/faultline-dev/faultline/ingest/span"
)

// renderer turns spans of the collector's model into those of package span. The
// values of a span lie in one buffer that is used again.
type renderer struct {
	span span.Span
	mem  []byte
	attr []span.Attr
	text []byte // a string as bytes

	// Of spans in protobuf; see wire.
	words   quote.Words
	lastID  [16]byte
	last    string // in hex
	counted uint8
}

// of returns the span; it is valid until the next call.
func (r *renderer) of(s ptrace.Span, resource, scope []byte) *span.Span {
	r.mem, r.attr = r.mem[:0], r.attr[:0]
	trace, id, parent := s.TraceID(), s.SpanID(), s.ParentSpanID()
	out := &r.span
	*out = span.Span{
		Trace: hex.EncodeToString(trace[:]), ID: hex.EncodeToString(id[:]), Name: s.Name(), Kind: kindOf(int32(s.Kind())),
		Start: uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()), Message: s.Status().Message(),
		State: s.TraceState().AsRaw(), Flags: s.Flags(), Resource: resource, Scope: scope,
		Dropped: uint64(s.DroppedAttributesCount()) + uint64(s.DroppedEventsCount()) + uint64(s.DroppedLinksCount()),
		Events:  out.Events[:0], Links: out.Links[:0],
	}
	if !parent.IsEmpty() {
		out.Parent = hex.EncodeToString(parent[:])
	}
	out.Status = statusName(int32(s.Status().Code()))
	out.Attrs = r.attributes(s.Attributes())
	for _, e := range s.Events().All() {
		out.Events = append(out.Events, span.Event{Name: e.Name(), Time: uint64(e.Timestamp()), Attrs: r.attributes(e.Attributes())})
	}
	for _, l := range s.Links().All() {
		trace, id := l.TraceID(), l.SpanID()
		out.Links = append(out.Links, span.Link{Trace: hex.EncodeToString(trace[:]), ID: hex.EncodeToString(id[:]), Attrs: r.attributes(l.Attributes())})
	}
	return out
}

// kinds and statuses are OTLP's, by number.
var (
	kinds    = [...]string{"", "internal", "server", "client", "producer", "consumer"}
	statuses = [...]string{"", "ok", "error"}
)

func kindOf(k int32) string {
	if k < 0 || int(k) >= len(kinds) {
		return ""
	}
	return kinds[k]
}

func statusName(code int32) string {
	if code < 0 || int(code) >= len(statuses) {
		return ""
	}
	return statuses[code]
}

// attributes renders a list of attributes. Where the buffers grow, what was
// rendered before keeps the old ones.
func (r *renderer) attributes(m pcommon.Map) []span.Attr {
	from := len(r.attr)
	for key, v := range m.All() {
		at := len(r.mem)
		r.mem = r.appendValue(r.mem, key, v)
		r.attr = append(r.attr, span.Attr{Key: key, Value: r.mem[at:len(r.mem):len(r.mem)]})
	}
	return r.attr[from:len(r.attr):len(r.attr)]
}

func (r *renderer) appendValue(b []byte, key string, v pcommon.Value) []byte {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return span.Text(b, key, r.bytes(v.Str()))
	case pcommon.ValueTypeBool:
		return strconv.AppendBool(b, v.Bool())
	case pcommon.ValueTypeInt:
		return strconv.AppendInt(b, v.Int(), 10)
	case pcommon.ValueTypeDouble:
		return span.Float(b, v.Double())
	case pcommon.ValueTypeBytes:
		return span.Bytes(b, key, v.Bytes().AsRaw())
	case pcommon.ValueTypeSlice:
		b = append(b, '[')
		for i, e := range v.Slice().All() {
			if i > 0 {
				b = append(b, ',')
			}
			b = r.appendValue(b, textKey, e)
		}
		return append(b, ']')
	case pcommon.ValueTypeMap:
		return r.appendMap(b, v.Map())
	}
	return append(b, "null"...)
}

// textKey makes span.Text leave a string inside a value as it is.
const textKey = ".text"

// bytes is a string as bytes, until the next call.
func (r *renderer) bytes(s string) []byte {
	r.text = append(r.text[:0], s...)
	return r.text
}

func (r *renderer) appendMap(b []byte, m pcommon.Map) []byte {
	b = append(b, '{')
	first := true
	for key, v := range m.All() {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = r.appendValue(append(span.Quote(b, r.bytes(key)), ':'), textKey, v)
	}
	return append(b, '}')
}

// resourceOf and scopeOf render what spans have in common.
func (r *renderer) resourceOf(res pcommon.Resource, schema string) []byte {
	r.mem, r.attr = r.mem[:0], r.attr[:0]
	attrs := r.attributes(res.Attributes())
	if schema != "" {
		attrs = append(attrs, span.Attr{Key: "schemaUrl", Value: span.Quote(nil, []byte(schema))})
	}
	return span.Object(nil, attrs)
}

func (r *renderer) scopeOf(s pcommon.InstrumentationScope) []byte {
	r.mem, r.attr = r.mem[:0], r.attr[:0]
	attrs := r.attributes(s.Attributes())
	for name, v := range map[string]string{"name": s.Name(), "version": s.Version()} {
		if v != "" {
			attrs = append(attrs, span.Attr{Key: name, Value: span.Quote(nil, []byte(v))})
		}
	}
	return span.Object(nil, attrs)
}
