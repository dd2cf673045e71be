package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/runner"
)

var failedCheckAccepted = classify.Rule{
	Name:    "acceptance/failed-check-accepted",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The last result of a check is red and success was claimed",
		Text:     "A check failed, was not run green afterwards, and the run claims or records success without saying so.",
		Fires:    "pytest shows 2 failed; one more edit; \"Everything works now\".",
		NearMiss: "Red, fixed, green on the final state; the same tests were red before the first edit; the claim discloses it; a narrow red selection later covered by a wider green one; a check meant to fail; a check that failed on a commit and was run green on it again.",
		Occasion: "an accepted episode in which a check ran",
		Needs:    "results of checks",
		Owner:    classify.Acceptance,
		Change:   "Let the harness read the exit status itself and keep the run open while a check is red.",
		Metric:   "tasks accepted with a red last result",
	},
	Occasion: func(v *classify.View) bool { return len(acceptedWithChecks(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range acceptedWithChecks(v) {
			recordedFailures(v, p, e)
			if e.Discloses() {
				continue
			}
			failuresElsewhere(v, p, e)
			for _, c := range lastResults(v, e) {
				if c.Status == classify.Red && !redBefore(v, e, c) && !reportWasTheTask(v, e) {
					reportRed(p, e, c)
				}
			}
		}
	},
}

func recordedFailures(v *classify.View, p *classify.Pass, e *classify.Episode) {
	if e.Record == nil {
		return
	}
	for _, c := range entriesOf(v, e.Record.Completion).last {
		if !isRed(c) || c.ExitCode != nil && (*c.ExitCode == 126 || *c.ExitCode == 127) {
			continue
		}
		reportRecord(p, e, c.Argv, c.Name, fmt.Sprintf("accepted although the record says that check %q failed", c.Name))
	}
}

// failuresElsewhere reports the checks that failed on the accepted commit in
// CI, or by a report that names it: one finding for all of them.
func failuresElsewhere(v *classify.View, p *classify.Pass, e *classify.Episode) {
	cites := []classify.Cite{e.At}
	var names []string
	commit := ""
	for _, rec := range v.Evidence(e) {
		if c := rec.Completion.Checks[0]; isRed(c) {
			cites = append(cites, rec.Cite)
			names = append(names, c.Name)
			commit = c.Snapshot
		}
	}
	if len(names) == 0 {
		return
	}
	more := ""
	if n := len(names) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: e.Grade.Weaker(classify.Recorded), Episode: e.Index, At: e.AtPos,
		Cite:      cites[:min(len(cites), 6)],
		Message:   fmt.Sprintf("check %q%s failed on commit %.10s, which was accepted", classify.Clip(names[0], 60), more, commit),
		Structure: []string{"commit", slices.Min(names)},
	})
}

// lastResults returns, of each check of the episode, the last run that no
// later equal or wider run supersedes. Runs that did not end say nothing.
func lastResults(v *classify.View, e *classify.Episode) []*classify.Check {
	return classify.Once(&v.Own, "last results "+strconv.Itoa(e.Index), func() []*classify.Check {
		var out []*classify.Check
		runs := runsOf(v, e)
		for i, c := range checksOf(v, e) {
			if c.Name == "stop-hook" {
				continue // the hook's own trouble, not a result on the work
			}
			superseded := runs.after(v, i, c, func(d *classify.Check) bool {
				return (d.Status == classify.Green || d.Status == classify.Red || d.Status == classify.Nothing && c.Status == classify.Nothing) && answers(c, d)
			})
			if !superseded {
				out = append(out, c)
			}
		}
		return out
	})
}

// answers reports that run d tells what run c told: the same check, or a wider
// one.
func answers(c, d *classify.Check) bool {
	if len(c.Argv) == 0 || len(d.Argv) == 0 {
		return c.Name != "" && c.Name == d.Name
	}
	if c.Kind == runner.Build && d.Kind == runner.Build && d.Status == classify.Green && c.Dir == d.Dir {
		return true // another command line got the same thing built
	}
	return runner.Satisfies(c.Check, d.Check) || d.Kind == c.Kind && d.Status == classify.Green && wholeSuite(d) && (d.Dir == "" || d.Dir == c.Dir)
}

// wholeSuite reports that a run was not narrowed to a part of its suite.
func wholeSuite(c *classify.Check) bool {
	if c.Runner == "script" {
		return false
	}
	for _, s := range c.Selection {
		if s != "./..." && s != "..." {
			return false
		}
	}
	return true
}

// redBefore reports that the same check was as red before the first change of
// the episode.
func redBefore(v *classify.View, e *classify.Episode, c *classify.Check) bool {
	before := redEarlier(v, e)
	return !before.changed || slices.ContainsFunc(before.red, func(d *redRun) bool {
		return d.failed >= c.Summary.Failed+c.Summary.Errors && answers(c, d.Check)
	})
}

// reportWasTheTask reports that the closing text itself states the red counts:
// the failures were what was asked for.
func reportWasTheTask(v *classify.View, e *classify.Episode) bool {
	for _, c := range e.Statement.Claims {
		if c.Negated && c.Kind == "tests-pass" {
			return true
		}
	}
	return false
}

func reportRed(p *classify.Pass, e *classify.Episode, c *classify.Check) {
	grade := e.Grade
	if grade == classify.Recorded {
		grade = classify.Observed
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, c.Event},
		Message:   fmt.Sprintf("the last result of %q is red%s", c.Title(), failures(c.Summary)),
		Structure: []string{c.Runner, string(c.Kind)},
	})
}

func failures(s runner.Summary) string {
	if n := s.Failed + s.Errors; s.Seen && n > 0 {
		return fmt.Sprintf(" (%d failed)", n)
	}
	return ""
}
