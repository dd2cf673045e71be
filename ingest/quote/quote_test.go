package quote_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/quote"
)

var samples = []string{
	"", "a", "seven b", "eight by", "a line\nand \"more\"\\ of\tit", "\b\f\r", "\x00\x1f\x7f", "é\u2028<>&", "\xff", "ok then \xc3\x28",
	`"`, `""`, `"a"`, `"a\"b\\c\/d\b\f\n\r\t"`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\x"`, `"a\"`, `"a"b"`, "\"a\nb\"", "\"\xff\"", `"\u12"`, `x`,
}

// TestLikeLibrary: strings are written and read as the JSON library has them.
func TestLikeLibrary(t *testing.T) {
	for _, s := range samples {
		like(t, []byte(s))
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) { like(t, s) })
}

func like(t *testing.T, s []byte) {
	t.Helper()
	want, _ := jsontext.AppendQuote([]byte("x"), s)
	got := quote.Append([]byte("x"), s)
	require.Equal(t, string(want), string(got), "%q", s)
	if bytes.ContainsRune(got, '\ufffd') {
		assert.True(t, jsontext.Value(got[1:]).IsValid())
	}
	for _, v := range [][]byte{s, got[1:]} {
		text, err := jsontext.AppendUnquote([]byte("x"), v)
		said, ok := quote.AppendText([]byte("x"), v)
		require.Equal(t, err == nil, ok, "%q: %v", v, err)
		alone, okay := quote.Text(v)
		require.Equal(t, ok, okay, "%q", v)
		if ok {
			assert.Equal(t, string(text), string(said), "%q", v)
			assert.Equal(t, string(text[1:]), alone, "%q", v)
		} else {
			assert.Equal(t, "x", string(said), "%q", v)
		}
	}
}

// TestPlain: every byte that ends the plain part of a string is found at every
// place, whatever is before and after it.
func TestPlain(t *testing.T) {
	for n := range 40 {
		for _, around := range []byte{' ', '!', '#', '[', ']', 0x7f, 0x80, 0xa2, 0xdc, 0xff} {
			text := bytes.Repeat([]byte{around}, n)
			require.Equal(t, n, quote.Plain(text))
			for i := range text {
				for _, end := range []byte{'"', '\\', 0, 1, 0x1f} {
					text[i] = end
					require.Equal(t, i, quote.Plain(text), "%q", text)
					text[i] = around
				}
			}
		}
	}
}

// TestWords: a word is what was given, also when another takes its place.
func TestWords(t *testing.T) {
	var w quote.Words
	for range 2 {
		for i := range 5000 {
			name := strconv.Itoa(i * i)
			require.Equal(t, name, w.Of([]byte(name)))
		}
	}
	for v, want := range map[string]string{`"user"`: "user", `""`: "", `"a\nb"`: "a\nb", `"`: "", `x`: "", "\"\xff\"": ""} {
		s, ok := w.Text([]byte(v))
		assert.Equal(t, want, s, v)
		assert.Equal(t, want != "" || v == `""`, ok, v)
	}
	long := strings.Repeat("x", 500)
	assert.Equal(t, long, w.Of([]byte(long)))
}
