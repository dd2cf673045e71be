package render

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
)

var update = flag.Bool("update", false, "rewrite golden files")

// everything is a report with all sections.
func everything() Report {
	tally := &Tally{}
	tally.Add(&ingest.Receipt{Source: "logs/a.jsonl", Format: "event/v1", Units: 9, Stored: 8, Duplicates: 1})
	tally.Add(&ingest.Receipt{Source: "logs/torn.jsonl", Format: "event/v1", Units: 7, Stored: 4, Quarantined: 2, Skipped: 1, Reasons: []ingest.ReasonCount{
		{Kind: "truncated", Count: 2, First: ingest.Position{Line: 6, Offset: 300, Cause: "unexpected end \x1b[2J"}},
		{Kind: "empty", Count: 1, First: ingest.Position{Line: 3}},
	}})
	tally.Add(&ingest.Receipt{Source: "logs/closed", Format: "unknown", Units: 1, Skipped: 1, Reasons: []ingest.ReasonCount{
		{Kind: "unreadable", Count: 1, First: ingest.Position{Line: 1, Cause: "permission denied"}}}})
	ref := func(run, file string, seq int) ingest.Ref {
		return ingest.Ref{Run: run, Source: "s", Seq: seq, File: file, Line: seq + 2}
	}
	return Report{
		Verdicts: []classify.Verdict{
			{Run: "aaaaaaaaaaaaaaaaaaaaaaaa", Source: "logs/a.jsonl", Layer: classify.Runtime, Owner: classify.Runtime, Findings: []classify.Finding{
				{Rule: "runtime/environment", Severity: classify.Medium, Grade: classify.Inferred, Message: "the disk is full", Refs: []ingest.Ref{ref("aaaaaaaaaaaaaaaaaaaaaaaa", "logs/a.jsonl", 4)}},
				{Rule: "acceptance/masked-exit", Severity: classify.Low},
			}},
			{Run: "bbbbbbbbbbbbbbbbbbbbbbbb", Source: "logs/b.jsonl", Layer: classify.Acceptance, Owner: classify.Acceptance, Findings: []classify.Finding{
				{Rule: "acceptance/stale-check", Severity: classify.High, Grade: classify.Observed,
					Message: "the check of «email:0123456789ab» was green before \x1b]0;x\a a change that it reads, and nobody ran it again after that",
					Refs: []ingest.Ref{
						ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/sub agent.jsonl", 7), ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/b.jsonl", 2),
						ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/b.jsonl", 3), ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/b.jsonl", 4),
						ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/b.jsonl", 5), ref("bbbbbbbbbbbbbbbbbbbbbbbb", "logs/b.jsonl", 6),
					}},
			}},
			{Run: "cccccccccccccccccccccccc", Source: "logs/c.jsonl", Layer: classify.None, Owner: classify.None,
				Findings: []classify.Finding{{Rule: "handoff/unverified-resume", Severity: classify.Low}}},
			{Run: "dddddddddddddddddddddddd", Source: "logs/d.jsonl", Layer: classify.CannotTell, Owner: classify.CannotTell,
				Format: "otlp-json", Abstentions: []classify.Abstention{{Rule: "acceptance/missing-check", Missing: "exit_codes"}}},
		},
		Clusters: []regress.Cluster{{Fingerprint: "0123456789ab", Rule: "acceptance/stale-check", Severity: classify.High,
			Runs: []string{"bbbbbbbbbbbbbbbbbbbbbbbb"}, Count: 1, Title: "the check was green before a change that it reads, and nobody ran it again"}},
		Rules:    []classify.Rule{{Name: "acceptance/missing-check", Doc: classify.Doc{Needs: "results of commands with their exit status"}}},
		Unlinked: []ingest.Ref{ref("r", "records/x.jsonl", 1)},
		Cases: []CaseFile{
			{Fingerprint: "0123456789ab", Rule: "acceptance/stale-check", Path: "cases/a.txtar", Known: true},
			{Fingerprint: "ba9876543210", Rule: "acceptance/false-success", Problem: "the case does not show its finding"},
		},
		Tally: tally,
	}
}

func TestReport(t *testing.T) {
	for name, style := range map[string]Style{
		"report.txt":        {},
		"report-narrow.txt": {Width: 60, Flags: "--store /srv/store --records harness/records"},
		"report-colour.txt": {Color: true},
	} {
		var out bytes.Buffer
		text := NewText(&out, style)
		text.Report(everything())
		require.NoError(t, text.Flush())
		golden(t, filepath.Join("testdata", name), out.Bytes())
	}
}

// TestSkipped: what was skipped is told by reason, the most frequent first,
// and is not mixed with what was quarantined.
func TestSkipped(t *testing.T) {
	why := func(kind string, n int, cause string) ingest.ReasonCount {
		return ingest.ReasonCount{Kind: kind, Count: n, First: ingest.Position{Cause: cause}}
	}
	tally := Tally{}
	tally.Add(&ingest.Receipt{Skipped: 2, Reasons: []ingest.ReasonCount{why("unknown-format", 2, "")}})
	tally.Add(&ingest.Receipt{Quarantined: 1, Reasons: []ingest.ReasonCount{why("truncated", 1, "unexpected end")}})
	tally.Add(&ingest.Receipt{Skipped: 10, Quarantined: 4, Reasons: []ingest.ReasonCount{
		why("second-view", 7, ""), why("invalid-json", 4, "unexpected"), why("empty", 2, ""), why("oversized", 1, "9 bytes"),
	}})
	var out bytes.Buffer
	text := NewText(&out, Style{})
	text.Sum(tally)
	require.NoError(t, text.Flush())
	require.Equal(t, "3 files, 0 units: 0 stored, 0 known before, 12 skipped, 5 quarantined\n"+
		"skipped: 7 second-view, 2 empty, 2 unknown-format, 1 oversized\n", out.String())
}

// TestReportCaps: the report of many runs stays readable and says what it
// leaves out.
func TestReportCaps(t *testing.T) {
	run := everything().Verdicts[1]
	for i := range 199 {
		f := run.Findings[0]
		f.Message += strconv.Itoa(i)
		run.Findings = append(run.Findings, f)
	}
	r := everything()
	for i := range 5000 {
		run.Run = fmt.Sprintf("%024d", i)
		r.Verdicts = append(r.Verdicts, run)
		r.Clusters = append(r.Clusters, r.Clusters[0])
		r.Cases = append(r.Cases, r.Cases[0])
		r.Tally.Add(r.Tally.Problems[0])
	}
	var out bytes.Buffer
	text := NewText(&out, Style{})
	text.Report(r)
	require.NoError(t, text.Flush())
	require.Less(t, bytes.Count(out.Bytes(), []byte("\n")), 6000)
	for _, want := range []string{
		"5004 runs: ", "and 4952 runs more", "and 190 findings more", "and 4971 clusters more", "and 4952 more in the same folder",
		"and 4982 files more",
	} {
		require.Contains(t, out.String(), want)
	}
}

// golden compares with a file, or rewrites it with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
