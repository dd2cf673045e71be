package phrase

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// found is what is known of the matches of a part of an expression: that they
// are the words of a list and nothing else (exact), or that each holds one of
// some words (any). Neither is known of a part that can match anything.
type found struct {
	exact []string
	any   []string
}

// mostWords bounds a list of words.
const mostWords = 256

// edge stands in a list for the edge of a word (\b).
const edge = "\b"

// needed lists words of which every match of the expression holds one, or nil.
// An edge in front or behind says that the word begins or ends there.
func needed(re *syntax.Regexp) []string {
	if words := read(re).words(); shortest(words) >= 2 {
		slices.Sort(words)
		return slices.Compact(words)
	}
	return nil
}

func read(re *syntax.Regexp) found {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return found{exact: []string{""}}
	case syntax.OpWordBoundary:
		return found{exact: []string{edge}}
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCharClass:
		return characters(re)
	case syntax.OpCapture:
		return read(re.Sub[0])
	case syntax.OpPlus:
		return found{any: read(re.Sub[0]).words()}
	case syntax.OpQuest:
		if f := read(re.Sub[0]); f.exact != nil && len(f.exact) < mostWords {
			return found{exact: append(slices.Clone(f.exact), "")}
		}
	case syntax.OpConcat:
		return sequence(re.Sub)
	case syntax.OpAlternate:
		return choice(re.Sub)
	}
	return found{}
}

func literal(re *syntax.Regexp) found {
	if slices.Contains(re.Rune, utf8.RuneError) || slices.Contains(re.Rune, rune(edge[0])) {
		return found{} // the one stands for bytes that are no character, too
	}
	return found{exact: []string{lower(string(re.Rune))}}
}

// fewCharacters bounds the characters of a class that are told apart.
const fewCharacters = 12

func characters(re *syntax.Regexp) found {
	var exact []string
	for i := 0; i < len(re.Rune); i += 2 {
		if int(re.Rune[i+1]-re.Rune[i]) > fewCharacters || len(exact) > fewCharacters {
			return found{}
		}
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if r == utf8.RuneError || string(r) == edge {
				return found{}
			}
			exact = append(exact, lower(string(r)))
		}
	}
	slices.Sort(exact)
	return found{exact: slices.Compact(exact)}
}

// sequence puts the words of parts together as far as they are known, and keeps
// the list that says most.
func sequence(parts []*syntax.Regexp) found {
	exact, whole, best := []string{""}, true, []string(nil)
	for _, part := range parts {
		f := read(part)
		if f.exact != nil {
			if longer := product(exact, f.exact); longer != nil {
				exact = longer
				continue
			}
		}
		whole = false
		best = better(better(best, exact), f.any)
		if exact = f.exact; exact == nil {
			exact = []string{""}
		}
	}
	if whole {
		return found{exact: exact}
	}
	return found{any: better(best, exact)}
}

// choice joins the words of alternatives, all of which must have some.
func choice(parts []*syntax.Regexp) found {
	exact := true
	var all []string
	for _, part := range parts {
		f := read(part)
		words := f.exact
		if words == nil {
			exact, words = false, f.any
		}
		if words == nil || len(all)+len(words) > mostWords {
			return found{}
		}
		all = append(all, words...)
	}
	if exact {
		return found{exact: all}
	}
	return found{any: all}
}

func (f found) words() []string {
	if f.exact != nil {
		return f.exact
	}
	return f.any
}

// product puts every word of the second list behind every one of the first; nil
// when that gives too many.
func product(a, b []string) []string {
	if len(a)*len(b) > mostWords {
		return nil
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// better is the list whose shortest word is longer, else the one with fewer
// words.
func better(a, b []string) []string {
	if x, y := shortest(a), shortest(b); x != y {
		if x > y {
			return a
		}
		return b
	}
	if len(b) < len(a) {
		return b
	}
	return a
}

// shortest is the length of the shortest word in bytes, 0 without any.
func shortest(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w)-strings.Count(w, edge))
	}
	return n
}
