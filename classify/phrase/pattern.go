package phrase

import (
	"regexp"
	"regexp/syntax"
)

// Pattern is a regular expression that is tried only on texts that can match
// it. Its methods say what those of regexp say.
type Pattern struct {
	*regexp.Regexp
	must *Words // one of which every match holds; nil when none are known
}

// otherCases are the characters outside ASCII that are another case of a letter
// in it: a text that holds one can match with no word in sight.
var otherCases = []string{"ſ", "\u212a"}

// MustCompile reads an expression as regexp.MustCompile does.
func MustCompile(expr string) *Pattern {
	p := &Pattern{Regexp: regexp.MustCompile(expr)}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		if words := needed(tree.Simplify()); words != nil {
			p.must = NewWords(append(words, otherCases...)...)
		}
	}
	return p
}

func (p *Pattern) canMatch(s string) bool { return p.must == nil || p.must.In(s) }

// MatchString reports that the text holds a match.
func (p *Pattern) MatchString(s string) bool { return p.canMatch(s) && p.Regexp.MatchString(s) }

// FindStringSubmatch returns the first match and its groups, or nil.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.canMatch(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// FindStringIndex returns where the first match begins and ends, or nil.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.canMatch(s) {
		return nil
	}
	return p.Regexp.FindStringIndex(s)
}

// FindAllStringSubmatch returns all matches with their groups, at most n when
// n is not negative.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.canMatch(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatch(s, n)
}

// FindAllStringIndex returns where the matches begin and end, at most n when n
// is not negative.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.canMatch(s) {
		return nil
	}
	return p.Regexp.FindAllStringIndex(s, n)
}

// ReplaceAllString puts a template in the place of every match.
func (p *Pattern) ReplaceAllString(s, template string) string {
	if !p.canMatch(s) {
		return s
	}
	return p.Regexp.ReplaceAllString(s, template)
}
