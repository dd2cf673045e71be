package render

import (
	"fmt"

	"github.com/faultline-dev/faultline/regress/check"
)

type checkCaseLine struct {
	Type string `json:"type"`
	check.CaseResult
}

type checkLine struct {
	Type   string                `json:"type"`
	Runs   int                   `json:"runs"`
	Counts map[check.Outcome]int `json:"counts"`
	OK     bool                  `json:"ok"`
}

// Check writes a line of type case_check for each case, then one of type check.
func (j *JSON) Check(r *check.Report) error {
	for _, c := range r.Cases {
		if err := j.Object(checkCaseLine{"case_check", c}); err != nil {
			return err
		}
	}
	return j.Object(checkLine{"check", r.Runs, outcomes(r), r.OK()})
}

func outcomes(r *check.Report) map[check.Outcome]int {
	n := map[check.Outcome]int{}
	for _, c := range r.Cases {
		n[c.Outcome]++
	}
	return n
}

// Check writes one line for each case, its trials that did not pass below it,
// and the sum.
func (t *Text) Check(r *check.Report) {
	for _, c := range r.Cases {
		t.block(pad(outcomeWord(c), 14), t.safe(caseLabel(c))+": "+t.safe(caseDetail(c)))
		for _, trial := range c.Trials {
			if trial.Outcome == check.Passed {
				continue
			}
			t.block("              ", t.safe(string(trial.Outcome)+" in "+trial.Source+": "+trial.Why))
			for _, ref := range refsOf(trial) {
				t.line("                %s", t.safe(ref))
			}
		}
	}
	t.line("%s", checkSum(r))
}

func outcomeWord(c check.CaseResult) string {
	switch {
	case c.Known:
		return "known"
	case c.Fixed:
		return "fixed"
	}
	return string(c.Outcome)
}

// caseLabel is a case's id with its rule, or the file that is no case.
func caseLabel(c check.CaseResult) string {
	if c.ID == "" {
		return c.Name
	}
	return c.ID + " " + c.Rule
}

func caseDetail(c check.CaseResult) string {
	s := c.Detail
	if c.Rate == nil {
		return s
	}
	if c.Outcome != check.Passed {
		s += fmt.Sprintf("; %d of %s passed", c.Passed, plural(len(c.Trials), "trial"))
	}
	s += fmt.Sprintf(" (95 %% %.2f to %.2f", c.Rate.Low, c.Rate.High)
	if c.Rate.K > 1 {
		s += fmt.Sprintf(", pass@%d %.3f, pass^%d %.3f", c.Rate.K, c.Rate.PassAt, c.Rate.K, c.Rate.PassAll)
	}
	s += ")"
	if c.TooFew {
		s += fmt.Sprintf("; fewer than the %d trials asked for", c.Rate.K)
	}
	return s
}

// refsOf are the events that decide why a trial did not pass.
func refsOf(t check.Trial) []string {
	for _, r := range t.Results {
		if r.Why == t.Why {
			return r.Refs
		}
	}
	return nil
}

func checkSum(r *check.Report) string {
	n := outcomes(r)
	s := fmt.Sprintf("%s, %s:", plural(len(r.Cases), "case"), plural(r.Runs, "run"))
	for _, o := range []check.Outcome{
		check.Passed, check.Regressed, check.CannotTell, check.Invalid, check.NotExercised, check.Skipped, check.Malformed,
	} {
		if n[o] > 0 || o == check.Passed || o == check.Regressed {
			s += fmt.Sprintf(" %d %s,", n[o], o)
		}
	}
	return s[:len(s)-1] + "."
}
