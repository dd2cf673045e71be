package render

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress/check"
)

// The elements of JUnit XML in the order in which its schemas want them.
type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Skipped *junitReason `xml:"skipped"`
	Error   *junitReason `xml:"error"`
	Failure *junitReason `xml:"failure"`
}

type junitReason struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a check as JUnit XML: one test case for each trial, and one for
// a case without. A regression is a failure; what cannot be told, is invalid or
// is no case is an error; what gates nothing, is known or was not exercised is
// skipped. Without a time: the same check gives the same bytes.
func JUnit(w io.Writer, r *check.Report) error {
	j := junit{mask: redact.NewMasker(), suite: junitSuite{Name: "faultline regress check"}}
	for _, c := range r.Cases {
		if len(c.Trials) == 0 {
			j.add(c, c.ID, c.Outcome, c.Detail, nil)
		}
		for _, t := range c.Trials {
			j.add(c, c.ID+" in "+t.Source, t.Outcome, t.Why, refsOf(t))
		}
	}
	data, err := xml.MarshalIndent(junitSuites{Name: "faultline", Suites: []junitSuite{j.suite}}, "", "  ")
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if _, err := io.WriteString(w, xml.Header+string(data)+"\n"); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

type junit struct {
	mask  *redact.Masker
	suite junitSuite
}

func (j *junit) safe(s string) string { return Clean(j.mask.Mask(s)) }

func (j *junit) add(c check.CaseResult, name string, o check.Outcome, why string, refs []string) {
	out := junitCase{Name: j.safe(name), Class: j.safe(c.Rule)}
	if c.ID == "" {
		out.Name, out.Class = j.safe(c.Name), "suite"
	}
	reason := &junitReason{Message: j.safe(why)}
	for _, ref := range refs {
		reason.Text += j.safe(ref) + "\n"
	}
	switch {
	case o == check.Passed:
	case o == check.Skipped, o == check.NotExercised, c.Known:
		reason.Text = ""
		out.Skipped = reason
		j.suite.Skipped++
	case o == check.Regressed:
		reason.Type = string(o)
		out.Failure = reason
		j.suite.Failures++
	default:
		reason.Type = string(o)
		out.Error = reason
		j.suite.Errors++
	}
	j.suite.Tests++
	j.suite.Cases = append(j.suite.Cases, out)
}
