package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var checkTimeout = classify.Rule{
	Name:    "runtime/check-timeout",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "A check or the grader ran out of its time limit",
		Text:     "The grader's time limit, or that of a check on which the run was accepted, was reached: there is no result, whatever partial files say.",
		Fires:    "Harbor records VerifierTimeoutError; terminal-bench records test_timeout; the last `npm test` was killed after two minutes.",
		NearMiss: "A slow but complete run; a server that is meant to go on; the check run again with a longer limit.",
		Occasion: "a grader or a check with a time-out",
		Needs:    "how the grader or the check ended",
		Owner:    classify.Runtime,
		Change:   "Give the check the time that it takes, and treat a time-out as no result.",
		Metric:   "checks and graders without a result because of time",
	},
	Occasion: func(v *classify.View) bool { return v.Grader.Present || len(v.Checks) > 0 || len(v.Run.Events) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		if graderTimedOut(v, p) {
			return
		}
		for _, e := range v.Judged() {
			for i, c := range checksOf(v, e) {
				if timedOut(c) {
					reportCheckTimeout(v, p, e, i, c)
				}
			}
		}
	},
}

func graderTimedOut(v *classify.View, p *classify.Pass) bool {
	if !v.Grader.Present || !v.Grader.TimedOut {
		return false
	}
	e := episodeOf(v, v.End())
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: v.End(),
		Cite:      []classify.Cite{v.Grader.Score},
		Message:   "the grader ran out of time; there is no result",
		Structure: []string{"grader"},
	})
	return true
}

func timedOut(c *classify.Check) bool {
	if c.Status != classify.NoEnd {
		return false
	}
	if c.Action != nil {
		return c.TimedOut
	}
	return c.Event.Event.Reason == ingest.TimedOut
}

func reportCheckTimeout(v *classify.View, p *classify.Pass, e *classify.Episode, i int, c *classify.Check) {
	recovered := runsOf(v, e).after(v, i, c, func(d *classify.Check) bool {
		return d.Pos > c.Pos && d.Status != classify.NoEnd && (answers(c, d) || d.Kind == c.Kind && strings.HasPrefix(d.Runner, c.Runner))
	})
	p.Report(classify.Hit{
		Severity: e.Neighbour(recovered), Grade: classify.Observed, Episode: e.Index, At: c.Pos,
		Cite:      []classify.Cite{c.Event},
		Message:   fmt.Sprintf("%q ran out of time and has no result", c.Title()),
		Structure: []string{c.Runner},
	})
}
