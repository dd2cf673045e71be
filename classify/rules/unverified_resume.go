package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/ingest"
)

var unverifiedResume = classify.Rule{
	Name:    "handoff/unverified-resume",
	Highest: classify.Low,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "Work went on after a boundary without a look at what was handed over",
		Text:     "The hand-over says that files, branches, services or results are there, and the first act after it that does anything changes something. If the hand-over is stale, the run builds on it.",
		Fires:    "The summary says that welcome.mjml is written; the next act writes offer.mjml.",
		NearMiss: "A status, a diff, a read, a test or a probe first; a hand-over that claims nothing of the workspace.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Verify branch, changed files and services before the first change of a new session.",
		Metric:   "boundaries after which a change comes before any look",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, h := range handover.Find(v) {
			a := firstDeed(v, h)
			if a == nil || !changesState(a) {
				continue
			}
			e := v.EpisodeAt(a.Pos)
			if e == nil || e.Open {
				continue
			}
			said := h.Statements()
			if len(said) == 0 {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.Low, Grade: said[0].Grade, Episode: e.Index, At: a.Pos,
				Cite:      []classify.Cite{a.Cite(), said[0].Cite, h.Boundary.Cite},
				Message:   fmt.Sprintf("after %s, %s changes something before any look at what was handed over", boundaryWords(h.Boundary), describe(a)),
				Structure: []string{h.Boundary.Kind, a.Tool},
			})
		}
	},
}

// firstDeed is the run's first call after a hand-over that looks or does
// something; plans and notes are neither.
func firstDeed(v *classify.View, h *handover.Handover) *classify.Action {
	for _, a := range v.ActionsIn(h.Begin-1, h.Until()) {
		if v.Owns(a) && a.Ran() && a.Kind != classify.Notes {
			return a
		}
	}
	return nil
}

// changesState reports that a call changes the work or writes outside, without
// a look of its own before it.
func changesState(a *classify.Action) bool {
	if a.ReadOnly() || a.Checks() || a.Outcome == ingest.Fail || len(a.Commands) > 0 && a.Commands[0].ReadOnly() {
		return false
	}
	for _, c := range a.Changes() {
		if c.Candidate() {
			return true
		}
	}
	for _, x := range a.Effects() {
		if x.Writes() {
			return true
		}
	}
	return false
}
