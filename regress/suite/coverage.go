package suite

import (
	"slices"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
)

// Coverage is what a suite holds of what was met.
type Coverage struct {
	Clusters   []Held      `json:"clusters"`
	Held       int         `json:"held"` // clusters
	Components []Component `json:"components"`
	Guarded    int         `json:"guarded"` // components
}

// Component is a part of the harness and the approved cases that guard it.
type Component struct {
	Name  string   `json:"name"`
	Cases []string `json:"cases"` // ids, in order of file
}

// Cover sums up which clusters and which components the approved cases hold.
// Components are those that are known besides the ones that cases name.
func Cover(held []Held, cases []check.Named, components []string) Coverage {
	out := Coverage{Clusters: held, Components: []Component{}}
	for _, h := range held {
		if h.Held {
			out.Held++
		}
	}
	by := map[string][]string{}
	names := slices.Clone(components)
	for _, c := range cases {
		if c.Case == nil {
			continue
		}
		for _, name := range c.Components {
			names = append(names, name)
			if c.Status == regress.Approved && !slices.Contains(by[name], c.ID) {
				by[name] = append(by[name], c.ID)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		c := Component{name, by[name]}
		if len(c.Cases) > 0 {
			out.Guarded++
		} else {
			c.Cases = []string{}
		}
		out.Components = append(out.Components, c)
	}
	return out
}
