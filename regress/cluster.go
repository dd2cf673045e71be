package regress

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
)

// Cluster is the findings of many runs that have one fingerprint: one failure
// met several times. Lists are sorted and hold each once.
type Cluster struct {
	Fingerprint string            `json:"fingerprint"`
	Rule        string            `json:"rule"`
	Layer       classify.Layer    `json:"layer"`
	Severity    classify.Severity `json:"severity"` // the loudest
	Runs        []string          `json:"runs"`
	Count       int               `json:"count"`    // findings
	Title       string            `json:"title"`    // message of one of the loudest
	Repeated    bool              `json:"repeated"` // in two runs or more
	// First is when the earliest of the runs began, Last when the latest ended,
	// as the runs themselves say; Undated are those that say nothing.
	First     time.Time `json:"first_seen,omitzero"`
	Last      time.Time `json:"last_seen,omitzero"`
	Undated   []string  `json:"undated,omitempty"`
	Harnesses []string  `json:"harnesses"` // name and version
	Models    []string  `json:"models"`
}

// Clusters joins medium and high findings by fingerprint, in order of
// fingerprint and rule.
func Clusters(verdicts []classify.Verdict) []Cluster {
	var single []Cluster
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if f.Severity.Rank() >= classify.Medium.Rank() {
				single = append(single, clusterOf(v, f))
			}
		}
	}
	return join(single)
}

func clusterOf(v classify.Verdict, f classify.Finding) Cluster {
	c := Cluster{
		Fingerprint: f.Fingerprint, Rule: f.Rule, Layer: f.Layer, Severity: f.Severity, Runs: []string{v.Run}, Count: 1,
		Title: f.Message, First: v.Began, Last: v.Ended, Models: v.Models,
	}
	if v.Began.IsZero() {
		c.Undated = []string{v.Run}
	}
	if h := strings.TrimSpace(v.Harness + " " + v.Version); h != "" {
		c.Harnesses = []string{h}
	}
	return c
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
		c.Runs, c.Undated = slices.Clone(c.Runs), slices.Clone(c.Undated)
		c.Harnesses, c.Models = slices.Clone(c.Harnesses), slices.Clone(c.Models)
		out = append(out, c)
	}
	for i := range out {
		c := &out[i]
		c.Runs, c.Undated, c.Harnesses, c.Models = set(c.Runs), set(c.Undated), set(c.Harnesses), set(c.Models)
		if len(c.Undated) == 0 {
			c.Undated = nil
		}
		c.Repeated = len(c.Runs) > 1
	}
	return out
}

func set(list []string) []string {
	slices.Sort(list)
	if list == nil {
		return []string{}
	}
	return slices.Compact(list)
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
	if c.First.IsZero() || !d.First.IsZero() && d.First.Before(c.First) {
		c.First = d.First
	}
	if d.Last.After(c.Last) {
		c.Last = d.Last
	}
	c.Runs, c.Undated = append(c.Runs, d.Runs...), append(c.Undated, d.Undated...)
	c.Harnesses, c.Models = append(c.Harnesses, d.Harnesses...), append(c.Models, d.Models...)
	c.Count += d.Count
}
