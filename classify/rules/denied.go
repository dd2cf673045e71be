package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var denialEnded = classify.Rule{
	Name:    "permission/denied",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A denial ended the work",
		Text:     "A person, a policy or a guard denied a call, and the run did nothing more for what was asked.",
		Fires:    "In a headless run nobody can grant the write; the agent says so and stops.",
		NearMiss: "The run went on within its limits, by other means or with what the user then asked for; the file system's own \"permission denied\"; work that was done before, so that only a further step was denied: low.",
		Occasion: "a call that was denied",
		Needs:    "results that tell a denial",
		Owner:    classify.Permission,
		Change:   "Grant before the run what the task needs, or ask someone who can while it waits.",
		Metric:   "runs that ended with a denial",
	},
	Occasion: func(v *classify.View) bool {
		return slices.ContainsFunc(v.Actions, func(a *classify.Action) bool { return refusedCall(v, a) })
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if first, last := endingDenials(v, e); last != nil {
				p.Report(classify.Hit{
					Severity: e.Neighbour(v.Grader.Accepted() || e.Accepted && !e.Discloses() && workBefore(v, e, last)),
					Grade:    classify.Observed, Episode: e.Index, At: last.End,
					Cite:      []classify.Cite{last.CiteEnd(), last.Cite(), decisionOn(v, last).last, first.CiteEnd()},
					Message:   fmt.Sprintf("%s was denied, and the work ended there", describe(last)),
					Structure: []string{last.Tool, commandClass(last)},
				})
			}
		}
	},
}

// endingDenials are the first and the last denied call after which the main
// agent did nothing more, nil when it went on or the user did.
func endingDenials(v *classify.View, e *classify.Episode) (first, last *classify.Action) {
	for _, a := range v.EpisodeActions(e) {
		switch {
		case a.Sub || !v.Owns(a) || a.Cite().Event.Agent != "" || a.Kind == classify.Notes:
		case refusedCall(v, a):
			if last = a; first == nil {
				first = a
			}
		case last != nil && goesOn(last, a):
			first, last = nil, nil
		}
	}
	if last != nil && v.UserSpoke().Any(last.End, v.End()+1) {
		return nil, nil
	}
	if last != nil && wentOnLater(v) {
		return nil, nil
	}
	return first, last
}

// goesOn reports that an act after a denied one is work: it does something, or
// it looks where the denied one was to look.
func goesOn(denied, a *classify.Action) bool {
	if !a.Ran() || a.Outcome == ingest.Fail || a.Overlaps(denied) {
		return false
	}
	return !onlyLooks(a) || onlyLooks(denied)
}

// wentOnLater reports that a later run of the thread goes on.
func wentOnLater(v *classify.View) bool {
	return slices.ContainsFunc(v.Runs, func(r *ingest.Run) bool { return r != v.Run && v.PosOf(r, 0) > v.End() })
}

// workBefore reports that something was made before the denial.
func workBefore(v *classify.View, e *classify.Episode, denied *classify.Action) bool {
	for _, c := range v.ChangesIn(e.Begin-1, denied.Pos) {
		if c.Candidate() && c.Action.Outcome == ingest.OK {
			return true
		}
	}
	return slices.ContainsFunc(v.EffectsIn(e.Begin-1, denied.Pos), func(x *classify.Effect) bool { return x.Writes() && x.Outcome == ingest.OK })
}
