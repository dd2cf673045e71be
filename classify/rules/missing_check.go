package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var missingCheck = classify.Rule{
	Name:    "acceptance/missing-check",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "Work was accepted while a required check has no result",
		Text:     "Completion was accepted or claimed after a change of the workspace, and a check that a record, the configuration, the task or habit requires has no result in the episode.",
		Fires:    "The task says that the browser test must pass; only the unit test ran; \"All done\".",
		NearMiss: "The check ran under another wrapper, in a sub-agent, by the user, by a hook, or in CI for the head commit.",
		Occasion: "an accepted episode with a change of the workspace and a required check",
		Needs:    "tool calls",
		Owner:    classify.Acceptance,
		Change:   "Keep the run open until every required check has a result, and dispatch the missing one.",
		Metric:   "tasks accepted without all required checks",
	},
	Occasion: func(v *classify.View) bool { return len(v.AcceptedAfterChange()) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.AcceptedAfterChange() {
			for _, r := range v.Required(e) {
				reportMissing(v, p, e, r)
			}
		}
	},
}

// unanswered reports that a required check has no result in an episode that
// changed something it binds; guarded is the last change of a path under it, nil
// when it covers none.
func unanswered(v *classify.View, e *classify.Episode, r classify.Required) (missing bool, guarded *classify.Change) {
	changes := v.CandidateChanges(e)
	for _, c := range changes {
		if r.Guards(c.Path) && (c.Path != "." || r.Grade != classify.Inferred) {
			guarded = c // a change of nobody knows what does not make words binding
		}
	}
	if len(changes) == 0 || guarded == nil && len(r.Paths) > 0 {
		return false, nil // the configuration requires it for other paths only
	}
	if recordAnswers(v, e, r) || v.Verified(e, r) != nil {
		return false, nil
	}
	for _, c := range v.LastAnswers(e, r) {
		if c.Status != classify.NoEnd {
			return false, nil
		}
	}
	return !v.ReportedByOthers(e, r), guarded
}

func reportMissing(v *classify.View, p *classify.Pass, e *classify.Episode, r classify.Required) {
	missing, guarded := unanswered(v, e, r)
	if !missing {
		return
	}
	severity, change := classify.High, guarded
	if guarded == nil {
		changes := v.CandidateChanges(e)
		change = changes[len(changes)-1]
		if r.Grade == classify.Inferred {
			severity = classify.Low
		}
	}
	p.Report(classify.Hit{
		Severity: severity, Grade: e.Grade.Weaker(r.Grade), Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, change.Action.Cite(), r.Cite},
		Message:   fmt.Sprintf("required check %q has no result, though %s was changed", r.Title(), classify.Clip(change.Path, 60)),
		Structure: []string{r.Runner, string(r.Grade)},
	})
}

// recordAnswers reports that the episode's own record lists a result of the
// required check.
func recordAnswers(v *classify.View, e *classify.Episode, r classify.Required) bool {
	if e.Record == nil {
		return false
	}
	en := entriesOf(v, e.Record.Completion)
	return slices.ContainsFunc(en.named[r.Name], func(i int) bool {
		c := en.all[i]
		return hasResult(c) || isRed(c) || namesEmpty(c)
	})
}
