package check

import (
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

// Outcome is what a trial or a case comes to.
type Outcome string

// The outcomes. Skipped: the case gates nothing; NotExercised: no run says
// anything of it; Invalid: the run itself did not get that far; Malformed: the file
// is no case.
const (
	Passed       Outcome = "pass"
	Regressed    Outcome = "regressed"
	CannotTell   Outcome = "cannot tell"
	Invalid      Outcome = "invalid"
	Skipped      Outcome = "skipped"
	NotExercised Outcome = "not exercised"
	Malformed    Outcome = "malformed"
)

// Trial is one run graded against one case.
type Trial struct {
	Run     string          `json:"run"`
	Source  string          `json:"source"`
	Task    string          `json:"task,omitzero"`
	Outcome Outcome         `json:"outcome"`
	Why     string          `json:"why"`
	Results []expect.Result `json:"results"`
}

// subject is a run to be graded.
type subject struct {
	view    *classify.View
	verdict *classify.Verdict
	seen    expect.Seen
	invalid string // why it is none, or ""

	occasions map[string]bool // of rules, asked once
}

func newSubject(v *classify.View, verdict *classify.Verdict) *subject {
	return &subject{view: v, verdict: verdict, seen: SeenIn(v, verdict), invalid: invalid(v, verdict), occasions: map[string]bool{}}
}

// invalid says why a run shows nothing of its harness.
func invalid(v *classify.View, verdict *classify.Verdict) string {
	if verdict.Layer == classify.Runtime && verdict.Owner == classify.Runtime {
		for _, f := range verdict.Findings {
			if f.Rule == "runtime/environment" && f.Severity == classify.High {
				return "its environment failed: " + f.Message
			}
		}
	}
	if n := len(v.Episodes); n == 0 || n == 1 && v.Episodes[0].Open {
		return "it is unfinished"
	}
	return ""
}

// exercises reports that the run says something of the case: its rule or one of
// its expectations has an occasion.
func (s *subject) exercises(c *regress.Case, rules map[string]classify.Rule) bool {
	if r, ok := rules[c.Rule]; ok && s.occasion(r) {
		return true
	}
	return slices.ContainsFunc(c.Expect, func(e expect.Expect) bool { return e.Occurs(s.seen) })
}

func (s *subject) occasion(r classify.Rule) bool {
	has, known := s.occasions[r.Name]
	if !known {
		has = r.Occasion(s.view)
		s.occasions[r.Name] = has
	}
	return has
}

// grade grades the run. An invalid run that broke nothing stays invalid; a
// broken expectation counts whatever came of the run.
func (s *subject) grade(c *regress.Case) Trial {
	t := Trial{Run: s.verdict.Run, Source: s.verdict.Source, Task: s.verdict.Task, Outcome: Passed, Results: []expect.Result{}}
	for _, e := range c.Expect {
		r := e.Grade(s.seen)
		t.Results = append(t.Results, r)
		switch {
		case r.Grade == expect.Broken && t.Outcome != Regressed:
			t.Outcome, t.Why = Regressed, r.Why
		case r.Grade == expect.CannotTell && t.Outcome == Passed:
			t.Outcome, t.Why = CannotTell, r.Why
		}
	}
	if s.invalid != "" && t.Outcome != Regressed {
		t.Outcome, t.Why = Invalid, s.invalid
	}
	return t
}
