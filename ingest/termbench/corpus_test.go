package termbench_test

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/atif"
	"github.com/faultline-dev/faultline/ingest/claude"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/termbench"
)

var logs = []decode.Format{claude.Stream, atif.Format}

func TestCorpus(t *testing.T) {
	all := decodetest.Rows(t)
	rows, runs := map[string]decodetest.Row{}, map[string]bool{}
	for _, row := range all {
		rows[row.File] = row
	}
	for _, row := range all {
		if row.Format != "terminal-bench-results" {
			continue
		}
		t.Run(row.File, func(t *testing.T) {
			run := checkTrial(t, row, rows[path.Dir(row.File)+"/agent.jsonl"])
			assert.False(t, runs[run.ID], "two trials in one run")
			runs[run.ID] = true
		})
	}
	require.NotEmpty(t, runs)
}

func checkTrial(t *testing.T, row, log decodetest.Row) *ingest.Run {
	b := decodetest.New()
	trial, receipts := b.Trial(t, termbench.Folder(logs), os.DirFS(filepath.Dir(row.Path())))
	require.NotNil(t, trial)
	require.Len(t, receipts, 2)
	assert.Equal(t, "agent.jsonl", trial.Members[0].Path)
	run := b.Run(t, receipts[0])
	assert.Equal(t, receipts[0].Runs, receipts[1].Runs)
	assert.Equal(t, 1, receipts[1].Units)
	assert.Equal(t, trial.Native, run.Meta.Native)
	assert.True(t, run.Meta.Trial)
	assert.Equal(t, log.Calls, decodetest.Count(run, ingest.ToolCall))
	assert.Equal(t, log.Results, decodetest.Count(run, ingest.ToolResult))
	checks, instructions := 0, 0
	for i := range run.Events {
		e := &run.Events[i]
		switch {
		case e.Source != 1:
		case e.Kind == ingest.Check:
			checks++
			assert.Contains(t, []ingest.Outcome{ingest.OK, ingest.Fail}, e.Outcome)
		case e.Name == "instruction":
			instructions++
			assert.NotEmpty(t, run.Text(e))
		case e.Kind == ingest.Error:
			assert.Equal(t, row.Facts["failure_mode"], e.Name)
			assert.Equal(t, ingest.TimedOut, e.Reason)
		}
	}
	assert.Equal(t, row.Fact("checks"), checks)
	assert.Equal(t, 1, instructions)
	score := run.Events[len(run.Events)-1]
	assert.Equal(t, ingest.Score, score.Kind)
	assert.Equal(t, row.Facts["is_resolved"], score.Outcome == ingest.OK)
	assert.Equal(t, row.Verdict == "accepted", *score.Value == 1)
	assert.False(t, score.At.IsZero())
	return run
}
