package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
)

var splitSnapshot = classify.Rule{
	Name:    "acceptance/split-snapshot",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "Every required check is green, but not on one and the same state",
		Text:     "Each required check has a green result, and together they prove nothing: no state of the work has passed all of them. The record binds the results to different snapshots, or the tree was moved to another commit between the checks.",
		Fires:    "The unit tests are green on 77ab0c2; the branch is rebased; the browser tests are green on 1be90d4; \"both green\".",
		NearMiss: "Two runs on one digest, an abbreviated id of the same commit, a check run again on the last state, an optional check on another state, a commit of what was tested, a move that touches nothing that the check reads.",
		Occasion: "an accepted episode with two or more required checks that are all green",
		Needs:    "snapshots in a record, or tool calls in order with what git printed",
		Owner:    classify.Acceptance,
		Change:   "Take one snapshot before the first required check and accept only when every result names it.",
		Metric:   "accepted states on which not every required check ran",
	},
	Occasion: func(v *classify.View) bool {
		for _, e := range v.Judged() {
			if e.Accepted && len(v.Required(e)) > 1 {
				return true
			}
		}
		return false
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if !e.Accepted || len(v.Required(e)) < 2 {
				continue
			}
			if e.Record == nil || !splitRecord(v, p, e) {
				splitTree(v, p, e)
			}
		}
	},
}

// mostStates is how many snapshots of one check are compared, the last ones.
const mostStates = 200

// splitRecord compares the snapshots on which a record lists the required
// checks as green. It answers true when the record settles the question.
func splitRecord(v *classify.View, p *classify.Pass, e *classify.Episode) bool {
	en := entriesOf(v, e.Record.Completion)
	var common []string
	var names [2]string
	bound := 0
	for i, r := range v.Required(e) {
		states, complete := en.greenStates(r.Name, r.Argv)
		switch {
		case len(states) == 0 && complete:
			return bound > 0 // a required check has no green result: another rule's
		case !complete:
			if bound > 0 || len(states) > 0 {
				p.Abstain("the snapshot of every required check")
			}
			return bound > 0
		}
		bound++
		states = states[max(0, len(states)-mostStates):]
		if i == 0 {
			common, names[0] = states, r.Title()
			continue
		}
		left := common[:0:0]
		for _, s := range common {
			if hasState(states, s) {
				left = append(left, s)
			}
		}
		if common = left; len(common) == 0 {
			names[1] = r.Title()
			break
		}
	}
	if len(common) > 0 {
		return true
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Recorded, Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.Record.Cite},
		Message:   fmt.Sprintf("required checks %q and %q are green on different snapshots, and no snapshot has passed both", names[0], names[1]),
		Structure: []string{"record"},
	})
	return true
}

// splitTree looks for a move of the tree between the last green results of the
// required checks. What the run itself edited in between makes the earlier
// result stale, which is another rule's.
func splitTree(v *classify.View, p *classify.Pass, e *classify.Episode) {
	required := v.Required(e)
	var green []*classify.Check
	for i := range required {
		c := lastGreen(v, e, i)
		if c == nil || c.Action == nil {
			return
		}
		green = append(green, c)
	}
	first, last := 0, 0
	for i, c := range green {
		if c.Pos < green[first].Pos {
			first = i
		}
		if c.Start > green[last].Start {
			last = i
		}
	}
	a, b := green[first], green[last]
	if unordered(v, e, required, green) {
		p.Abstain("order of parallel calls")
		return
	}
	h := movedBetween(v, a.Pos, b.Start, required[first].Guards)
	if h == nil {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: e.Grade.Weaker(required[first].Grade).Weaker(required[last].Grade), Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, h.CiteEnd(), a.Event, b.Event},
		Message:   fmt.Sprintf("%q was green before the tree was moved to another commit, %q after it", a.Title(), b.Title()),
		Structure: []string{"moved", a.Runner, b.Runner},
	})
}

// unordered reports that a change of the work ran beside one of the checks.
func unordered(v *classify.View, e *classify.Episode, required []classify.Required, green []*classify.Check) bool {
	for _, c := range v.CandidateChanges(e) {
		if harmless(c) {
			continue
		}
		for i, g := range green {
			if c.Action.Overlaps(g.Action) && required[i].Guards(c.Path) {
				return true
			}
		}
	}
	return false
}
