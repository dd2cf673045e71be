package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

var claimContradictsResult = classify.Rule{
	Name:    "acceptance/claim-contradicts-result",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "The closing claim says something else than the last recorded result",
		Text:     "A number, a status, a commit, a file or a state in the closing text is denied by what was recorded last: the runner counted fewer tests or a failure, the coverage report shows less, git made another commit, the file is not there, the tool's reply says that it did not happen, or every call for it failed.",
		Fires:    "The only run shows 41 passed; the closing text says that 48 pass.",
		NearMiss: "A later, successful retry; rounding; a different suite, a part or a sum; before and after; a reply that states nothing; a claim that tells it as it is.",
		Occasion: "an accepted episode with a closing text, or a closing text after an external effect",
		Needs:    "results of tools and checks",
		Owner:    classify.Acceptance,
		Change:   "Fill numbers and states of the closing report from the record instead of letting the model write them.",
		Metric:   "claims that the record denies",
	},
	Occasion: func(v *classify.View) bool {
		for _, e := range v.Judged() {
			if e.Closing.Event != nil && (e.Accepted || len(v.EffectsIn(e.Begin-1, e.ClosePos+1)) > 0) {
				return true
			}
		}
		return false
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if e.Closing.Event == nil || e.Discloses() {
				continue
			}
			if e.Accepted {
				for _, find := range []func(*classify.View, *classify.Episode) *contradiction{redTests, tooManyTests, tooMuchCoverage, otherCommit, absentFile} {
					if c := find(v, e); c != nil {
						reportDenied(p, e, c)
					}
				}
			}
			if c := deniedState(v, e); c != nil {
				reportDenied(p, e, c)
			} else if c := failedEffect(v, e); c != nil {
				reportDenied(p, e, c)
			}
		}
	},
}

// contradiction is what a record denies of a claim.
type contradiction struct {
	kind, message string
	by            classify.Cite
}

// reportDenied reports a contradiction. An effect that a text calls done is a
// claim of success where nothing else accepts the episode.
func reportDenied(p *classify.Pass, e *classify.Episode, c *contradiction) {
	grade, at, pos := classify.Inferred, e.Closing, e.ClosePos
	if e.Accepted {
		grade, at, pos = e.Grade.Weaker(classify.Observed), e.At, e.AtPos
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: pos,
		Cite:      []classify.Cite{e.Closing, c.by, at},
		Message:   c.message,
		Structure: []string{c.kind},
	})
}

// claimed is the first claim of a kind that the closing text does not deny.
func claimed(e *classify.Episode, kinds ...claim.Kind) *claim.Claim {
	for i := range e.Statement.Claims {
		c := &e.Statement.Claims[i]
		for _, k := range kinds {
			if c.Kind == k && !c.Negated {
				return c
			}
		}
	}
	return nil
}

// lastTests is the last test run of an episode that told a result, else nil.
func lastTests(v *classify.View, e *classify.Episode) (last *classify.Check) {
	for _, c := range checksOf(v, e) {
		if c.Kind == runner.Test && (c.Status == classify.Green || c.Status == classify.Red) {
			last = c
		}
	}
	return last
}

// redTests: "all tests pass" over a last test run that is red.
func redTests(v *classify.View, e *classify.Episode) *contradiction {
	c := lastTests(v, e)
	if claimed(e, claim.TestsPass) == nil || c == nil || c.Status != classify.Red || redBefore(v, e, c) || reportWasTheTask(v, e) {
		return nil
	}
	if c.Summary.Seen && c.Summary.Failed == 0 {
		return nil // no test failed: the errors lie beside them
	}
	return &contradiction{"status", fmt.Sprintf("claims that the tests pass, but the last result of %q is red%s", c.Title(), failures(c.Summary)), c.Event}
}

// tooManyTests: a count above everything that was counted.
func tooManyTests(v *classify.View, e *classify.Episode) *contradiction {
	sum, last := 0, (*classify.Check)(nil)
	for _, c := range lastResults(v, e) {
		s := c.Summary
		if c.Kind != runner.Test {
			continue
		}
		if !s.Seen || s.Total == 0 || !countsTests[s.Runner] {
			return nil // what it counted is not known
		}
		sum, last = sum+max(s.Total, s.Passed+s.Failed+s.Errors+s.Skipped), c
	}
	if last == nil {
		return nil
	}
	for _, c := range e.Statement.Claims {
		n := max(c.Number, c.Total)
		if c.Kind == claim.TestsPass && !c.Negated && n > sum && !printedElsewhere(v, e, n) {
			return &contradiction{"count", fmt.Sprintf("claims %d tests, but the last results count %d", n, sum), last.Event}
		}
	}
	return nil
}

// countsTests names the summaries that count single tests, each once.
var countsTests = map[string]bool{"pytest": true, "vitest": true, "jest": true, "playwright": true, "mocha": true, "unittest": true, "node --test": true,
	"rspec": true, "minitest": true, "mix test": true, "phpunit": true, "pest": true, "bun test": true, "deno test": true, "dotnet test": true, "ctest": true, "gtest": true}
