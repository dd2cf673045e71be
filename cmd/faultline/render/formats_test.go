package render_test

import (
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
)

func hostileVerdicts() []classify.Verdict {
	return []classify.Verdict{{
		Run: "r1", Layer: classify.Acceptance,
		Findings: []classify.Finding{
			{ID: "f1", Rule: "acceptance/missing-check", Severity: classify.Medium, Fingerprint: "aa", Message: "a | b `@all` <script>\nx\x1b[31m", Episode: 1,
				Refs: []ingest.Ref{{File: "logs/a b#1.jsonl", Line: 3, Seq: 1}, {File: "logs/a b#1.jsonl", Line: 9, Seq: 4}}},
			{ID: "f2", Rule: "acceptance/false-success", Severity: classify.High, Fingerprint: "bb", Message: "mail «email:0123456789ab»", Episode: 1,
				Refs: []ingest.Ref{{File: "/abs/run.eval", Member: "samples/1.json", Line: 1}, {File: "spans.pb", Offset: 10, Length: 20}}},
		},
	}}
}

// TestSARIF: the log is valid, loudest first, and its places can be opened.
func TestSARIF(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.SARIF(&b, hostileVerdicts(), rules.All(), "v1"))
	log, err := sarif.FromString(b.String(), sarif.WithStrictValidation())
	require.NoError(t, err)
	require.NoError(t, log.Validate())
	run := log.Runs[0]
	require.Len(t, run.Tool.Driver.Rules, len(rules.All()))
	first, second := run.Results[0], run.Results[1]
	require.Equal(t, "error", first.Level)
	require.Equal(t, "mail «email 1»", *first.Message.Text)
	require.Equal(t, "file:///abs/run.eval", *first.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Nil(t, first.Locations[0].PhysicalLocation.Region, "a line of a member is no line of the archive")
	require.Equal(t, "logs/a%20b%231.jsonl", *second.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Equal(t, 3, *second.Locations[0].PhysicalLocation.Region.StartLine)
	require.Equal(t, rules.All()[second.RuleIndex].Name, *second.RuleID)
}

// TestMarkdown: text of a trace is no mark-up, and breaks no table.
func TestMarkdown(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.Markdown(&b, render.Report{Verdicts: hostileVerdicts()}))
	require.Contains(t, b.String(), "| acceptance/missing-check | `a \\| b '@all' <script>\\nx")
	require.Contains(t, b.String(), "«email 1»")
	require.NotContains(t, b.String(), "\x1b")

	many := hostileVerdicts()
	for range 60_000 {
		many[0].Findings = append(many[0].Findings, many[0].Findings[1])
	}
	b.Reset()
	require.NoError(t, render.Markdown(&b, render.Report{Verdicts: many}))
	require.Less(t, b.Len(), 1<<20)
	require.Contains(t, b.String(), "lines left out")
}
