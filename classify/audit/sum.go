package audit

import (
	"cmp"
	"slices"
)

// Tally counts the claims of one group.
type Tally struct {
	By     string           `json:"by"` // "harness", "model" or "week"
	Group  string           `json:"group"`
	Claims int              `json:"claims"`
	Counts map[Standing]int `json:"counts"`
}

// Sum counts the claims by harness, by model and by week; what a source does
// not name is counted as "".
func Sum(claims []Claim) []Tally {
	var out []Tally
	for _, by := range []struct {
		name string
		of   func(Claim) string
	}{
		{"harness", func(c Claim) string { return c.Harness }},
		{"model", func(c Claim) string { return c.Model }},
		{"week", func(c Claim) string { return c.Week }},
	} {
		groups := map[string]Tally{}
		for _, c := range claims {
			t, ok := groups[by.of(c)]
			if !ok {
				t = Tally{By: by.name, Group: by.of(c), Counts: map[Standing]int{}}
			}
			t.Claims++
			t.Counts[c.Standing]++
			groups[t.Group] = t
		}
		list := make([]Tally, 0, len(groups))
		for _, t := range groups {
			list = append(list, t)
		}
		slices.SortFunc(list, func(a, b Tally) int { return cmp.Compare(a.Group, b.Group) })
		out = append(out, list...)
	}
	return out
}
