package claude_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
)

const begin = `{"type":"system","subtype":"init","cwd":"/srv/app","session_id":"s-1","model":"model-x","claude_code_version":"9.9.9","uuid":"i-1"}`

func ended(uuid, subtype, members string) string {
	return `{"type":"result","subtype":"` + subtype + `","session_id":"s-1","uuid":"` + uuid + `",` + members + `}`
}

// TestStream: the tokens of the result line repeat those of the messages, and
// its cost is a running total.
func TestStream(t *testing.T) {
	run, _ := load(t, claude.Stream, lines(
		begin,
		`{"type":"assistant","message":{"id":"m-1","model":"model-x","content":[{"type":"text","text":"Working."}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":4}},"parent_tool_use_id":null,"session_id":"s-1","uuid":"a-1"}`,
		`{"type":"assistant","message":{"id":"m-2","model":"model-x","content":[`+toolUse("t-1", "Bash", `{"command":"ls"}`)+`],"usage":{"input_tokens":1,"output_tokens":6}},"parent_tool_use_id":"t-0","session_id":"s-1","uuid":"a-2"}`,
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-1","content":"x","is_error":false}]},"parent_tool_use_id":"t-0","session_id":"s-1","uuid":"r-1","tool_use_result":{"stdout":"x"}}`,
		ended("e-1", "success", `"is_error":false,"result":"All done","total_cost_usd":0.5,"usage":{"input_tokens":2,"output_tokens":10}`),
		`{"type":"system","subtype":"init","session_id":"s-1","uuid":"i-2"}`,
		ended("e-2", "success", `"is_error":false,"result":"Again","total_cost_usd":0.75,"usage":{"output_tokens":0}`),
	))
	assert.Equal(t, ingest.Meta{Native: "s-1", Cwd: "/srv/app", Model: "model-x", Harness: "claude-code", Version: "9.9.9"}, run.Meta)
	assert.Equal(t, ingest.Usage{InputUncached: 2, Output: 10, Cost: 0.75}, run.Usage())
	assert.Zero(t, run.Grade&ingest.HasTimes)
	assert.NotZero(t, run.Grade&ingest.HasEnds)
	require.Len(t, run.Events, 6)
	assert.True(t, run.Events[0].Open)
	assert.Equal(t, "t-0", run.Events[1].Agent)
	assert.Equal(t, `{"stdout":"x"}`, string(run.Detail(&run.Events[2])))
	end := &run.Events[3]
	assert.Equal(t, [3]string{"claim", "success", "ok"}, [3]string{string(end.Kind), end.Name, string(end.Outcome)})
	assert.Equal(t, "All done", run.Text(end))
	assert.Equal(t, ingest.Resume, run.Events[4].Kind)
}

func TestStreamEnds(t *testing.T) {
	for _, tc := range []struct {
		subtype, members string
		kind             ingest.Kind
		outcome          ingest.Outcome
		text             string
	}{
		{"success", `"is_error":true,"result":"API Error"`, ingest.Claim, ingest.Fail, "API Error"},
		{"success", `"is_error":false,"result":""`, ingest.Claim, ingest.OK, ""},
		{"error_max_turns", `"is_error":false`, ingest.Limit, ingest.Fail, ""},
		{"error_during_execution", `"is_error":true,"errors":["boom"]`, ingest.Error, ingest.Fail, "boom"},
		{"error_of_the_future", `"is_error":true`, ingest.Claim, ingest.Fail, ""},
	} {
		run, _ := load(t, claude.Stream, lines(begin, ended("e-1", tc.subtype, tc.members)))
		require.Len(t, run.Events, 1)
		e := &run.Events[0]
		assert.Equal(t, tc.kind, e.Kind, tc.subtype)
		assert.Equal(t, tc.subtype, e.Name)
		assert.Equal(t, tc.outcome, e.Outcome, tc.subtype)
		assert.Equal(t, tc.text, run.Text(e), tc.subtype)
		assert.NotEmpty(t, run.Detail(e))
	}
}

func TestStreamNotices(t *testing.T) {
	run, rc := load(t, claude.Stream, lines(
		"Installing the agent ...",
		begin,
		`{"type":"system","subtype":"api_retry","attempt":1,"error_status":null,"error":"unknown","session_id":"s-1","uuid":"x-1"}`,
		`{"type":"assistant","message":{"id":"m-1","content":[`+toolUse("t-1", "Bash", `{}`)+`]},"session_id":"s-1","uuid":"a-1"}`,
		`{"type":"system","subtype":"task_started","task_id":"b-1","session_id":"s-1","uuid":"x-2"}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t-1","content":"Command running in background with ID: b-1. Output goes to a file"}]},"timestamp":"2026-03-01T10:00:00Z","session_id":"s-1","uuid":"r-1"}`,
		`{"type":"system","subtype":"task_notification","task_id":"b-1","status":"completed","summary":"Background command \"x\" completed (exit code 0)","session_id":"s-1","uuid":"x-3"}`,
		`{"type":"system","subtype":"compact_boundary","session_id":"s-1","uuid":"x-4","compact_metadata":{"trigger":"manual","pre_tokens":3}}`,
		`{"type":"stream_event","event":{"type":"message_start"},"session_id":"s-1","uuid":"x-5"}`,
	))
	assert.Equal(t, 1, rc.Quarantined, "plain text is kept aside")
	assert.Equal(t, 8, rc.Stored)
	require.Len(t, run.Events, 5)
	retry := &run.Events[0]
	assert.Equal(t, [3]string{"error", "api_retry", ""}, [3]string{string(retry.Kind), retry.Name, string(retry.Outcome)})
	x := run.Executions()
	require.Len(t, x, 1)
	assert.Equal(t, ingest.OK, x[0].Outcome)
	assert.Equal(t, new(0), x[0].Exit)
	assert.Equal(t, "manual", only(t, run, ingest.Compaction).Name)
	assert.NotZero(t, run.Grade&ingest.HasTimes, "this version dates its results")
}
