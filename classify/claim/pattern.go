package claim

import (
	"slices"
	"strings"
)

// A pattern is a row of a table: space-separated elements that must follow
// each other in a sentence.
//
//	word        the word itself
//	a|b         one of these
//	<class>     a word of that class
//	#           a whole number, or two as in 3/5
//	*ed|done    a word with that ending, or one of these (not first)
//	?x, ?a|b    one of these or nothing
//	~           up to gapLength words, not over a pause
//	^           the start of the sentence (first element only)
//	$           the end of the sentence (last element only)
//
// Characters of Chinese and Japanese are words of their own.
type pattern struct {
	elems    []element
	anchored bool
}

type element struct {
	any      map[string]bool
	number   bool
	gap      bool
	optional bool
	end      bool
	suffix   string
}

const gapLength = 5

// compile reads one row.
func compile(row string) pattern {
	var p pattern
	for f := range strings.FieldsSeq(row) {
		e := element{}
		if f == "^" {
			p.anchored = true
			continue
		}
		if len(f) > 1 && f[0] == '?' {
			e.optional, f = true, f[1:]
		}
		switch {
		case f == "~":
			e.gap = true
		case f == "#":
			e.number = true
		case f == "$":
			e.end = true
		case f[0] == '*':
			ending, rest, _ := strings.Cut(f[1:], "|")
			e.suffix, e.any = ending, words(strings.ReplaceAll(rest, "|", " "))
		case strings.Contains(f, "<"):
			e.any = union(f)
		default:
			if parts := ideographs(f); parts != nil {
				for _, c := range parts {
					p.elems = append(p.elems, element{any: map[string]bool{c: true}, optional: e.optional})
				}
				continue
			}
			e.any = words(strings.ReplaceAll(f, "|", " "))
		}
		p.elems = append(p.elems, e)
	}
	return p
}

// union joins the words and classes of "a|<b>|c".
func union(f string) map[string]bool {
	if c := classes[f]; c != nil {
		return c
	}
	any := map[string]bool{}
	for part := range strings.SplitSeq(f, "|") {
		if classes[part] == nil {
			any[part] = true
		}
		for w := range classes[part] {
			any[w] = true
		}
	}
	return any
}

// ideographs cuts a word of Chinese characters, or returns nil.
func ideographs(f string) []string {
	var parts []string
	for _, r := range f {
		if !isIdeograph(r) {
			return nil
		}
		parts = append(parts, string(r))
	}
	return parts
}

// match tries p at tokens[i]; it returns the index after the match, or -1.
func (p pattern) match(tokens []token, i int) int {
	if p.anchored && i != 0 && !onlyMarks(tokens[:min(i, 3)], i) {
		return -1
	}
	return matchFrom(p.elems, tokens, i)
}

// onlyMarks: an anchor allows check marks before it.
func onlyMarks(before []token, i int) bool {
	if i > len(before) {
		return false
	}
	for _, t := range before {
		if t.word != okMark && t.word != badMark && t.word != pause {
			return false
		}
	}
	return true
}

func matchFrom(elems []element, tokens []token, i int) int {
	for n, e := range elems {
		switch {
		case e.end:
			for i < len(tokens) && tokens[i].word == pause {
				i++
			}
			if i < len(tokens) {
				return -1
			}
		case e.gap:
			for skip := 0; skip <= gapLength && i+skip <= len(tokens); skip++ {
				if end := matchFrom(elems[n+1:], tokens, i+skip); end >= 0 {
					return end
				}
				if i+skip < len(tokens) && tokens[i+skip].word == pause {
					break
				}
			}
			return -1
		case i < len(tokens) && e.matches(tokens[i]):
			i++
		case e.optional:
		default:
			return -1
		}
	}
	return i
}

func (e element) matches(t token) bool {
	if e.number {
		return isCount(t.word)
	}
	if e.suffix != "" && len(t.word) > len(e.suffix)+2 && strings.HasSuffix(t.word, e.suffix) {
		return true
	}
	return e.any[t.word]
}

func isCount(w string) bool {
	if w == "" || w[0] < '0' || w[0] > '9' {
		return false
	}
	_, whole := number(w)
	_, _, parts := fraction(w)
	return whole || parts
}

// number reads a whole number; commas do not occur inside words.
func number(w string) (int, bool) {
	if w == "" || len(w) > 9 {
		return 0, false
	}
	n := 0
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return 0, false
		}
		n = n*10 + int(w[i]-'0')
	}
	return n, true
}

// table indexes rows by the words that may begin them.
type table[T any] struct {
	rows    []row[T]
	byWord  map[string][]int
	numbers []int
}

type row[T any] struct {
	pattern
	value T
}

// rows is a table as it is written: what each pattern means.
type rows[T any] []struct {
	value    T
	patterns []string
}

func newTable[T any](list rows[T]) table[T] {
	t := table[T]{byWord: map[string][]int{}}
	for _, r := range list {
		for _, text := range spread(r.patterns) {
			p := compile(text)
			n := len(t.rows)
			t.rows = append(t.rows, row[T]{p, r.value})
			for _, e := range p.elems { // an optional start may be skipped
				if e.number {
					t.numbers = append(t.numbers, n)
				}
				for w := range e.any {
					if list := t.byWord[w]; len(list) == 0 || list[len(list)-1] != n {
						t.byWord[w] = append(list, n)
					}
				}
				if !e.optional {
					break
				}
			}
		}
	}
	return t
}

// spread writes out the alternatives of several Chinese characters, whose
// words are single characters: "已 完成|修复" is two patterns.
func spread(patterns []string) []string {
	var out []string
	for _, text := range patterns {
		variants := []string{""}
		for f := range strings.FieldsSeq(text) {
			parts := []string{f}
			if alternatives := strings.Split(f, "|"); slices.ContainsFunc(alternatives, func(a string) bool { return len(ideographs(a)) > 1 }) {
				parts = alternatives
			}
			var next []string
			for _, v := range variants {
				for _, part := range parts {
					next = append(next, v+" "+part)
				}
			}
			variants = next
		}
		out = append(out, variants...)
	}
	return out
}

// each calls found for every row that matches at token i, in table order.
func (t *table[T]) each(tokens []token, i int, found func(value T, end int)) {
	list := t.byWord[tokens[i].word]
	if isCount(tokens[i].word) {
		list = t.numbers
	}
	for _, n := range list {
		if end := t.rows[n].match(tokens, i); end >= 0 {
			found(t.rows[n].value, end)
		}
	}
}
