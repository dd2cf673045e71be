package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
)

// probe makes a format of a way to cut files into units. Each unit is one
// event.
func probe(cut func(*decode.Input, *decode.Writer, decode.LineDecoder) error) decode.Format {
	unit := func(c *decode.Cursor, u *decode.Unit) error {
		if c.Kind() == '{' {
			e := u.Event(ingest.Message, ingest.Agent)
			return c.Object(func(name []byte) (err error) {
				switch string(name) {
				case "skip":
					return decode.Skipped("asked for")
				case "text":
					e.Text, err = c.Span()
					return err
				case "id":
					u.Native, err = c.ID()
					return err
				}
				return c.Skip()
			})
		}
		return c.Skip()
	}
	return decode.Format{Name: "probe", Version: 1, Detect: func([]byte) bool { return true },
		Decode: func(in *decode.Input, w *decode.Writer) error { return cut(in, w, unit) }}
}

func list(in *decode.Input, w *decode.Writer, unit decode.LineDecoder) error {
	d := decode.Document{Lists: []string{"list", ""}, Unit: unit, Aside: map[string]string{"side": "aside"}, Heads: []string{}}
	if _, err := d.Outline(in, w); err != nil {
		return err
	}
	return d.Decode(in, w)
}

var ways = map[string]decode.Format{
	"lines":    probe(func(in *decode.Input, w *decode.Writer, unit decode.LineDecoder) error { return w.Lines(in, unit) }),
	"values":   probe(func(in *decode.Input, w *decode.Writer, unit decode.LineDecoder) error { return w.Values(in, unit) }),
	"document": probe(list),
	"documents": probe(func(in *decode.Input, w *decode.Writer, unit decode.LineDecoder) error {
		return w.Documents(in, func(part *decode.Input) error { return list(part, w, unit) })
	}),
}

// TestFraming: units, how each ended, and the place of what went wrong.
func TestFraming(t *testing.T) {
	huge := `{"text":"` + strings.Repeat("x", decode.MaxUnit) + `"}`
	for _, tc := range []struct {
		way, name, data string
		want            [4]int // stored, duplicates, skipped, quarantined
		reason          string
		line            int
	}{
		{"lines", "nothing", "", [4]int{}, "", 0},
		{"lines", "blank", "\n \r\n\t\n", [4]int{}, "", 0},
		{"lines", "mark", "\ufeff{}\n{}", [4]int{2}, "", 0},
		{"lines", "mark alone", "\ufeff", [4]int{}, "", 0},
		{"lines", "the same id twice", `{"id":"a"}` + "\n" + `{"id":"a"}`, [4]int{1, 1}, "", 0},
		{"lines", "the same without id", "{}\n{}", [4]int{2}, "", 0},
		{"lines", "skipped", "{}\n{\"skip\":1}\n{}", [4]int{2, 0, 1}, "asked for", 2},
		{"lines", "text", "{}\nplain\n{}", [4]int{2, 0, 0, 1}, "invalid-json", 2},
		{"lines", "text before objects", `panic: {"a":1}{"b":2} done {"c":3}`, [4]int{3, 0, 0, 2}, "invalid-json", 1},
		{"lines", "cut off", "{}\n{\"a\":", [4]int{1, 0, 0, 1}, "truncated", 2},
		{"lines", "oversized", "{}\n" + huge + "\n{}\n", [4]int{2, 0, 1}, "oversized", 2},
		{"lines", "oversized at the end", "{}\n\n" + huge, [4]int{1, 0, 1}, "oversized", 3},
		{"lines", "all the line may hold", huge[:9] + huge[9:decode.MaxUnit-2] + `"}`, [4]int{1}, "", 0},
		{"values", "pretty", "\ufeff{\n\"a\": 1\n}\n\n{\n}\n", [4]int{2}, "", 0},
		{"values", "broken", "{\n}\n{\"a\" 1}\n{}", [4]int{2, 0, 0, 1}, "invalid-json", 2},
		{"values", "text between", "{\n}\n\x00\x00\n{}\nx", [4]int{2, 0, 0, 2}, "invalid-json", 2},
		{"values", "cut off", "{\n}\n{\"a\":\n{\n}\n", [4]int{2, 0, 0, 1}, "truncated", 2},
		{"values", "oversized", "{}\n" + huge + "\n{}", [4]int{1, 0, 1}, "oversized", 2},
		{"document", "list", "[{},\n{}]", [4]int{2}, "", 0},
		{"document", "member", `{"a":[1],"list":[{},{"skip":0}],"b":2}`, [4]int{1, 0, 1}, "asked for", 1},
		{"document", "aside", "{\"list\":[{}],\"side\":[{},\n{}]}", [4]int{1, 0, 2}, "aside", 1},
		{"document", "cut off", "{\"list\":[{},\n{\"te", [4]int{1, 0, 0, 1}, "truncated", 1},
		{"document", "text behind", "[{}] x", [4]int{1, 0, 0, 1}, "invalid-json", 1},
		{"document", "no list", "7", [4]int{0, 0, 0, 1}, "invalid-json", 1},
		{"document", "oversized", "[{},\n " + huge + ",{}]", [4]int{1, 0, 1}, "oversized", 2},
		{"documents", "lines", "{\"list\":[{}]}\n{\"list\":[{},{}]}\n", [4]int{3}, "", 0},
		{"documents", "list", "[{\"list\":[{}]},\n {\"list\":[{},{}]}]", [4]int{3}, "", 0},
		{"documents", "broken line", "{\"list\":[{}]}\n{\"list\":[{},x]}\n{\"list\":[{},{}]}", [4]int{3, 0, 0, 1}, "invalid-json", 2},
		{"documents", "broken", "[{\"list\":[{}]},\n {\"list\":[{},x]}]", [4]int{1, 0, 0, 1}, "invalid-json", 2},
	} {
		t.Run(tc.way+" "+tc.name, func(t *testing.T) {
			if testing.Short() && len(tc.data) > 1<<20 {
				t.Skip("reads tens of megabytes")
			}
			b := decodetest.New()
			r := b.Again(t, ways[tc.way], "f", []byte(tc.data))
			assert.Equal(t, tc.want, [4]int{r.Stored, r.Duplicates, r.Skipped, r.Quarantined}, "%+v", r.Reasons)
			if tc.reason != "" {
				require.Len(t, r.Reasons, 1)
				assert.Equal(t, tc.reason, r.Reasons[0].Kind)
				assert.Equal(t, tc.line, r.Reasons[0].First.Line)
			}
			for _, id := range r.Runs {
				b.Load(t, id)
			}
		})
	}
}

