package render

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress/check"
)

// CheckSARIF writes the trials that did not pass as one SARIF 2.1.0 log: a
// rule for each case, a result for each trial.
func CheckSARIF(w io.Writer, r *check.Report, version string) error {
	run := sarif.NewRun()
	run.Tool = sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("faultline").WithVersion(version))
	left := mostResults
	for _, c := range r.Cases {
		at := len(run.Tool.Driver.Rules)
		if c.Trials != nil {
			run.Tool.Driver.AddRule(sarif.NewRule("case/" + c.ID).WithDescription(c.Rule + ", case " + c.Name))
		}
		for _, t := range c.Trials {
			if t.Outcome == check.Passed || left == 0 {
				continue
			}
			left--
			run.AddResult(trialResult(c, t, at))
		}
	}
	var b bytes.Buffer
	if err := sarif.NewReport().AddRun(run).Write(&b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if _, err := io.WriteString(w, cleanJSON(redact.NewMasker().Mask(b.String()))+"\n"); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

func trialResult(c check.CaseResult, t check.Trial, rule int) *sarif.Result {
	level := "error"
	if t.Outcome != check.Regressed || c.Known {
		level = "warning"
	}
	res := sarif.NewRuleResult("case/" + c.ID).WithRuleIndex(rule).WithLevel(level).
		WithMessage(sarif.NewTextMessage(string(t.Outcome) + ": " + t.Why))
	res.WithPartialFingerprints(map[string]string{"case/v1": c.ID})
	res.WithProperties(sarif.NewPropertyBag().Add("run", t.Run).Add("outcome", string(t.Outcome)).Add("known", c.Known))
	file, line := firstPlace(t)
	place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(file)))
	if line > 0 {
		place.WithRegion(sarif.NewRegion().WithStartLine(line))
	}
	return res.WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(place)})
}

// firstPlace is where the deciding event stands, else the run's file.
func firstPlace(t check.Trial) (file string, line int) {
	if refs := refsOf(t); len(refs) > 0 {
		if i := strings.LastIndexByte(refs[0], ':'); i > 0 {
			if n, err := strconv.Atoi(refs[0][i+1:]); err == nil {
				return refs[0][:i], n
			}
		}
	}
	return t.Source, 0
}

// CheckMarkdown writes a check as a step summary of a CI job.
func CheckMarkdown(w io.Writer, r *check.Report) error {
	m := markdown{mask: redact.NewMasker()}
	m.add("## Faultline: regression check\n\n%s\n", checkSum(r))
	m.add("\n| outcome | case | rule | trials | detail |\n|---|---|---|--:|---|\n")
	for _, c := range r.Cases {
		label := c.ID
		if label == "" {
			label = c.Name
		}
		m.add("| %s | %s | %s | %d of %d | %s |\n", outcomeWord(c), m.code(label), c.Rule, c.Passed, len(c.Trials), m.code(caseDetail(c)))
	}
	if m.left > 0 {
		fmt.Fprintf(&m.b, "\n%s left out: a step summary holds no more.\n", plural(m.left, "line"))
	}
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// Annotations writes the trials that fail the check as workflow commands of
// GitHub Actions, one a line.
func Annotations(w io.Writer, r *check.Report) error {
	mask := redact.NewMasker()
	var b strings.Builder
	say := func(level, title, file string, line int, message string) {
		fmt.Fprintf(&b, "::%s file=%s", level, commandValue(Clean(mask.Mask(file))))
		if line > 0 {
			fmt.Fprintf(&b, ",line=%d", line)
		}
		fmt.Fprintf(&b, ",title=%s::%s\n", commandValue(title), commandText(Clean(mask.Mask(message))))
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Outcome == check.Malformed {
			say("error", "Malformed case", c.Name, 0, c.Detail)
		}
		for _, t := range c.Trials {
			if t.Outcome == check.Passed {
				continue
			}
			level := "error"
			if !c.Fails() {
				level = "warning"
			}
			file, line := firstPlace(t)
			say(level, "Case "+c.ID+" "+string(t.Outcome), file, line, c.Rule+": "+t.Why)
		}
	}
	fmt.Fprintf(&b, "::notice title=Faultline::%s\n", commandText(checkSum(r)))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// commandText escapes the message of a workflow command, commandValue one of its
// properties, as the runner's toolkit does.
func commandText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func commandValue(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandText(s))
}
