package render_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
)

// hostileCheck has every outcome, and texts that imitate each format's own.
func hostileCheck() *check.Report {
	trial := func(o check.Outcome, why string, refs ...string) check.Trial {
		return check.Trial{Run: "r1", Source: "logs/a,b.jsonl", Outcome: o, Why: why, Results: []expect.Result{{Why: why, Refs: refs}}}
	}
	hostile := "x\n::error::y ]]> <failure/> | `z` \x1b[31m 100%"
	return &check.Report{Runs: 2, Cases: []check.CaseResult{
		{Name: "a.txtar", ID: "a1", Rule: "idempotency/blind-retry", Outcome: check.Regressed, Detail: hostile, Passed: 1,
			Trials: []check.Trial{trial(check.Passed, ""), trial(check.Regressed, hostile, "logs/a,b.jsonl:7")}},
		{Name: "b.txtar", ID: "b1", Rule: "acceptance/stale-check", Outcome: check.CannotTell, Detail: "not recorded",
			Trials: []check.Trial{trial(check.CannotTell, "not recorded")}},
		{Name: "k.txtar", ID: "k1", Rule: "acceptance/stale-check", Outcome: check.Regressed, Known: true, Detail: "again",
			Trials: []check.Trial{trial(check.Regressed, "again", "logs/k.jsonl:1")}},
		{Name: "c.txtar", ID: "c1", Rule: "handoff/repeated-work", Outcome: check.Skipped, Detail: "candidate, gates nothing"},
		{Name: "d.txtar", ID: "d1", Rule: "handoff/repeated-work", Outcome: check.NotExercised, Detail: "no run", Trials: []check.Trial{}},
		{Name: "bad\x1b.txtar", Outcome: check.Malformed, Detail: hostile},
	}}
}

// TestJUnit: what reads JUnit XML counts the same, and texts stay texts.
func TestJUnit(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.JUnit(&b, hostileCheck()))
	var got struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
	require.Equal(t, []int{7, 1, 2, 3}, []int{got.Suite.Tests, got.Suite.Failures, got.Suite.Errors, got.Suite.Skipped})
	require.Len(t, got.Suite.Cases, 7)
	failed := got.Suite.Cases[1]
	require.NotNil(t, failed.Failure)
	require.Contains(t, failed.Failure.Message, `x\n::error::y ]]> <failure/>`)
	require.Equal(t, "logs/a,b.jsonl:7\n", failed.Failure.Text)
	require.NotContains(t, b.String(), "\x1b")
}

func TestCheckSARIF(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.CheckSARIF(&b, hostileCheck(), "v1"))
	log, err := sarif.FromString(b.String(), sarif.WithStrictValidation())
	require.NoError(t, err)
	require.NoError(t, log.Validate())
	results := log.Runs[0].Results
	require.Len(t, results, 3)
	require.Equal(t, "error", results[0].Level)
	require.Equal(t, "logs/a,b.jsonl", *results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Equal(t, 7, *results[0].Locations[0].PhysicalLocation.Region.StartLine)
	require.Equal(t, "warning", results[2].Level, "known in the baseline")
	require.NotContains(t, b.String(), "\x1b")
}

// TestAnnotations: no text of a trace begins a workflow command of its own.
func TestAnnotations(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.Annotations(&b, hostileCheck()))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 5)
	require.True(t, strings.HasPrefix(lines[0], "::error file=logs/a%2Cb.jsonl,line=7,title=Case a1 regressed::idempotency/blind-retry: "), lines[0])
	require.Contains(t, lines[0], "100%25")
	require.True(t, strings.HasPrefix(lines[2], "::warning file=logs/k.jsonl,line=1,"), lines[2])
	require.True(t, strings.HasPrefix(lines[4], "::notice title=Faultline::6 cases, 2 runs:"), lines[4])
}

func TestCheckMarkdown(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.CheckMarkdown(&b, hostileCheck()))
	require.Contains(t, b.String(), "| regressed | `a1` | idempotency/blind-retry | 1 of 2 | `x\\n::error::y ]]> <failure/> \\| 'z'")
	require.Contains(t, b.String(), "| known | `k1`")
	require.NotContains(t, b.String(), "\x1b")
}
