package render

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"plain text, ünïcode, 漢字, 👩‍💻": "plain text, ünïcode, 漢字, 👩‍💻",
		"\x1b[31mred\x1b[0m":           `\x1b[31mred\x1b[0m`,
		"two\nlines\tand\r\n":          `two\nlines\tand\r\n`,
		"bell\a del\x7f":               `bell\x07 del\x7f`,
		"c1 \u009b31m":                 `c1 \u009b31m`,
		"bidi \u202eabc\u2066":         `bidi \u202eabc\u2066`,
		"tag \U000e0041":               `tag \U000e0041`,
		"line\u2028sep\ufeff":          `line\u2028sep\ufeff`,
		"broken \xff\xc3":              `broken \xff\xc3`,
		"##[set-env name=x;]y":         `#\x23[set-env name=x;]y`,
	} {
		require.Equal(t, want, Clean(in))
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2Jb", "\u202e\u2066", "\xff\xfe", "👩‍💻", "\U000e0041\U000e007f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		require.True(t, utf8.ValidString(got))
		require.False(t, strings.ContainsFunc(got, unicode.IsControl))
		require.NotContains(t, got, ciMark)
		require.Equal(t, got, Clean(got))

		line, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
		require.NoError(t, err)
		clean := cleanJSON(string(line))
		require.False(t, strings.ContainsFunc(clean, steers))
		var was, is string
		require.NoError(t, json.Unmarshal(line, &was))
		require.NoError(t, json.Unmarshal([]byte(clean), &is))
		require.Equal(t, was, is)

		require.LessOrEqual(t, columns(clip(got, 20)), 20)
	})
}

// TestNoCommand: no line of a report is a command of a CI service.
func TestNoCommand(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"a ::error::b":          "a ::error::b",
		"::error::b":            `\x3a:error::b`,
		" \u00a0 ::add-mask::b": " \u00a0 " + `\x3a:add-mask::b`,
	} {
		require.Equal(t, want, noCommand(in))
	}
	var out strings.Builder
	text := NewText(&out, Style{Width: 20})
	text.block("  ", "wrapped before the ::set-output name=a::b ##[group]")
	require.NoError(t, text.Flush())
	for line := range strings.Lines(out.String()) {
		require.NotRegexp(t, `^\s*::`, line)
	}
}

func TestWrap(t *testing.T) {
	require.Equal(t, []string{"one two", "three"}, wrap("one two  three", 9))
	require.Equal(t, []string{"a", "very/long/path/that/stays/whole", "b"}, wrap("a very/long/path/that/stays/whole b", 10))
	require.Equal(t, []string{""}, wrap("", 10))
	require.Equal(t, []string{"漢字", "漢字"}, wrap("漢字 漢字", 8))
}

func TestClip(t *testing.T) {
	require.Equal(t, "short", clip("short", 5))
	require.Equal(t, "shor…", clip("shorter", 5))
	require.Equal(t, "漢…", clip("漢字漢字", 4))
}

func TestQuote(t *testing.T) {
	require.Equal(t, "a/b.jsonl:3", Quote("a/b.jsonl:3"))
	require.Equal(t, `'a b'`, Quote("a b"))
	require.Equal(t, `'it'\''s'`, Quote("it's"))
	require.Equal(t, `''`, Quote(""))
}

func TestPercent(t *testing.T) {
	require.Equal(t, 0, percent(0, 0))
	require.Equal(t, 33, percent(1, 3))
	require.Equal(t, 67, percent(2, 3))
	require.Equal(t, 100, percent(3, 3))
}
