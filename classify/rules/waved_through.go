package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var wavedThrough = classify.Rule{
	Name:    "acceptance/waved-through",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "An evaluator found fault and the work passed as it was",
		Text:     "An evaluator lists a defect, or a criterion below its minimum, and the decision is pass although nothing was changed after it.",
		Fires:    "Eight criteria at 5, one at 3 with a minimum of 4, and the record accepts.",
		NearMiss: "The defect was fixed and judged again; a score at its minimum; a defect that is marked out of scope; a record that stays open.",
		Occasion: "a record that accepts with scores, or an evaluator's verdict",
		Needs:    "the record, or tool calls",
		Owner:    classify.Acceptance,
		Change:   "Make each minimum hard and let the harness compare it, not the evaluator's last word.",
		Metric:   "decisions to pass with an open defect",
	},
	Occasion: func(v *classify.View) bool { return hasRecordedAcceptance(v) || len(evaluationsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if e.Record != nil && e.Record.Completion.DecidedBy == "human" {
				continue // a person's word is above the evaluator's
			}
			if e.Accepted && e.Grade == classify.Recorded && wavedInRecord(p, e) {
				continue
			}
			wavedInTrace(v, p, e)
		}
	},
}

// wavedInRecord reports a criterion below its minimum in the record that
// accepts, or one that a later round found good on the same candidate.
func wavedInRecord(p *classify.Pass, e *classify.Episode) bool {
	c := e.Record.Completion
	if low := belowMinimum(c); len(low) > 0 {
		reportOfRecord(p, e, classify.High, fmt.Sprintf("accepted with %q below its minimum", classify.Clip(low[0], 60)), "below minimum")
		return true
	}
	for _, r := range e.Completions {
		d := r.Completion
		if r == e.Record || c.Candidate.ID == "" || d.Candidate.ID != c.Candidate.ID || d.Decision != "rejected" && d.Decision != "open" {
			continue
		}
		low := belowMinimum(d)
		if len(low) == 0 || slices.Index(e.Completions, r) > slices.Index(e.Completions, e.Record) {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Recorded, Episode: e.Index, At: e.AtPos,
			Cite:      []classify.Cite{e.Record.Cite, r.Cite},
			Message:   fmt.Sprintf("%q was below its minimum, and the same candidate was accepted later", classify.Clip(low[0], 60)),
			Structure: []string{"same candidate"},
		})
		return true
	}
	return false
}

// belowMinimum are the criteria of a record below their minimum that nobody
// approved by name.
func belowMinimum(c *record.Completion) (out []string) {
	for _, k := range c.Criteria {
		if k.Score == nil || k.Minimum == nil || *k.Score >= *k.Minimum {
			continue
		}
		approved := false
		for _, a := range c.Approvals {
			approved = approved || a.What == k.Name
		}
		if !approved {
			out = append(out, k.Name)
		}
	}
	return out
}

// wavedInTrace reports the verdicts of an episode that list a fault, where the
// work passed after it without a change.
func wavedInTrace(v *classify.View, p *classify.Pass, e *classify.Episode) {
	end := e.Last + 1
	if e.Accepted {
		end = e.AtPos + 1
	}
	all := evaluationsIn(v, e)
	last := map[string]*evaluation{}
	for _, x := range all {
		last[x.by] = x
	}
	for _, x := range all {
		y := last[x.by]
		passes := x.Decided && x.Pass
		switch {
		case x.Faults() == 0, !passes && y != x && !(y.Decided && y.Pass && sameSubject(x, y)), !passes && y == x && (!e.Accepted || e.Discloses()):
			continue
		case !v.Has(ingest.HasTools):
			p.Abstain("tool calls with their arguments")
			return
		case changedAfter(v, x.pos, end):
			continue
		}
		reportWaved(p, e, x, y)
		return
	}
}

// sameSubject reports that two verdicts of one evaluator are on one thing.
func sameSubject(x, y *evaluation) bool {
	if x.call != nil && y.call != nil && x.call.Key() == y.call.Key() {
		return true
	}
	return slices.ContainsFunc(x.Below, func(name string) bool { return slices.Contains(y.Criteria, name) })
}

func reportWaved(p *classify.Pass, e *classify.Episode, x, y *evaluation) {
	grade, decided := classify.Observed, x.cite
	switch {
	case x.Decided && x.Pass:
	case y != x:
		decided = y.cite
	default:
		grade, decided = e.Grade, e.At
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: x.pos,
		Cite:      []classify.Cite{decided, x.cite, e.At},
		Message:   fmt.Sprintf("an evaluator found %d fault(s) and the work passed without a change after it", x.Faults()),
		Structure: []string{"verdict"},
	})
}
