package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/stat"
)

// Options say how trials are summed up.
type Options struct {
	// Repeats is how many trials a case should have, and the k of pass@k and
	// pass^k; 0 is 1.
	Repeats  int
	Baseline *Baseline // or nil
	// Runs are those to grade; the others of the input are of their threads. nil:
	// all.
	Runs []string
}

// Report is the result of a check, in order of the cases given.
type Report struct {
	Runs  int          `json:"runs"` // that were graded
	Cases []CaseResult `json:"cases"`
}

// CaseResult is what all trials of a case come to. The rates are absent where
// there is no trial.
type CaseResult struct {
	Name    string  `json:"name"` // of the file
	ID      string  `json:"id"`
	Rule    string  `json:"rule"`
	Status  string  `json:"status"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail"`
	Known   bool    `json:"known,omitzero"` // regressed in the baseline too
	Fixed   bool    `json:"fixed,omitzero"` // regressed in the baseline, passed now
	Trials  []Trial `json:"trials"`
	Passed  int     `json:"passed"` // of len(Trials)
	Rate    *Rate   `json:"rate,omitzero"`
	TooFew  bool    `json:"too_few,omitzero"` // fewer trials than asked for
}

// Rate is the share of trials that passed with its 95 % Wilson interval, and
// the chances that follow for K trials. Invalid trials count as not passed.
type Rate struct {
	K       int     `json:"k"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	PassAt  float64 `json:"pass_at_k"`
	PassAll float64 `json:"pass_all_k"`
}

// Run judges the input's runs and grades each against every case.
func Run(ctx context.Context, in classify.Input, cases []Named, o Options) (*Report, error) {
	res, err := classify.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("check runs: %w", err)
	}
	verdicts, rules := map[string]*classify.Verdict{}, map[string]classify.Rule{}
	for i := range res.Verdicts {
		verdicts[res.Verdicts[i].Run] = &res.Verdicts[i]
	}
	for _, r := range in.Rules {
		rules[r.Name] = r
	}
	report := &Report{Cases: make([]CaseResult, len(cases))}
	for i, c := range cases {
		report.Cases[i] = newResult(c)
	}
	err = classify.Each(ctx, in, func(v *classify.View) error {
		verdict := verdicts[v.Run.ID]
		if verdict == nil || o.Runs != nil && !slices.Contains(o.Runs, v.Run.ID) {
			return nil
		}
		report.Runs++
		s := newSubject(v, verdict)
		for i, c := range cases {
			if r := &report.Cases[i]; r.Trials != nil && s.exercises(c.Case, rules) {
				r.Trials = append(r.Trials, s.grade(c.Case))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("check runs: %w", err)
	}
	for i := range report.Cases {
		report.Cases[i].sum(max(o.Repeats, 1), o.Baseline)
	}
	return report, nil
}

func newResult(c Named) CaseResult {
	if c.Err != nil {
		return CaseResult{Name: c.Name, Outcome: Malformed, Detail: c.Err.Error()}
	}
	r := CaseResult{Name: c.Name, ID: c.ID, Rule: c.Rule, Status: string(c.Status)}
	if c.Status != regress.Approved {
		r.Outcome, r.Detail = Skipped, r.Status+", gates nothing"
		return r
	}
	r.Trials = []Trial{}
	return r
}

// sum joins the trials.
func (r *CaseResult) sum(k int, base *Baseline) {
	if r.Trials == nil { // it gates nothing
		return
	}
	r.Outcome, r.Detail = NotExercised, "no run says anything of it"
	worst := map[Outcome]int{NotExercised: 0, Passed: 1, Invalid: 2, CannotTell: 3, Regressed: 4}
	for _, t := range r.Trials {
		if t.Outcome == Passed {
			r.Passed++
		}
		if worst[t.Outcome] > worst[r.Outcome] {
			r.Outcome, r.Detail = t.Outcome, t.Why
		}
	}
	n := len(r.Trials)
	r.TooFew = n < k
	if low, high, ok := stat.Wilson(r.Passed, n); ok {
		at, _ := stat.PassAt(k, r.Passed, n)
		all, _ := stat.PassAll(k, r.Passed, n)
		r.Rate = &Rate{k, low, high, at, all}
	}
	if r.Outcome == Passed {
		r.Detail = fmt.Sprintf("%d of %d trials", r.Passed, n)
	}
	was := base.outcome(r.ID)
	r.Known = r.Outcome == Regressed && was == Regressed
	r.Fixed = r.Outcome == Passed && was == Regressed
}

// OK reports that no case fails: none regressed beyond the baseline, none that
// was exercised and cannot be told or was never validly tried.
func (r *Report) OK() bool {
	for i := range r.Cases {
		if r.Cases[i].Fails() {
			return false
		}
	}
	return true
}

// Fails reports that the case fails the check. A gate whose evidence was not
// recorded is not open.
func (r *CaseResult) Fails() bool {
	switch r.Outcome {
	case Regressed:
		return !r.Known
	case CannotTell, Invalid, Malformed:
		return true
	}
	return false
}
