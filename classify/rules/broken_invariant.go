package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/invariant"
)

var brokenInvariant = classify.Rule{
	Name:    "acceptance/broken-invariant",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The run breaks an invariant of its owner",
		Text:     "faultline.yaml states what must hold in every run: one call before another on the same arguments, a call never or at most so often, an argument that equals what the user stated, a claim only with its action, spans that were measured within a limit. The run breaks it.",
		Fires:    "issue_refund of an order for which verify_identity never returned verified: true.",
		NearMiss: "The required call came first, in an earlier run of the thread or in a sub-agent; the call was denied; the request states no value to compare.",
		Occasion: "a faultline.yaml with invariants",
		Needs:    "calls with arguments; for spans, spans with times",
		Owner:    classify.Acceptance,
		Change:   "Enforce the invariant in the harness before the call is dispatched or the run is accepted.",
		Metric:   "runs that break an invariant",
	},
	Occasion: func(v *classify.View) bool { return len(v.Config().Invariants) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, h := range brokenInvariants(v) {
			p.Report(*h)
		}
	},
}

// brokenInvariants joins what is broken at the same events: a finding is known
// by what it cites.
func brokenInvariants(v *classify.View) []*classify.Hit {
	var out []*classify.Hit
	at := map[string]*classify.Hit{}
	for i := range v.Config().Invariants {
		inv := &v.Config().Invariants[i]
		severity := classify.High
		if inv.Severity != "" {
			severity = classify.Severity(inv.Severity)
		}
		for _, b := range invariant.Check(inv, v) {
			key := fmt.Sprint(b.Cite)
			if h := at[key]; h != nil {
				h.Message += "; " + b.Message
				h.Structure = append(h.Structure, inv.Name)
				if severity.Rank() > h.Severity.Rank() {
					h.Severity = severity
				}
				continue
			}
			at[key] = &classify.Hit{
				Severity: severity, Grade: classify.Observed, Episode: b.Episode, At: b.At,
				Cite: b.Cite, Message: b.Message, Structure: []string{inv.Name},
			}
			out = append(out, at[key])
		}
	}
	return out
}
