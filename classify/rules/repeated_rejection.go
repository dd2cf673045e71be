package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var repeatedRejection = classify.Rule{
	Name:    "model/repeated-rejection",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A rejected call was sent again, unchanged",
		Text:     "A tool refused a call, and the model sent the same call again with nothing changed in between.",
		Fires:    "Edit fails with \"string not found\"; the same Edit follows.",
		NearMiss: "A changed argument; polling; a transient read; a precondition that was met in between.",
		Occasion: "a call that a tool refused",
		Needs:    "calls with arguments and results",
		Owner:    classify.Model,
		Change:   "Return errors that say what to change, and stop a loop of equal refusals.",
		Metric:   "equal refused calls in a row",
	},
	Occasion: func(v *classify.View) bool { return len(v.Actions) > 1 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			refused := map[string]*classify.Action{}
			for _, a := range v.EpisodeActions(e) {
				if !refusal(v, a) {
					continue
				}
				key := a.Key()
				if first := refused[key]; first != nil && !a.Overlaps(first) && !metBetween(v, first, a) {
					reportRejection(v, p, e, first, a)
				}
				refused[key] = a
			}
		}
	},
}

// refusal reports that a call was refused for what it is: not a read that may
// pass next time, not a command whose program failed, not a transient error.
func refusal(v *classify.View, a *classify.Action) bool {
	if a.Outcome != ingest.Fail || a.Result < 0 {
		return false
	}
	switch a.Reason {
	case ingest.Rejected, ingest.Denied:
		return true
	case ingest.Cancelled, ingest.Interrupted, ingest.TimedOut, ingest.Lost:
		return false
	}
	return (a.Kind == classify.Edits || a.Kind == classify.Other) && !a.ReadOnly() && !isLookUp(v, a) && !passesNextTime(v, a)
}

// longestError bounds what is read of an error, in bytes.
const longestError = 4 << 10

// passesNextTime reports that the error of a call is a transient one. It is
// asked once of each call.
func passesNextTime(v *classify.View, a *classify.Action) bool {
	known := classify.Once(&v.Facts, "transient errors", func() map[*classify.Action]bool { return map[*classify.Action]bool{} })
	is, ok := known[a]
	if !ok {
		out := a.Output()
		is = transient.MatchString(out[:min(len(out), longestError)])
		known[a] = is
	}
	return is
}

func isLookUp(v *classify.View, a *classify.Action) bool {
	return slices.ContainsFunc(a.Effects(), func(x *classify.Effect) bool { return x.Class == "read" })
}

// metBetween reports that something that succeeded between may have met a
// precondition: a change, a read of the file, another call outside.
func metBetween(v *classify.View, a, b *classify.Action) bool {
	moved := classify.Once(&v.Facts, "moved on", func() classify.Positions {
		return v.Places(func(x *classify.Action) bool { return x.Outcome == ingest.OK && x.Kind != classify.Notes })
	})
	return moved.Any(a.Pos, b.Pos) || v.AskedAnew(a.Pos, b.Pos) || v.UserSpoke().Any(a.End, b.Pos)
}

func reportRejection(v *classify.View, p *classify.Pass, e *classify.Episode, first, again *classify.Action) {
	p.Report(classify.Hit{
		Severity: e.Neighbour(v.Recovered(e, again)), Grade: classify.Observed, Episode: e.Index, At: again.Pos,
		Cite:      []classify.Cite{again.Cite(), first.Cite()},
		Message:   fmt.Sprintf("%s was refused and sent again unchanged", describe(again)),
		Structure: []string{again.Tool, string(again.Reason)},
	})
}
