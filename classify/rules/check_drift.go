package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest/record"
)

var checkDrift = classify.Rule{
	Name:    "acceptance/check-drift",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "The checks of one decision were not run on one environment and grader",
		Text:     "A record accepts work on checks whose environment or grader version is missing, or differs from one check to the other. Together they speak of no one system.",
		Fires:    "The unit tests ran on Node 22, the type check on Node 24, and the record accepts on both.",
		NearMiss: "The version changed and every check was run again; each runner has a version of its own; two rounds differ and each decision rests on one.",
		Occasion: "a Completion record that accepts on results of checks",
		Needs:    "the record",
		Owner:    classify.Acceptance,
		Change:   "Pin environment and grader for a decision, write both into each result, and run all checks again when one moves.",
		Metric:   "decisions on results of more than one environment",
	},
	Occasion: hasRecordedAcceptance,
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range recordedAcceptances(v) {
			if why, message := drift(entriesOf(v, e.Record.Completion).last); why != "" {
				reportOfRecord(p, e, classify.Medium, message, why)
			}
		}
	},
}

// drift finds what keeps the last results of a decision from standing together.
func drift(checks []record.Check) (why, message string) {
	var first *record.Check
	graders := map[string]string{} // version of a grading program
	for i := range checks {
		c := &checks[i]
		if !hasResult(*c) {
			continue
		}
		switch {
		case blank(c.Environment):
			return "environment missing", fmt.Sprintf("the record accepts, and check %q has no environment", classify.Clip(c.Name, 60))
		case blank(c.Grader):
			return "grader missing", fmt.Sprintf("the record accepts, and check %q has no grader version", classify.Clip(c.Name, 60))
		case first == nil:
			first = c
		case !same(first.Environment, c.Environment):
			return "environment differs", fmt.Sprintf("checks %q and %q of one decision ran in different environments (%s; %s)",
				classify.Clip(first.Name, 40), classify.Clip(c.Name, 40), classify.Clip(first.Environment, 40), classify.Clip(c.Environment, 40))
		}
		program, version := graderOf(c)
		if was, known := graders[program]; known && program != "" && was != version {
			return "grader differs", fmt.Sprintf("checks of one decision were graded by two versions of %s (%s, %s)",
				classify.Clip(program, 40), classify.Clip(was, 20), classify.Clip(version, 20))
		}
		graders[program] = version
	}
	return "", ""
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func same(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// versioned splits a grader into program and version: "pytest-8.4.1",
// "go1.26.0", "playwright 1.50".
var versioned = phrase.MustCompile(`(?i)^(.*?)[-@:/_ ]*v?(\d+(?:\.[\w+-]+)+|\d+)$`)

// graderOf is the program that graded a check and its version. A digest or a
// name without a version has no program that another could share.
func graderOf(c *record.Check) (program, version string) {
	m := versioned.FindStringSubmatch(strings.TrimSpace(c.Grader))
	if m == nil {
		return "", ""
	}
	program = strings.ToLower(m[1])
	if program == "" {
		if known, ok := runner.Recognize(c.Argv); ok {
			program = known.Runner
		}
	}
	return program, m[2]
}
