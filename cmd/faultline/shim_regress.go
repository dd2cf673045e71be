package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

func regressClusters(vs []classify.Verdict) []render.Cluster {
	by := map[string]*render.Cluster{}
	for _, v := range vs {
		for _, f := range v.Findings {
			c := by[f.Fingerprint]
			if c == nil {
				c = &render.Cluster{Fingerprint: f.Fingerprint, Rule: f.Rule, Layer: f.Layer, Severity: f.Severity}
				by[f.Fingerprint] = c
			}
			c.Count++
			if f.Severity.Rank() > c.Severity.Rank() {
				c.Severity = f.Severity
			}
			if !slices.Contains(c.Runs, v.Run) {
				c.Runs = append(c.Runs, v.Run)
			}
		}
	}
	var out []render.Cluster
	for _, c := range by {
		slices.Sort(c.Runs)
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b render.Cluster) int { return cmp.Compare(a.Fingerprint, b.Fingerprint) })
	return out
}

func (t *triage) writeCases(ctx context.Context, cs []render.Cluster) ([]render.CaseFile, error) {
	return nil, nil
}
func (a *app) sayCase(c render.CaseFile) {}
