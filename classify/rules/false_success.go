package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var falseSuccess = classify.Rule{
	Name:    "acceptance/false-success",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "Success was claimed and an independent grader rejected the result",
		Text:     "The run was ended or claimed as successful, and a grader whose checks ran on the result rejected it. The harness accepted work that it had no evidence for.",
		Fires:    "A trial ends with \"The server is up and all endpoints answer\"; the verifier's five tests fail.",
		NearMiss: "The grader accepted; the grader never ran or ran out of time; the closing text discloses the failure or the part left open.",
		Occasion: "a trial with a grader's result, ended or claimed as successful",
		Needs:    "the grader's record and whether its checks ran",
		Owner:    classify.Acceptance,
		Change:   "A fail-closed acceptance gate: end the run only when the required checks were run by the harness and are green.",
		Metric:   "trials ended as successful that the grader rejects",
	},
	Occasion: func(v *classify.View) bool { return v.Grader.Present && graded(v) != nil },
	Check: func(v *classify.View, p *classify.Pass) {
		e := graded(v)
		if v.Grader.Unreadable() && e.Accepted {
			p.Abstain("a readable result of the grader")
		}
		if !v.Grader.Rejected() {
			return
		}
		if !e.Accepted || e.Discloses() || v.LimitReached() {
			return // out of time is no success end, whatever was said before
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: e.Grade, Episode: e.Index, At: e.AtPos,
			Cite:      []classify.Cite{e.At, v.Grader.Score, e.Closing},
			Message:   fmt.Sprintf("ended as successful, but the grader rejected the result%s", tests(v.Grader)),
			Structure: []string{endedBy(e)},
		})
	},
}

// graded is the episode by which a grader's result is to be read: the last one
// in which the agent acted, claimed or admitted something. A thank-you after it
// changes nothing.
func graded(v *classify.View) *classify.Episode {
	for i := len(v.Episodes) - 1; i >= 0; i-- {
		e := v.Episodes[i]
		if e.Accepted || e.Discloses() || e.Statement.Asks || len(v.EpisodeActions(e)) > 0 {
			return e
		}
	}
	if n := len(v.Episodes); n > 0 {
		return v.Episodes[n-1]
	}
	return nil
}

// endedBy says what ended the episode, for the fingerprint.
func endedBy(e *classify.Episode) string {
	switch e.At.Event.Kind {
	case ingest.Claim:
		return "result"
	case ingest.ToolCall:
		return "finish tool"
	case ingest.RecordDoc:
		return "record"
	}
	return "closing text"
}

func tests(g classify.Grader) string {
	if n := g.Passed + g.Failed; n > 0 {
		return fmt.Sprintf(" (%d of %d tests failed)", g.Failed, n)
	}
	return ""
}
