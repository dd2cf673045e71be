package atif_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/atif"
	"github.com/faultline-dev/faultline/ingest/decodetest"
)

func TestCorpus(t *testing.T) {
	n := 0
	for _, row := range decodetest.Rows(t) {
		data := row.Read(t)
		require.Equal(t, row.Format == "atif", atif.Format.Detect(data[:min(len(data), 64<<10)]), row.File)
		if row.Format != "atif" {
			continue
		}
		n++
		t.Run(row.File, func(t *testing.T) { checkRow(t, row, data) })
	}
	require.NotZero(t, n)
}

func checkRow(t *testing.T, row decodetest.Row, data []byte) {
	b := decodetest.New()
	r := b.Again(t, atif.Format, row.File, data)
	run := b.Run(t, r)
	assert.Equal(t, row.Fact("steps"), r.Units)
	assert.Equal(t, row.Fact("steps"), r.Stored)
	assert.Equal(t, row.Calls, decodetest.Count(run, ingest.ToolCall))
	assert.Equal(t, row.Results, decodetest.Count(run, ingest.ToolResult))

	var out, prompt, cached int64
	orphans, errs, copied, lastUnit := 0, 0, 0, -1
	calls, answered := map[int][]string{}, map[int]map[string]bool{}
	for i := range run.Events {
		e := &run.Events[i]
		if e.Usage != nil {
			out, prompt, cached = out+e.Usage.Output, prompt+e.Usage.Input(), cached+e.Usage.CacheRead
			assert.False(t, e.Usage.Violation)
		}
		if e.Copied && e.Unit != lastUnit {
			copied++
		}
		lastUnit = e.Unit
		switch {
		case e.Kind == ingest.ToolCall:
			calls[e.Unit] = append(calls[e.Unit], e.Call)
		case e.Kind == ingest.ToolResult:
			if answered[e.Unit] == nil {
				answered[e.Unit] = map[string]bool{}
			}
			answered[e.Unit][e.Call] = true
			if e.Outcome == ingest.Fail || e.Outcome == ingest.Unknown {
				errs++
			}
		}
	}
	for unit, ids := range calls {
		for _, id := range ids {
			if !answered[unit][id] {
				orphans++
			}
		}
	}
	assert.Equal(t, row.Orphans, orphans)
	assert.Equal(t, row.Fact("error_results"), errs)
	assert.Equal(t, row.Fact("copied_steps"), copied)
	assert.EqualValues(t, row.Fact("step_completion_tokens"), out)
	if row.Fact("copied_steps") == 0 {
		assert.EqualValues(t, row.Fact("final_prompt_tokens"), prompt)
		assert.EqualValues(t, row.Fact("final_cached_tokens"), cached)
	}
	lost := 0
	for _, x := range run.Executions() {
		if x.Call >= 0 && x.Result < 0 {
			lost++
			assert.Equal(t, ingest.Unknown, x.Outcome)
		}
	}
	assert.Equal(t, row.Orphans, lost)
}
