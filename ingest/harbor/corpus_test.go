package harbor_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/harbor"
)

func TestCorpus(t *testing.T) {
	rows := map[string]decodetest.Row{}
	n := 0
	all := decodetest.Rows(t)
	for _, row := range all {
		rows[row.File] = row
	}
	for _, row := range all {
		if row.Format == "harbor-result" {
			n++
			t.Run(row.File, func(t *testing.T) { checkTrial(t, row, rows) })
		}
	}
	require.NotZero(t, n)
}

func checkTrial(t *testing.T, row decodetest.Row, rows map[string]decodetest.Row) {
	dir := path.Dir(row.File)
	b := decodetest.New()
	trial, receipts := b.Trial(t, harbor.Folder, os.DirFS(filepath.Dir(row.Path())))
	require.NotNil(t, trial)
	run := b.Run(t, receipts[0])
	for i, r := range receipts {
		if r.Stored > 0 {
			assert.Equal(t, []string{run.ID}, r.Runs, trial.Members[i].Path)
		}
		assert.Zero(t, r.Quarantined)
		indexed := rows[dir+"/"+trial.Members[i].Path]
		require.NotEmpty(t, indexed.File)
		if strings.HasPrefix(indexed.Format, "harbor") || indexed.Format == "ctrf" {
			assert.Equal(t, 1, r.Units)
		}
	}
	members := map[string]bool{}
	for _, m := range trial.Members {
		members[dir+"/"+m.Path] = true
	}
	for file := range rows {
		if strings.HasPrefix(file, dir+"/") {
			assert.True(t, members[file], "%s is no member", file)
		}
	}
	assert.Equal(t, path.Base(dir), run.Meta.Native)
	assert.True(t, run.Meta.Trial)
	assert.Equal(t, "claude-code", run.Meta.Harness)
	assert.NotZero(t, run.Grade&ingest.HasGrader)

	main := rows[dir+"/agent/trajectory.json"]
	log := rows[dir+"/agent/claude-code.txt"]
	claims := strings.Count(string(log.Read(t)), `{"type":"result"`)
	if main.File == "" {
		main = log
		assert.EqualValues(t, main.OutTokens, run.Usage().Output)
	} else {
		assert.EqualValues(t, row.Fact("n_output_tokens"), run.Usage().Output)
		assert.EqualValues(t, row.Fact("n_input_tokens"), run.Usage().Input())
	}
	assert.Equal(t, main.Calls, decodetest.Count(run, ingest.ToolCall))
	assert.Equal(t, main.Results, decodetest.Count(run, ingest.ToolResult))

	var score *ingest.Event
	passed, failed, errs, outputs := 0, 0, 0, 0
	for i := range run.Events {
		switch e := &run.Events[i]; {
		case e.Kind == ingest.Score:
			require.Nil(t, score)
			score = e
		case e.Kind == ingest.Check && e.Outcome == ingest.OK:
			passed++
		case e.Kind == ingest.Check && e.Outcome == ingest.Fail:
			failed++
		case e.Kind == ingest.Error && e.Actor == ingest.Harness && e.Name == row.Facts["exception"]:
			errs++
			assert.Equal(t, ingest.TimedOut, e.Reason)
			assert.NotEmpty(t, run.Text(e))
			assert.False(t, e.At.After(run.End()))
		case e.Kind == ingest.Claim:
			claims--
			assert.Equal(t, ingest.OK, e.Outcome)
		case e.Name == "verifier-output":
			outputs++
		}
	}
	assert.Zero(t, claims, "ends that the agent's log states")
	require.NotNil(t, score)
	verdict := "reward null"
	if score.Value != nil {
		verdict = fmt.Sprintf("reward %.1f", *score.Value)
		assert.Equal(t, *score.Value >= 1, score.Outcome == ingest.OK)
	} else {
		assert.Equal(t, ingest.Unknown, score.Outcome)
		assert.Equal(t, ingest.TimedOut, score.Reason)
	}
	assert.Equal(t, row.Verdict, verdict)
	assert.False(t, score.At.IsZero())
	checks := rows[dir+"/verifier/ctrf.json"]
	assert.Equal(t, checks.Fact("passed"), passed)
	assert.Equal(t, checks.Fact("failed"), failed)
	assert.Equal(t, row.Facts["exception"] != nil, errs == 1)
	assert.Equal(t, 1, outputs)
}