// TestCauses: a cause quotes what is broken; it is short and holds no secret.
func TestCauses(t *testing.T) {
	secret := "dana.smith@corp.example"
	f := probe(func(in *decode.Input, w *decode.Writer, _ decode.LineDecoder) error {
		w.Quarantine([]byte(`{"mail":"`+secret+`"}`), 1, 0, "undecodable", assert.AnError)
		w.Quarantine([]byte("{}"), 1, 0, "other", errorOf("unknown kind \""+secret+"\" "+strings.Repeat("é", 5000)))
		return nil
	})
	b := decodetest.New()
	r := b.File(t, f, "f", []byte("{}"))
	cause := r.Reasons[1].First.Cause
	assert.Contains(t, cause, "unknown kind")
	assert.Less(t, len(cause), 400)
	lost, err := b.Store.Quarantine(r.Digest)
	require.NoError(t, err)
	for _, q := range lost {
		assert.NotContains(t, q.Cause+string(q.Data), secret)
	}
}

type errorOf string

func (e errorOf) Error() string { return string(e) }

// TestQuarantineLength: of a long rest the beginning is kept, its length is
// exact.
func TestQuarantineLength(t *testing.T) {
	data := "[{}," + strings.Repeat("y", 1<<20)
	b := decodetest.New()
	r := b.File(t, ways["document"], "f", []byte(data))
	lost, err := b.Store.Quarantine(r.Digest)
	require.NoError(t, err)
	require.Len(t, lost, 1)
	assert.Equal(t, int64(len(data)), lost[0].Offset+lost[0].Length)
	assert.Less(t, len(lost[0].Data), 100<<10)
}

// TestCursor: each method consumes one value of any kind and returns only what
// it is for.
func TestCursor(t *testing.T) {
	var c decode.Cursor
	for _, raw := range []string{`null`, `true`, `-1.5e3`, `"12"`, `"x\n"`, `[1,[2]]`, `{"a":{"b":[]}}`, `1e400`, `"2026-03-01T10:00:00Z"`, "\"\xff\""} {
		for name, consume := range map[string]func() error{
			"skip":   c.Skip,
			"string": func() error { _, err := c.String(); return err },
			"id":     func() error { _, err := c.ID(); return err },
			"int":    func() error { _, _, err := c.Int(); return err },
			"float":  func() error { _, _, err := c.Float(); return err },
			"bool":   func() error { _, _, err := c.Bool(); return err },
			"time":   func() error { _, _, err := c.Time(); return err },
			"bytes":  func() error { _, err := c.Bytes(); return err },
			"span": func() error {
				s, err := c.Span()
				if s.Len > 0 {
					assert.Equal(t, raw, ("[" + raw + ",7]")[s.Off:s.Off+s.Len])
				}
				return err
			},
			"object": func() error { return c.Object(func([]byte) error { return c.Skip() }) },
			"array":  func() error { return c.Array(c.Skip) },
		} {
			c.Reset([]byte("[" + raw + ",7]"))
			n := 0
			require.NoError(t, c.Array(func() error {
				if n++; n == 1 {
					return consume()
				}
				f, ok, err := c.Int()
				assert.Equal(t, []any{int64(7), true}, []any{f, ok}, "%s of %s", name, raw)
				return err
			}), "%s of %s", name, raw)
			assert.Equal(t, 2, n)
			assert.NoError(t, c.Done())
		}
	}
	c.Reset([]byte(`{"a":1} x`))
	require.NoError(t, c.Skip())
	assert.Error(t, c.Done())
}
