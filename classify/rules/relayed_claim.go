package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/ingest"
)

var relayedClaim = classify.Rule{
	Name:    "acceptance/relayed-claim",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "A sub-agent's \"done\" was accepted against its own events",
		Text:     "The parent accepted what a sub-agent answered, and the sub-agent's events say otherwise: its last check is red, it did nothing at all, or it was to change something and changed nothing. Nobody looked at the result in between.",
		Fires:    "The sub-agent's only test run is red, it answers that the tests pass, and the parent says \"done\".",
		NearMiss: "The parent verifies; the sub-agent was to read; red and then green; the failure is passed on. Without the sub-agent's events the rule abstains.",
		Occasion: "an accepted episode in which a sub-agent came back",
		Needs:    "the sub-agent's own events",
		Owner:    classify.Acceptance,
		Change:   "Let the harness check a sub-agent's result (diff, checks) before its answer reaches the parent.",
		Metric:   "answers of sub-agents that their events deny",
	},
	Occasion: func(v *classify.View) bool {
		for _, e := range v.Judged() {
			if e.Accepted && len(delegations(v, e)) > 0 {
				return true
			}
		}
		return false
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if !e.Accepted || e.Discloses() {
				continue
			}
			for _, d := range delegations(v, e) {
				judgeAnswer(v, p, e, d)
			}
		}
	},
}

func judgeAnswer(v *classify.View, p *classify.Pass, e *classify.Episode, d *delegation) {
	if st := claim.Read(d.answer); admits(st) || st.Asks || st.Announces || d.verified(v, e) {
		return
	}
	cite, why, message := d.told, "", ""
	red := redIn(v, e, d)
	switch {
	case red != nil:
		cite, why = red.Event, "red"
		message = fmt.Sprintf("a sub-agent's answer was accepted, but its last result of %q is red", red.Title())
	case !d.demandsChange():
		return
	case !d.recorded:
		p.Abstain("the sub-agent's own events")
		return
	case len(d.done) == 0:
		why, message = "empty", "a sub-agent's answer was accepted, but it did nothing at all"
	case d.onlyLooked():
		cite, why = d.done[len(d.done)-1].CiteEnd(), "no change"
		message = "a sub-agent's answer was accepted, but it was to change something and changed nothing"
	default:
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: e.Grade.Weaker(classify.Observed), Episode: e.Index, At: d.back,
		Cite:      []classify.Cite{d.told, cite, d.Cite(), e.At},
		Message:   message,
		Structure: []string{why},
	})
}

// admits reports that a text tells of something that is not done.
func admits(st claim.Statement) bool {
	return (&classify.Episode{Statement: st}).Discloses()
}

// redIn is a check of the sub-agent that was red and that no later run of the
// episode answers, else nil.
func redIn(v *classify.View, e *classify.Episode, d *delegation) *classify.Check {
	own := map[*classify.Action]bool{}
	for _, a := range d.done {
		own[a] = true
	}
	for _, c := range lastResults(v, e) {
		if c.Status == classify.Red && own[c.Action] && !redBefore(v, e, c) {
			return c
		}
	}
	return nil
}
