package otlp_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/otlp"
)

// received takes a body as a receiver does.
func received(t *testing.T, b *decodetest.Bench, body []byte, json bool) (*ingest.Receipt, otlp.Taken) {
	t.Helper()
	require.NoError(t, otlp.CheckRequest(body, json))
	var taken otlp.Taken
	live := decode.Format{Name: "otlp-live", Derives: true, Decode: func(_ *decode.Input, w *decode.Writer) (err error) {
		requests := otlp.NewRequests(w)
		defer requests.Close()
		taken, err = requests.Take(body, json)
		return err
	}}
	return b.File(t, live, "live", body), taken
}

func embedded(n protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
}

// TestRequestShape: a body that would be taken in part, or lose what stands
// where spans belong, is refused as a whole.
func TestRequestShape(t *testing.T) {
	for body, ok := range map[string]bool{
		``: false, `{}`: true, `null`: true, `{"resourceSpans":[]}`: true, `{"resourceSpans":null}`: true,
		`{"resourceSpans":[{"scopeSpans":[{"spans":null}],"resource":null}]}`: true,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`:                 true, // the span's own fault
		`[]`: false, `"x"`: false, `{"resourceSpans":5}`: false, `{"resourceSpans":[7]}`: false,
		`{"resourceSpans":[{"scopeSpans":{"spans":[]}}]}`: false, `{"resourceSpans":[{"scopeSpans":[[]]}]}`: false,
		`{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}`: false, `{"resourceSpans":[`: false,
		`{"resourceSpans":[]} {"resourceSpans":[]}`: false, `{}]`: false,
	} {
		err := otlp.CheckRequest([]byte(body), true)
		assert.Equal(t, ok, err == nil, "%s: %v", body, err)
		if err != nil {
			assert.ErrorIs(t, err, otlp.ErrRequest)
		}
	}
	for body, ok := range map[string]bool{"": true, "\x0a\x00": true, "\x0a\x02\x12\x00": true, "\xff\xff\xff": false, "\x0a\x05\x12": false, "\x0b": false} {
		assert.Equal(t, ok, otlp.CheckRequest([]byte(body), false) == nil, "%q", body)
	}
}

// TestRequestFaults: what is wrong with one span loses that span alone, and its
// secrets are not kept: what is quarantined shows the names that they stand under.
func TestRequestFaults(t *testing.T) {
	td := request()
	s := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty()
	s.SetTraceID(pcommon.TraceID{15: 9})
	s.Attributes().PutStr("password", "opaque"+"-word")
	for name, body := range map[string][]byte{"proto": asProto(t, td), "json": asJSON(t, td)} {
		b := decodetest.New()
		r, taken := received(t, b, body, name == "json")
		assert.Equal(t, []int{1, 3}, []int{r.Quarantined, r.Stored}, "%s: %+v", name, r)
		assert.Equal(t, []any{4, 1, "span has no id"}, []any{taken.Spans, taken.Rejected, taken.Cause}, name)
		assert.Equal(t, r.Runs, taken.Ended, name)
		lost, err := b.Store.Quarantine(r.Digest)
		require.NoError(t, err)
		require.Len(t, lost, 1)
		assert.EqualValues(t, 3, lost[0].Offset)
		assert.NotContains(t, string(lost[0].Data), "opaque", name)
	}
}

// TestRequestMemory: a small body that says it holds a quarter of a million spans, or nests
// without end, takes no memory to speak of.
func TestRequestMemory(t *testing.T) {
	const n = 1 << 18
	span := append(embedded(1, bytes.Repeat([]byte{1}, 16)), embedded(2, bytes.Repeat([]byte{1}, 8))...)
	deep := `{"traceId":"0000000000000000000000000000000a","spanId":"00000000000000a1","attributes":[{"key":"k","value":` +
		strings.Repeat(`{"arrayValue":{"values":[`, 100_000) + strings.Repeat(`]}}`, 100_000) + `}]}`
	for name, tc := range map[string]struct {
		body []byte
		json bool
	}{
		"proto":      {embedded(1, embedded(2, bytes.Repeat([]byte{2<<3 | 2, 0}, n))), false},
		"json":       {[]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}]}]}`), true},
		"attributes": {embedded(1, embedded(2, embedded(2, append(bytes.Clone(span), bytes.Repeat([]byte{9<<3 | 2, 0}, 4*n)...)))), false},
		"resource":   {embedded(1, append(embedded(1, bytes.Repeat([]byte{1<<3 | 2, 0}, 4*n)), embedded(2, embedded(2, nil))...)), false},
		"values": {embedded(1, embedded(2, embedded(2, append(bytes.Clone(span),
			embedded(9, embedded(2, embedded(5, bytes.Repeat([]byte{1<<3 | 2, 0}, 4*n))))...)))), false},
		"json values": {[]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[` + strings.TrimSuffix(strings.Repeat("{},", 4*n), ",") + `]}]}]}]}`), true},
		"deep":        {[]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + deep + `]}]}]}`), true},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, taken := received(t, decodetest.New(), tc.body, tc.json)
		runtime.ReadMemStats(&after)
		assert.Equal(t, taken.Spans, taken.Rejected, name)
		assert.Equal(t, taken.Spans, r.Quarantined, name)
		assert.Less(t, after.Sys-before.Sys, uint64(64<<20), name)
	}
}
