package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
)

var summaryContradictsExit = classify.Rule{
	Name:    "acceptance/summary-contradicts-exit",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The runner counts failures while the exit status or the report says clean",
		Text:     "The summary that the runner itself printed at the end shows failed tests or errors, and the status that the harness read, or what it reported of the check, is that of a success. Whoever trusts the status accepts a red check.",
		Fires:    "`./ci/run-tests.sh` prints \"2 failed, 94 passed\" and exits 0.",
		NearMiss: "A summary of an earlier run that is quoted in the output, counts of a program that is no check, expected failures, a red summary with a red status, a status that a pipe masked (masked-exit), failures that the command line says to ignore.",
		Occasion: "an accepted episode in which a check ran",
		Needs:    "the output and the exit status of checks",
		Owner:    classify.Acceptance,
		Change:   "Read the runner's counts beside its exit status, and count a check as green only when both agree.",
		Metric:   "accepted checks whose counts and status differ",
	},
	Occasion: func(v *classify.View) bool { return len(acceptedWithChecks(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range acceptedWithChecks(v) {
			if e.Discloses() {
				continue
			}
			for _, c := range lastResults(v, e) {
				if s := c.Summary; !s.Seen || s.Clean || s.Failed+s.Errors == 0 || c.Masked != "" || redBefore(v, e, c) || toldToIgnore(c) {
					continue
				}
				if why := saidClean(v, e, c); why != "" {
					reportContradiction(p, e, c, why)
				}
			}
		}
	},
}

// saidClean is what told of a success, "" when nothing did.
func saidClean(v *classify.View, e *classify.Episode, c *classify.Check) string {
	switch {
	case c.ByUser:
		return ""
	case c.Action == nil:
		if c.Status == classify.Green {
			return "the harness reports it as green"
		}
	case c.Action.Exit != nil && *c.Action.Exit == 0:
		return "the exit status is 0"
	case c.Action.Exit == nil && c.Action.Outcome == "ok":
		return "the call counts as a success"
	}
	if e.Record == nil || c.Action == nil {
		return ""
	}
	en := entriesOf(v, e.Record.Completion)
	same := en.called[argvKey(c.Argv)]
	for _, i := range same[max(0, len(same)-mostNamesakes):] {
		r := en.all[i]
		again := !r.Started.IsZero() && !c.Event.Event.At.IsZero() && r.Started.After(c.Event.Event.At)
		if isGreen(r) && !again {
			return "the record reports it as passed"
		}
	}
	return ""
}

func reportContradiction(p *classify.Pass, e *classify.Episode, c *classify.Check, why string) {
	cite := []classify.Cite{c.Event, e.At}
	if c.Action != nil {
		cite = append(cite, c.Action.Cite())
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: e.Grade, Episode: e.Index, At: c.Pos,
		Cite:      cite,
		Message:   fmt.Sprintf("the summary of %q counts %d failures and errors, but %s", c.Title(), c.Summary.Failed+c.Summary.Errors, why),
		Structure: []string{c.Runner, string(c.Kind)},
	})
}

// toldToIgnore reports that the command line itself asks for status 0 whatever
// is found.
func toldToIgnore(c *classify.Check) bool {
	for i, w := range c.Argv {
		name, value, attached := strings.Cut(w, "=")
		if !attached && i+1 < len(c.Argv) {
			value = c.Argv[i+1]
		}
		if strings.Contains(name, "exit-zero") || value == "0" && (strings.HasSuffix(name, "exit-code") || strings.HasSuffix(name, "exit-status")) {
			return true
		}
	}
	return false
}
