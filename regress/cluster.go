package regress

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
)

// Cluster is the findings of many runs that have one fingerprint: one failure
// met several times.
type Cluster struct {
	Fingerprint string            `json:"fingerprint"`
	Rule        string            `json:"rule"`
	Layer       classify.Layer    `json:"layer"`
	Severity    classify.Severity `json:"severity"` // the loudest
	Runs        []string          `json:"runs"`     // sorted, each once
	Count       int               `json:"count"`    // findings
	Title       string            `json:"title"`    // message of one of the loudest
}

// Clusters joins medium and high findings by fingerprint, in order of
// fingerprint and rule.
func Clusters(verdicts []classify.Verdict) []Cluster {
	var single []Cluster
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if f.Severity.Rank() >= classify.Medium.Rank() {
				single = append(single, Cluster{f.Fingerprint, f.Rule, f.Layer, f.Severity, []string{v.Run}, 1, f.Message})
			}
		}
	}
	return join(single)
}

// Merge joins the clusters of two sets of findings. It is associative and
// commutative, so that shards may be merged in any order; a finding that is in
// both sets counts twice.
func Merge(a, b []Cluster) []Cluster { return join(slices.Concat(a, b)) }

func join(list []Cluster) []Cluster {
	slices.SortStableFunc(list, byStructure)
	var out []Cluster
	for _, c := range list {
		if n := len(out); n > 0 && byStructure(out[n-1], c) == 0 {
			out[n-1].add(c)
			continue
		}
		c.Runs = slices.Clone(c.Runs)
		out = append(out, c)
	}
	for i := range out {
		slices.Sort(out[i].Runs)
		out[i].Runs = slices.Compact(out[i].Runs)
	}
	return out
}

func byStructure(a, b Cluster) int {
	return cmp.Or(strings.Compare(a.Fingerprint, b.Fingerprint), strings.Compare(a.Rule, b.Rule))
}

// add takes in a cluster of the same structure. The title is the least of
// those of the loudest severity, so that the order of joining does not matter.
func (c *Cluster) add(d Cluster) {
	switch loud := d.Severity.Rank() - c.Severity.Rank(); {
	case loud > 0:
		c.Severity, c.Title = d.Severity, d.Title
	case loud == 0:
		c.Title = min(c.Title, d.Title)
	}
	c.Runs = append(c.Runs, d.Runs...)
	c.Count += d.Count
}
