package phrase

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words is a set of words to look for, whatever their case; a letter of ASCII is
// told from the two characters outside it that are its other case.
type Words struct {
	starts [512]uint64     // the classes of three bytes with which a word can start
	first  [classes][]word // the words, by the class of their first byte
}

// classes are what a byte is told apart by: its letter, or what kind of other
// byte it is.
const classes = 32

const (
	mark  = 27 // and 0 for a control character
	digit = 28
	blank = 29
	score = 30
	wide  = 31 // a byte of a character outside ASCII
)

var class = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z':
			c[b] = uint8(b-'a') + 1
		case b >= 'A' && b <= 'Z':
			c[b] = uint8(b-'A') + 1
		case b >= '0' && b <= '9':
			c[b] = digit
		case b == ' ':
			c[b] = blank
		case b == '_' || b == '-':
			c[b] = score
		case b > ' ' && b < 0x7f:
			c[b] = mark
		case b >= utf8.RuneSelf:
			c[b] = wide
		}
	}
	return c
}()

// NewWords makes a set. A word has two bytes or more.
func NewWords(words ...string) *Words {
	w := &Words{}
	for _, word := range words {
		for _, spelling := range spellings(word) {
			w.add(spelling)
		}
	}
	return w
}

// spellings are a word with its letters of ASCII in lower case and the others in
// every case.
func spellings(word string) []string {
	out := []string{""}
	for _, r := range lower(word) {
		cases := []string{string(r)}
		for f := unicode.SimpleFold(r); r >= utf8.RuneSelf && f != r; f = unicode.SimpleFold(f) {
			if f >= utf8.RuneSelf {
				cases = append(cases, string(f))
			}
		}
		out = product(out, cases)
	}
	return out
}

// word is a word in lower case, and whether it begins and ends at its edges: no
// letter, digit or underscore stands before or behind it.
type word struct {
	text         string
	begins, ends bool
}

// newWord reads the edges at either end of a word. At a character that is no
// part of a word in ASCII an edge says something else, which is not used.
func newWord(s string) word {
	w := word{text: strings.ReplaceAll(s, edge, "")}
	w.begins = strings.HasPrefix(s, edge) && isWord(w.text[0])
	w.ends = strings.HasSuffix(s, edge) && isWord(w.text[len(w.text)-1])
	return w
}

// isWord reports that regular expressions take a byte for part of a word.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (w *Words) add(spelling string) {
	word := newWord(spelling)
	c := class[word.text[0]]
	w.first[c] = append(w.first[c], word)
	at := uint(c)<<10 | uint(class[word.text[1]])<<5
	if len(word.text) > 2 {
		w.start(at | uint(class[word.text[2]]))
		return
	}
	for last := range uint(classes) {
		w.start(at | last)
	}
}

func (w *Words) start(at uint) { w.starts[at>>6] |= 1 << (at & 63) }

// In reports that a text holds one of the words.
func (w *Words) In(text string) bool {
	for range w.Ends(text) {
		return true
	}
	return false
}

// Ends yields where in a text words end, in the order in which they begin.
func (w *Words) Ends(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		at := uint(0)
		for i := range len(text) {
			at = (at<<5 | uint(class[text[i]])) & (1<<15 - 1)
			if w.starts[at>>6]&(1<<(at&63)) != 0 && i >= 2 && !w.startAt(text, i-2, yield) {
				return
			}
		}
		if len(text) >= 2 {
			w.startAt(text, len(text)-2, yield)
		}
	}
}

func (w *Words) startAt(text string, i int, yield func(int) bool) bool {
	for _, word := range w.first[class[text[i]]] {
		end := i + len(word.text)
		if !hasPrefix(text[i:], word.text) || word.begins && i > 0 && isWord(text[i-1]) || word.ends && end < len(text) && isWord(text[end]) {
			continue
		}
		if !yield(end) {
			return false
		}
	}
	return true
}

// hasPrefix compares with a word in lower case.
func hasPrefix(text, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if lowerByte(text[i]) != word[i] {
			return false
		}
	}
	return true
}

func lowerByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// lower is a word with the letters of ASCII in lower case.
func lower(word string) string {
	b := []byte(word)
	for i := range b {
		b[i] = lowerByte(b[i])
	}
	return string(b)
}
