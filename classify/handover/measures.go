package handover

import (
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
)

// Measure is a number with a unit that a text states as a result.
type Measure struct {
	Number   string // as written, with a point
	Decimals int
	Unit     string
	Cite     classify.Cite
	Pos      int
	Grade    classify.Grade
}

// measured matches a number with a unit and what stands before it.
var measured = phrase.MustCompile(`([^\s\d.,]{1,12}[ \t]?|^|[\s(])(\d{1,7}(?:[.,]\d{1,4})?)[ \t\x{a0}]?(%|ms|µs|MB/s|MB|GB|MiB|GiB|req/s|rps|qps|fps)(?:[^\w%]|$)`)

// hedges before a number tell that it is an estimate or a bound.
var hedges = phrase.MustCompile(`(?i)[~≈<>≤≥±+$-][ \t]?$|\b(about|around|approx\w*|roughly|nearly|almost|over|under|below|above|than|least|most|to|of|by|circa|ca\.?|etwa|rund|fast|unter|über|casi|aprox\w*|environ|presque|target|goal)[ \t]?$`)

// Measures are the measures of a text, estimates and bounds left out.
func Measures(text string) []Measure {
	var out []Measure
	for _, m := range measured.FindAllStringSubmatch(text, 200) {
		if hedges.MatchString(m[1]) {
			continue
		}
		n := strings.Replace(m[2], ",", ".", 1)
		_, frac, _ := strings.Cut(n, ".")
		out = append(out, Measure{Number: n, Decimals: len(frac), Unit: m[3]})
	}
	return out
}

// Measures are those that the texts state.
func (h *Handover) Measures() []Measure {
	var out []Measure
	for _, t := range h.Texts {
		for _, m := range Measures(t.Text) {
			m.Cite, m.Pos, m.Grade = t.Cite, t.Pos, t.Grade()
			out = append(out, m)
		}
	}
	return out
}
