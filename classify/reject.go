package classify

import (
	"slices"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
)

// Rejected is a finding that a person says is none. It is shown and counted,
// and decides nothing.
type Rejected struct {
	Finding
	Why   string `json:"why"`
	By    string `json:"by"`
	Scope string `json:"scope"` // repo, task or harness
}

// rejections are those that govern a run.
func (in Input) rejections(r *ingest.Run) (out []config.Rejection) {
	for _, list := range in.Rejected {
		if list.Everywhere || inside(list.Dir(), r.File()) {
			out = append(out, list.Rejected...)
		}
	}
	return out
}

// reject takes the findings out that a person rejected.
func (out *Verdict) reject(v *View) {
	if len(v.rejected) == 0 {
		return
	}
	m := v.Run.Meta
	out.Findings = slices.DeleteFunc(out.Findings, func(f Finding) bool {
		k := slices.IndexFunc(v.rejected, func(r config.Rejection) bool { return r.Holds(f.Rule, f.Fingerprint, m.Task, m.Harness) })
		if k >= 0 {
			r := v.rejected[k]
			out.Rejected = append(out.Rejected, Rejected{f, r.Why, r.By, r.Scope})
		}
		return k >= 0
	})
}
