package phrase

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a regular expression that is tried only on texts that can match
// it. Its methods say what those of regexp say.
type Pattern struct {
	expr func() *regexp.Regexp
	must func() *Words // one of which every match holds; nil when none are known
}

// otherCases are the characters outside ASCII that are another case of a letter
// in it: a text that holds one can match with no word in sight.
var otherCases = []string{"ſ", "\u212a"}

// MustCompile is an expression as regexp.MustCompile knows it. It is read when it
// is first used, since a program uses few of those it has; one that cannot be
// read panics then.
func MustCompile(expr string) *Pattern {
	return &Pattern{
		expr: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		must: sync.OnceValue(func() *Words { return wordsOf(expr) }),
	}
}

func wordsOf(expr string) *Words {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	words := needed(tree.Simplify())
	if words == nil {
		return nil
	}
	return NewWords(append(words, otherCases...)...)
}

func (p *Pattern) canMatch(s string) bool {
	must := p.must()
	return must == nil || must.In(s)
}

// MatchString reports that the text holds a match.
func (p *Pattern) MatchString(s string) bool { return p.canMatch(s) && p.expr().MatchString(s) }

// FindString returns the first match, or "".
func (p *Pattern) FindString(s string) string {
	if !p.canMatch(s) {
		return ""
	}
	return p.expr().FindString(s)
}

// FindStringIndex returns where the first match begins and ends, or nil.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindStringIndex(s)
}

// FindStringSubmatch returns the first match and its groups, or nil.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindStringSubmatch(s)
}

// FindStringSubmatchIndex returns where the first match and its groups begin and
// end, or nil.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindStringSubmatchIndex(s)
}

// FindAllString returns all matches, at most n when n is not negative.
func (p *Pattern) FindAllString(s string, n int) []string {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindAllString(s, n)
}

// FindAllStringIndex returns where the matches begin and end, at most n when n
// is not negative.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch returns all matches with their groups, at most n when n
// is not negative.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex returns where the matches and their groups begin and
// end, at most n when n is not negative.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.canMatch(s) {
		return nil
	}
	return p.expr().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString puts a template in the place of every match.
func (p *Pattern) ReplaceAllString(s, template string) string {
	if !p.canMatch(s) {
		return s
	}
	return p.expr().ReplaceAllString(s, template)
}

// Split returns the parts between the matches, at most n when n is not negative.
func (p *Pattern) Split(s string, n int) []string {
	if n != 0 && !p.canMatch(s) {
		return []string{s}
	}
	return p.expr().Split(s, n)
}
