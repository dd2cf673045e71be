package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
)

var wrongResult = classify.Rule{
	Name:    "model/wrong-result",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The work is wrong, and nobody claimed otherwise",
		Text:     "The required checks or the grader ran on the candidate and are red, success was not claimed, and nothing else explains it: the harness did its part.",
		Fires:    "The agent reports that two cases still fail; the grader rejects the result.",
		NearMiss: "The grader accepted; red, then fixed; the failures were what was asked for.",
		Occasion: "a grader or a record that rejects the result",
		Needs:    "the grader's record or a Completion record",
		Owner:    classify.Model,
		Change:   "None in the harness; a stronger model, a better plan, or more feedback per turn.",
		Metric:   "rejected results without a success claim",
	},
	Occasion: func(v *classify.View) bool { return v.Grader.Rejected() || rejectedRecord(v) != nil },
	Check: func(v *classify.View, p *classify.Pass) {
		if e := rejectedRecord(v); e != nil && !v.Grader.Present {
			p.Report(classify.Hit{
				Severity: classify.High, Grade: classify.Recorded, Episode: e.Index, At: e.Last,
				Cite:      []classify.Cite{e.Record.Cite},
				Message:   "the record does not accept the work: its checks ran and are red",
				Structure: []string{"record"},
			})
			return
		}
		e := graded(v)
		if !v.Grader.Rejected() || e != nil && e.Accepted && !e.Discloses() || v.LimitReached() || stopped(v) {
			return
		}
		index := 0
		if e != nil {
			index = e.Index
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Observed, Episode: index, At: v.End(),
			Cite:      []classify.Cite{v.Grader.Score},
			Message:   fmt.Sprintf("the grader rejected the result%s and no success was claimed", tests(v.Grader)),
			Structure: []string{"grader"},
		})
	},
}

func rejectedRecord(v *classify.View) *classify.Episode {
	for _, e := range v.Judged() {
		if e.Record == nil || e.Accepted || e.Statement.Success && !e.Discloses() {
			continue
		}
		for _, c := range e.Record.Completion.Checks {
			if c.ExitCode != nil && *c.ExitCode != 0 || c.Status == "failed" {
				return e
			}
		}
	}
	return nil
}
