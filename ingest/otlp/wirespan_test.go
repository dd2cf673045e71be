package otlp

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/gentrace"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/span"
)

// rawSpans are spans in protobuf: those of agents, and one with values of every
// type, events and links.
func rawSpans(t testing.TB) (raw [][]byte) {
	var lines bytes.Buffer
	require.NoError(t, gentrace.Spans(&lines, 5, 64))
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(lines.Bytes())
	require.NoError(t, err)
	everyType(td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty())
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty()
	b, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	require.True(t, each(b, []protowire.Type{1: 2, 2: 2}, func(f *fields) bool {
		return each(f.val, []protowire.Type{1: 2, 2: 2}, func(f *fields) bool {
			return f.n != 2 || each(f.val, []protowire.Type{1: 2, 2: 2}, func(f *fields) bool {
				if f.n == 2 {
					raw = append(raw, f.val)
				}
				return true
			})
		})
	}))
	require.Len(t, raw, 66)
	return raw
}

func everyType(s ptrace.Span) {
	s.SetTraceID(pcommon.TraceID{1})
	s.SetSpanID(pcommon.SpanID{2})
	s.SetParentSpanID(pcommon.SpanID{3})
	s.SetName("tool \"x\"\n\xff")
	s.SetKind(ptrace.SpanKindClient)
	s.SetFlags(7)
	s.SetDroppedAttributesCount(1)
	s.SetDroppedLinksCount(2)
	s.TraceState().FromRaw("a=b")
	s.Status().SetCode(ptrace.StatusCodeError)
	s.Status().SetMessage("timed out")
	values(s.Attributes())
	e := s.Events().AppendEmpty()
	e.SetName("exception")
	e.SetTimestamp(5)
	e.Attributes().PutStr("exception.type", "E")
	s.Events().AppendEmpty().SetName("gen_ai.choice")
	l := s.Links().AppendEmpty()
	l.SetTraceID(pcommon.TraceID{9})
	l.Attributes().PutBool("b", false)
}

func values(m pcommon.Map) {
	m.PutStr("gen_ai.operation.name", "execute_tool")
	m.PutStr("gen_ai.tool.call.arguments", ` {"a":[1,"\ud83d\ude00"]} `)
	m.PutStr("gen_ai.tool.call.result", "{\"a\":\"\\ud83d\"}")
	m.PutStr("llm.input_messages.10.message.content", "ten")
	m.PutStr("llm.input_messages.9.message.role", "user")
	m.PutStr("a\"b", "\x00\x7f\u2028é")
	m.PutStr("mail", "jo@example.com")
	m.PutEmpty("gen_ai.request.model")
	m.PutInt("i", math.MinInt64)
	m.PutDouble("d", 1e300)
	m.PutDouble("nan", math.NaN())
	m.PutEmptyBytes("raw").FromRaw([]byte{0, 255})
	m.PutEmptyBytes("text").FromRaw([]byte("[1]"))
	inner := m.PutEmptySlice("list")
	inner.AppendEmpty().SetStr(`{"not":"opened"}`)
	inner.AppendEmpty().SetEmptyMap().PutStr("k", "v")
	inner.AppendEmpty()
}

// FuzzWire: what is rendered straight from the bytes is what the collector's
// library reads in them, and read by its places it tells the same.
func FuzzWire(f *testing.F) {
	for _, raw := range rawSpans(f) {
		f.Add(raw)
		f.Add(raw[:len(raw)-1])
		f.Add(append(bytes.Clone(raw), raw...))
	}
	twice := protowire.AppendTag(nil, 2, protowire.BytesType) // a value that stands twice
	twice = protowire.AppendBytes(twice, []byte{2 << 3, 1})
	f.Add(append([]byte{9<<3 | 2, byte(2 * len(twice))}, append(twice, twice...)...))
	f.Add([]byte{6 << 3, 9, 15<<3 | 2, 2, 3 << 3, 7, 10 << 3, 1, 10 << 3, 2, 99<<3&0x7f | 0x80, 6, 1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r, library renderer
		resource := []byte(`{"service.name":"desk"}`)
		s, ok := r.wire(raw, resource, nil)
		if !ok {
			return
		}
		file := protoFile{}
		td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(file.wrapped(raw))
		require.NoError(t, err)
		want, single := only(td)
		require.True(t, single)
		require.Equal(t, string(library.of(want, resource, nil).Append(nil)), string(s.Append(nil)))

		placed := taken(t, s)
		s.Sound = false
		if d := cmp.Diff(taken(t, s), placed); d != "" {
			t.Error(d)
		}
	})
}

// kept is a store that shows what was put.
type kept struct {
	*memstore.Store
	units []ingest.Unit
	metas []ingest.Meta
}

func (k *kept) PutBlock(b *ingest.Block) error {
	for _, u := range b.Units {
		u.Data, u.Events = bytes.Clone(u.Data), append([]ingest.Event{}, u.Events...)
		k.units = append(k.units, u)
	}
	return k.Store.PutBlock(b)
}

func (k *kept) PutManifest(m *ingest.Manifest) error {
	k.metas = append(k.metas, m.Meta)
	return k.Store.PutManifest(m)
}

// taken is what a span tells, twice.
func taken(t *testing.T, s *span.Span) any {
	k := &kept{Store: memstore.New()}
	w := decode.NewWriter(k, redact.New(redact.Key{}), decode.Target{Format: "probe"})
	d := span.NewDecoder(w)
	defer func(id string) { s.ID = id }(s.ID)
	faults := []string{}
	for range 2 {
		if fault, err := d.Take(s, 1, 0, 0); fault != nil {
			faults = append(faults, fault.Error())
		} else {
			assert.NoError(t, err)
		}
		s.ID = "00000000000000ff"
	}
	receipt, err := w.Close()
	require.NoError(t, err)
	return []any{k.units, k.metas, receipt, faults}
}

// TestWireIsUsed: what exporters write is not left to the library.
func TestWireIsUsed(t *testing.T) {
	var r renderer
	for _, raw := range rawSpans(t) {
		s, ok := r.wire(raw, nil, nil)
		require.True(t, ok)
		require.True(t, s.Sound)
	}
}
