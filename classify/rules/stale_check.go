package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/shell"
)

var staleCheck = classify.Rule{
	Name:    "acceptance/stale-check",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The last green result of a required check is older than the candidate",
		Text:     "After the last green result of a required check, a path that the check could read was changed, and the work was accepted without running it again. What was tested is not what was accepted.",
		Fires:    "pytest is green, then src/checkout.py is edited once more, then \"Done\".",
		NearMiss: "Documents, comments, a formatter's output, files that the check itself writes, a file created and deleted again, an edit taken back, the check re-run; parallel calls have no order.",
		Occasion: "an accepted episode with a green result of a required check",
		Needs:    "tool calls in order",
		Owner:    classify.Acceptance,
		Change:   "Bind every result to the state it was obtained on, and run the checks again when the state moved.",
		Metric:   "accepted states that differ from the tested state",
	},
	Occasion: func(v *classify.View) bool { return len(v.AcceptedAfterChange()) > 0 || recordedSnapshots(v) },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if !e.Accepted {
				continue
			}
			if e.Record != nil && staleRecord(v, p, e) {
				continue
			}
			for _, r := range v.Required(e) {
				reportStale(v, p, e, r)
			}
		}
	},
}

func recordedSnapshots(v *classify.View) bool {
	for _, e := range v.Judged() {
		if e.Record != nil && e.Record.Completion.Candidate.ID != "" {
			return true
		}
	}
	return false
}

// staleRecord compares the snapshots that a record binds. It answers true when
// the record settles the question either way.
func staleRecord(v *classify.View, p *classify.Pass, e *classify.Episode) bool {
	c := e.Record.Completion
	if c.Candidate.ID == "" {
		return false
	}
	bound := false
	en := entriesOf(v, c)
	for _, check := range en.last {
		if check.Snapshot == "" {
			continue
		}
		bound = true
		if sameSnapshot(check.Snapshot, c.Candidate.ID) || check.ExitCode != nil && *check.ExitCode != 0 {
			continue
		}
		if states, _ := en.greenStates(check.Name, check.Argv); hasState(states, c.Candidate.ID) {
			continue // it was run again on what was accepted
		}
		reportRecord(p, e, check.Argv, check.Name, fmt.Sprintf("check %q was green on %s, but %s was accepted", check.Name, classify.Clip(check.Snapshot, 20), classify.Clip(c.Candidate.ID, 20)))
	}
	return bound
}

func reportStale(v *classify.View, p *classify.Pass, e *classify.Episode, r classify.Required) {
	answers := v.LastAnswers(e, r)
	if len(answers) == 0 || v.Verified(e, r) != nil {
		return
	}
	last := answers[len(answers)-1]
	if last.Status != classify.Green && last.Status != classify.Unclear {
		return
	}
	var late *classify.Change
	left := map[string]map[*classify.Change]bool{}
	for _, c := range v.ChangesIn(e.Begin-1, e.AtPos+1) {
		if c.Action == last.Action || !c.Candidate() || !r.Guards(c.Path) || harmless(c) {
			continue
		}
		if _, ok := left[c.Path]; !ok {
			left[c.Path] = map[*classify.Change]bool{}
			for _, d := range v.Remaining(c.Path, last.Pos, e.AtPos+1) {
				left[c.Path][d] = true
			}
		}
		switch {
		case last.Action != nil && c.Action.Overlaps(last.Action):
			p.Abstain("order of parallel calls")
		case c.Action.Pos > last.Pos && left[c.Path][c]:
			late = c
		}
	}
	if late == nil {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: e.Grade.Weaker(r.Grade), Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, late.Action.Cite(), last.Event},
		Message:   fmt.Sprintf("%q was last green before %s changed", r.Title(), classify.Clip(late.Path, 60)),
		Structure: []string{r.Runner},
	})
}

// harmless reports that a change cannot matter to a check by its own nature.
func harmless(c *classify.Change) bool {
	return c.Formatter || c.Cosmetic || c.Op == shell.OpMode
}
