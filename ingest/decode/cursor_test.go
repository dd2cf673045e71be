package decode

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// FuzzGrammar holds the cursor to the library's decoder: it takes the same
// texts, and gives the same strings and numbers.
func FuzzGrammar(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":[true,false,null,-0.5e+7,""],"c":{"d":"\u00e9\ud83d\ude00 \ud83d x"}}`, ` [ ] `, `{}`, `{ "a" : { } , "a" : 2 }`,
		`"0123456\"89abcdef"`, `"01234567` + "\x1f" + `"`, "\"\xff\xfe\"", `"\x"`, `"\u12g4"`, `"\`, `"`, `01`, `-`, `1.`, `1e`, `0e1`, `tru`, `nullx`,
		`[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, `{"a":1}}`, `[`, `{`, `{"a":`, `[1`, "", " ", "\u00a0",
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1),
		strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		valid := jsontext.Value(b).IsValid(jsonOptions...)
		var c, walked Cursor
		c.Reset(b)
		walked.Reset(b)
		err := c.Skip()
		if err == nil {
			err = c.Done()
		}
		require.Equal(t, valid, err == nil, "skipped: %v", err)
		var got []string
		if err = walk(&walked, &got); err == nil {
			err = walked.Done()
		}
		require.Equal(t, valid, err == nil, "walked: %v", err)
		if valid {
			require.Equal(t, tokens(t, b), got)
			var sound []string
			walked.ResetSound(b)
			require.NoError(t, walk(&walked, &sound))
			require.NoError(t, walked.Done())
			require.Equal(t, got, sound)
		}
	})
}

// walk visits all values and lists names, strings and numbers.
func walk(c *Cursor, out *[]string) error {
	switch c.Kind() {
	case '{':
		return c.Object(func(name []byte) error {
			*out = append(*out, string(name))
			return walk(c, out)
		})
	case '[':
		return c.Array(func() error { return walk(c, out) })
	case '"', '0':
		s, err := c.ID()
		*out = append(*out, s)
		return err
	}
	return c.Skip()
}

func tokens(t *testing.T, b []byte) (out []string) {
	t.Helper()
	dec := jsontext.NewDecoder(bytes.NewReader(b), jsonOptions...)
	for dec.PeekKind() != 0 {
		kind, length := dec.StackIndex(dec.StackDepth())
		if isName := kind == '{' && length%2 == 0; isName && dec.PeekKind() == '"' {
			v, err := dec.ReadValue() // a name keeps what is no UTF-8
			require.NoError(t, err)
			out = append(out, string(unquoteName(v)))
			continue
		}
		tok, err := dec.ReadToken()
		require.NoError(t, err)
		if k := tok.Kind(); k == '"' || k == '0' {
			out = append(out, tok.String())
		}
	}
	return out
}

// FuzzValid holds Valid to the library.
func FuzzValid(f *testing.F) {
	for _, s := range []string{`{"a":1}`, ` [ "\ud83d\ude00" ] `, `"\ud83d"`, `"\\ud83d"`, `[[[]]]`, `[[[[]]]]`, `{"a":[{"b":[]}]}`, `{"a":{"a":{}},"a":1}`, "\"\xff\"", "[1]x", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		want := jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true))
		require.Equal(t, want, Valid(raw, MaxDepth), "%q", raw)
		if levels := deepest(raw); want {
			require.True(t, Valid(raw, levels))
			require.Equal(t, levels == 0, Valid(raw, levels-1))
		}
	})
}

// deepest is how many levels valid JSON nests.
func deepest(raw []byte) (n int) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return n
		}
		n = max(n, dec.StackDepth())
	}
}
