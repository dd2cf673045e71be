package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
)

var checkNotRun = classify.Rule{
	Name:    "acceptance/check-not-run",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The check on which the work was accepted executed nothing",
		Text:     "The last run of a check ended before anything was tested: the runner was missing or not executable, collection or parsing failed, or zero tests were selected. Its exit status says nothing about the candidate.",
		Fires:    "`npx jest -t checkout` finds no tests and exits 0; \"tests pass\".",
		NearMiss: "A slow but complete run; an empty selection that the record names; the check run properly afterwards; a claim that discloses it. A grader that never started is runtime/environment.",
		Occasion: "an accepted episode in which a check was attempted",
		Needs:    "the output or exit status of checks",
		Owner:    classify.Acceptance,
		Change:   "Require a count of executed tests above zero beside exit status 0.",
		Metric:   "tasks accepted on a check that executed nothing",
	},
	Occasion: func(v *classify.View) bool { return len(acceptedWithChecks(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range acceptedWithChecks(v) {
			recordedEmpty(v, p, e)
			if e.Discloses() {
				continue
			}
			for _, c := range lastResults(v, e) {
				if c.Status == classify.Nothing && !greenElsewhere(v, e, c) {
					reportNothing(p, e, c)
				}
			}
		}
	},
}

func recordedEmpty(v *classify.View, p *classify.Pass, e *classify.Episode) {
	if e.Record == nil {
		return
	}
	for _, c := range entriesOf(v, e.Record.Completion).last {
		missing := c.ExitCode != nil && (*c.ExitCode == 126 || *c.ExitCode == 127)
		empty := c.Executed != nil && *c.Executed == 0 && !namesEmpty(c)
		if !missing && !empty {
			continue
		}
		reportRecord(p, e, c.Argv, c.Name, fmt.Sprintf("accepted although the record says that check %q executed nothing", c.Name))
	}
}

// greenElsewhere reports that a check of the same kind ran green after the
// empty one: another way to the same evidence was found.
func greenElsewhere(v *classify.View, e *classify.Episode, c *classify.Check) bool {
	last, ok := lastTested(v, e)[c.Kind]
	return ok && last > c.Pos
}

func reportNothing(p *classify.Pass, e *classify.Episode, c *classify.Check) {
	why := c.Summary.NotRun
	if why == "" {
		why = "not executable"
	}
	grade := e.Grade
	if grade == classify.Recorded {
		grade = classify.Observed
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, c.Event},
		Message:   fmt.Sprintf("%q executed nothing (%s)", c.Title(), why),
		Structure: []string{c.Runner, why},
	})
}
