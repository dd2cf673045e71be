package suite

import (
	"cmp"
	"slices"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
)

// Precision is what people said of a rule's findings: approved or retired cases
// confirm it, rejections do not. It is local: it says nothing of other code.
type Precision struct {
	Rule      string `json:"rule"`
	Confirmed int    `json:"confirmed"`
	Rejected  int    `json:"rejected"`
}

// Precisions counts by rule, in order of its name. Each fingerprint counts once
// a side.
func Precisions(cases []check.Named, rejected []config.Rejection) []Precision {
	by, seen := map[string]*Precision{}, map[[3]string]bool{}
	count := func(side, rule, fingerprint string) {
		key := [3]string{side, rule, fingerprint}
		if seen[key] {
			return
		}
		seen[key] = true
		if by[rule] == nil {
			by[rule] = &Precision{Rule: rule}
		}
		if side == "confirmed" {
			by[rule].Confirmed++
		} else {
			by[rule].Rejected++
		}
	}
	for _, c := range cases {
		if c.Case != nil && (c.Status == regress.Approved || c.Status == regress.Retired && c.Reviewer != "") {
			count("confirmed", c.Rule, c.Fingerprint)
		}
	}
	for _, r := range rejected {
		count("rejected", r.Rule, r.Fingerprint)
	}
	out := make([]Precision, 0, len(by))
	for _, p := range by {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Precision) int { return cmp.Compare(a.Rule, b.Rule) })
	return out
}
