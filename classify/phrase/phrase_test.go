package phrase_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// exprs are expressions of every shape that the classifier uses.
var exprs = []string{
	`(?i)\b(run|execute|must|needs? to|required?|before (you|each|commit)\w*|end)\b|\b(führe|müssen|à la fin)|最后|実行`,
	`(?im)(?:^|[.;] )[\s#>*_|-]*(?:overall|final|gesamt)?\s*(?:verdict|decisión|result|结论)\s*[*_]*\s*[:：=|]\s*[*_]*\s*([\p{L}]+)`,
	`(?i)(\b(429|502|503|504)\b|too many requests|gateway time-?out|connection (was )?(reset|closed)|ECONNRESET)`,
	`(?m)(^|\s)curl: \((18|28|52)\)|curl: \(22\)[^\n]*\b(429|502)\b|^.*ERROR (429|502):`,
	`(?i)(mask|ask_|kill)`, `[Jj]ustfile`, `^\s*(?:[-*+•]|\d+[.)])\s+(.+)$`, `(ab|cd|)x?`, `(ab)+c{2,3}`, `(?:ab|c)*`, `[a-c]d`, `(a|bc)(d|ef)`, ``,
	`(?i)ſt`, `(?s)a.b`, `\x{fffd}a`, `(?i)straße|ΣΑΣ`, `[^a]bc`, `(?:aa|bb){2}`, `x*yz`, `(?i)[k]elvin`, `\bif\b`, `a$`,
}

var texts = []string{
	"", "a", "ab", "if", "x if", "IF", "Run it.", "EXECUTE", "müssen", "MÜSSEN", "最后", "Overall\nverdict : pass", "DECISIÓN: ok", "结论：合格", "error 503", "502", "time-out gateway timeout",
	"curl: (28) x", "x\n ERROR 502:", "MAS\u212a", "\u212aill", "ma\u017fk", "a\u017fk_", "ask", "Justfile", "1. x", "cdx", "ababcc", "ababccc", "bd", "bcef", "ad",
	"\u017ft", "ST", "a\nb", "\xffa", "\ufffda", "STRASSE", "STRAßE", "STRA\u1e9eE", "σας", "σασ", "\xffbc", "aabb", "aab", "yz", "\u212aELVIN", "kelvin",
}

// TestMatchesLikeRegexp: an expression says what it says without being spared.
func TestMatchesLikeRegexp(t *testing.T) {
	for _, expr := range exprs {
		for _, text := range texts {
			like(t, expr, text)
			like(t, expr, "word "+text+" word")
		}
	}
}

func FuzzMatch(f *testing.F) {
	for i := range exprs {
		for _, text := range texts {
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, text string) { like(t, exprs[int(i)%len(exprs)], text) })
}

// FuzzExpression tries expressions of all shapes; long ones take regexp too long.
func FuzzExpression(f *testing.F) {
	for _, expr := range exprs {
		f.Add(expr, texts[len(expr)%len(texts)])
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if _, err := regexp.Compile(expr); err == nil && len(expr) < 50 && len(text) < 100 {
			like(t, expr, text)
		}
	})
}

func like(t *testing.T, expr, text string) {
	t.Helper()
	want, got := regexp.MustCompile(expr), phrase.MustCompile(expr)
	require.Equal(t, want.MatchString(text), got.MatchString(text), "%q in %q", expr, text)
	assert.Equal(t, want.FindStringIndex(text), got.FindStringIndex(text))
	assert.Equal(t, want.FindStringSubmatch(text), got.FindStringSubmatch(text))
	assert.Equal(t, want.FindAllStringIndex(text, -1), got.FindAllStringIndex(text, -1))
	assert.Equal(t, want.FindAllStringSubmatch(text, 2), got.FindAllStringSubmatch(text, 2))
	assert.Equal(t, want.FindString(text), got.FindString(text))
	assert.Equal(t, want.FindStringSubmatchIndex(text), got.FindStringSubmatchIndex(text))
	assert.Equal(t, want.FindAllString(text, -1), got.FindAllString(text, -1))
	assert.Equal(t, want.Split(text, -1), got.Split(text, -1))
	assert.Equal(t, want.FindAllStringSubmatchIndex(text, -1), got.FindAllStringSubmatchIndex(text, -1))
	assert.Equal(t, want.Split(text, 0), got.Split(text, 0))
	assert.Equal(t, want.ReplaceAllString(text, "<$0>"), got.ReplaceAllString(text, "<$0>"))
}

// TestEnds: every place is found, also of words that begin at one place.
func TestEnds(t *testing.T) {
	assert.Equal(t, []int{2, 5, 7, 7, 10, 11}, slices.Collect(phrase.NewWords("ab", "abab", "abc").Ends("ab-abab abc")))
}

// TestWords: words are found at every place of a text, in either case, and
// nothing else is.
func TestWords(t *testing.T) {
	w := phrase.NewWords("No such", "is", "déclin", "结论")
	for _, text := range []string{"is", "IS", "xis", "a is b", "no SUCH", "es ist so", "no such", "un déclin", "结论", "UN DÉCLIN", "->结论<-", "no sucis"} {
		assert.True(t, w.In(text), text)
	}
	for _, text := range []string{"", "i", "s", "i s", "no suc", "nosuch", "n", "declin", "结"} {
		assert.False(t, w.In(text), text)
	}
}
