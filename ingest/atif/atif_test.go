package atif_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/atif"
	"github.com/faultline-dev/faultline/ingest/decodetest"
)

// doc wraps steps into a trajectory.
func doc(steps ...string) []byte {
	return []byte(`{"schema_version":"ATIF-v1.6","session_id":"s-1","agent":{"name":"probe","version":"3","model_name":"m-1"},` +
		"\n\"steps\":[\n" + strings.Join(steps, ",\n") + "\n]}")
}

func load(t *testing.T, data []byte) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	b := decodetest.New()
	r := b.Again(t, atif.Format, "trajectory.json", data)
	return b.Run(t, r), r
}

func TestStep(t *testing.T) {
	run, r := load(t, doc(
		`{"step_id":1,"source":"user","message":"count the lines","timestamp":"2026-02-03T04:05:06Z"}`,
		`{"step_id":2,"source":"agent","message":"I will look.","reasoning_content":"lines?","model_name":"m-2",`+
			`"tool_calls":[{"tool_call_id":"c1","function_name":"run","arguments":{"cmd":"wc"}}],`+
			`"observation":{"results":[{"source_call_id":"c1","content":"7"}]},`+
			`"metrics":{"prompt_tokens":100,"cached_tokens":60,"completion_tokens":5,"cost_usd":0.5}}`))
	assert.Equal(t, 2, r.Units)
	assert.Equal(t, ingest.Meta{Native: "s-1", Harness: "probe", Version: "3", Model: "m-1"}, run.Meta)
	require.Len(t, run.Events, 5)
	kinds := []ingest.Kind{}
	for i := range run.Events {
		kinds = append(kinds, run.Events[i].Kind)
	}
	assert.Equal(t, []ingest.Kind{ingest.Message, ingest.ModelCall, ingest.Message, ingest.ToolCall, ingest.ToolResult}, kinds)
	think, say, call, res := &run.Events[1], &run.Events[2], &run.Events[3], &run.Events[4]
	assert.Equal(t, "lines?", run.Text(think))
	assert.Equal(t, &ingest.Usage{InputUncached: 40, CacheRead: 60, Output: 5, Cost: 0.5}, think.Usage)
	assert.Equal(t, "m-2", say.Model)
	assert.Equal(t, `{"cmd":"wc"}`, string(run.Args(call)))
	assert.Equal(t, []string{"c1", "run", "7"}, []string{res.Call, res.Name, run.Text(res)})
	assert.Equal(t, ingest.OK, res.Outcome)
	assert.Equal(t, 2026, run.Start().Year())
}

func TestSyntheticMessageIsNoClaim(t *testing.T) {
	call := `"tool_calls":[{"tool_call_id":"functions.Write:0","function_name":"Write","arguments":{}}]`
	for text, want := range map[string]int{
		"Executed Write functions.Write:0": 0,
		"":                                 0,
		"Executed Write functions.Write:1": 1,
		"Executed Write functions.Write:0 as asked": 1,
	} {
		run, _ := load(t, doc(fmt.Sprintf(`{"source":"agent","message":%q,%s}`, text, call)))
		assert.Equal(t, want, decodetest.Count(run, ingest.Message), text)
	}
	run, _ := load(t, doc(`{"source":"agent","message":"Executed Write functions.Write:0"}`))
	assert.Equal(t, 1, decodetest.Count(run, ingest.Message), "no call that it could stand for")
}

func TestOutcome(t *testing.T) {
	for _, tc := range []struct {
		name, content, extra string
		outcome              ingest.Outcome
		reason               ingest.Reason
		exit                 int
	}{
		{"plain", "done", `{}`, ingest.OK, "", -9},
		{"quotes an error", "Exit code 1", `{}`, ingest.OK, "", -9},
		{"exit status", "Exit code 3\\nboom", `{"tool_result_is_error":true}`, ingest.Fail, ingest.Errored, 3},
		{"denied", "The user doesn't want to proceed", `{"tool_result_is_error":true}`, ingest.Fail, ingest.Denied, -9},
		{"timed out", "Request timed out", `{"tool_result_is_error":true}`, ingest.Unknown, ingest.TimedOut, -9},
		{"background", "Command running", `{"tool_result_metadata":{"tool_use_result":{"backgroundTaskId":"b1"}}}`, ingest.Pending, ingest.Launched, -9},
		{"interrupted", "", `{"tool_result_metadata":{"tool_use_result":{"interrupted":true}}}`, ingest.Unknown, ingest.Interrupted, -9},
		{"OpenHands status", "x\\n[The command completed with exit code 2.]", `{}`, ingest.Fail, ingest.Errored, 2},
		{"OpenHands running", "[The command has no new output after 30 seconds. wait]", `{}`, ingest.Pending, "", -9},
		{"OpenHands limit", "[The command timed out after 5 seconds.]", `{}`, ingest.Unknown, ingest.TimedOut, -9},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run, _ := load(t, doc(fmt.Sprintf(`{"source":"agent","tool_calls":[{"tool_call_id":"c","function_name":"run"}],`+
				`"observation":{"results":[{"source_call_id":"c","content":"%s"}]},"extra":%s}`, tc.content, tc.extra)))
			res := run.Events[1]
			assert.Equal(t, tc.outcome, res.Outcome)
			assert.Equal(t, tc.reason, res.Reason)
			if tc.exit == -9 {
				assert.Nil(t, res.Exit)
			} else if assert.NotNil(t, res.Exit) {
				assert.Equal(t, tc.exit, *res.Exit)
			}
		})
	}
}

func TestBackgroundTaskIsSettledByNotice(t *testing.T) {
	run, _ := load(t, doc(
		`{"source":"agent","tool_calls":[{"tool_call_id":"c","function_name":"Bash"}],"observation":{"results":[{"source_call_id":"c","content":"started"}]},`+
			`"extra":{"tool_result_metadata":{"tool_use_result":{"backgroundTaskId":"b1"}}}}`,
		`{"source":"user","message":"<task-notification>\n<task-id>b1</task-id>\n<status>failed</status></task-notification>"}`))
	x := run.Executions()
	require.Len(t, x, 1)
	assert.Equal(t, ingest.Fail, x[0].Outcome)
	assert.Equal(t, ingest.Harness, run.Events[2].Actor, "the harness speaks in the user's place")
	assert.Len(t, run.Episodes(), 1)
}

func TestWhoSpeaksInTheUsersPlace(t *testing.T) {
	for text, want := range map[string]struct {
		actor   ingest.Actor
		summary bool
	}{
		"fix it": {ingest.User, false},
		"<system-reminder>mind</system-reminder>\\nfix it":                 {ingest.User, false},
		"<system-reminder>a</system-reminder><system-reminder>b":           {ingest.Harness, false},
		"This session is being continued from a previous conversation: x":  {ingest.Harness, true},
		"You are picking up work from a previous AI agent on this task: x": {ingest.Harness, true},
	} {
		run, _ := load(t, doc(`{"source":"user","message":"`+text+`"}`))
		assert.Equal(t, want.actor, run.Events[0].Actor, text)
		assert.Equal(t, want.summary, run.Events[0].Summary, text)
	}
}

func TestFlagOfSeveralResults(t *testing.T) {
	run, _ := load(t, doc(`{"source":"agent","tool_calls":[{"tool_call_id":"a","function_name":"f"},{"tool_call_id":"b","function_name":"g"}],`+
		`"observation":{"results":[{"source_call_id":"b","content":"Exit code 1"},{"source_call_id":"a","content":"fine"}]},"extra":{"tool_result_is_error":true}}`))
	assert.Equal(t, ingest.Fail, run.Events[2].Outcome)
	assert.Equal(t, "g", run.Events[2].Name)
	assert.Equal(t, ingest.Unknown, run.Events[3].Outcome)
}

func TestNullLinkAndLostResult(t *testing.T) {
	run, _ := load(t, doc(
		`{"source":"agent","tool_calls":[{"tool_call_id":"c","function_name":"f"}],"observation":{"results":[{"source_call_id":null,"content":"x"}]}}`,
		`{"source":"agent","message":"keys","observation":{"results":[{"content":"screen"}]}}`,
		`{"source":"agent","tool_calls":[{"tool_call_id":"d","function_name":"f"}]}`))
	x := run.Executions()
	require.Len(t, x, 3)
	assert.Equal(t, ingest.OK, x[0].Outcome)
	assert.Equal(t, -1, x[1].Call)
	assert.Equal(t, []any{ingest.Unknown, ingest.Lost}, []any{x[2].Outcome, x[2].Reason})
}

func TestUsageThatCannotBe(t *testing.T) {
	run, _ := load(t, doc(`{"source":"agent","message":"","metrics":{"prompt_tokens":5,"cached_tokens":9,"completion_tokens":1}}`))
	require.Len(t, run.Events, 1, "usage needs an event")
	assert.Equal(t, ingest.ModelCall, run.Events[0].Kind)
	assert.True(t, run.Usage().Violation)
}

// A continuation is a run of its own: it repeats context, which counts once,
// and shares the session id.
func TestContinuation(t *testing.T) {
	first := doc(`{"source":"user","message":"go"}`, `{"source":"agent","message":"a","metrics":{"prompt_tokens":1,"completion_tokens":2}}`)
	second := bytes.Replace(doc(`{"source":"user","message":"go","is_copied_context":true}`,
		`{"source":"agent","message":"a","is_copied_context":true,"metrics":{"prompt_tokens":1,"completion_tokens":2}}`,
		`{"source":"agent","message":"b","metrics":{"prompt_tokens":1,"completion_tokens":2}}`),
		[]byte(`"model_name":"m-1"`), []byte(`"extra":{"continuation_index":1}`), 1)
	b := decodetest.New()
	one, two := b.Run(t, b.File(t, atif.Format, "a", first)), b.Run(t, b.File(t, atif.Format, "b", second))
	assert.NotEqual(t, one.ID, two.ID)
	assert.EqualValues(t, 2, two.Usage().Output)
	assert.True(t, two.Events[1].Copied)
	assert.False(t, two.Events[2].Copied)
	groups, err := ingest.Group(b.Store, []string{one.ID, two.ID}, nil)
	require.NoError(t, err)
	assert.Len(t, groups, 1)
	assert.Equal(t, []*ingest.Run{one, two}, ingest.NewThread([]*ingest.Run{two, one}).Runs, "in order without times")
}

func TestGrownTrajectoryIsOneRun(t *testing.T) {
	steps := []string{`{"source":"user","message":"go"}`, `{"source":"agent","message":"ok"}`, `{"source":"agent","message":"ok"}`}
	b := decodetest.New()
	b.File(t, atif.Format, "t", doc(steps[:2]...))
	r := b.File(t, atif.Format, "t", doc(steps...))
	assert.Equal(t, []int{1, 2}, []int{r.Stored, r.Duplicates}, "equal steps are told apart by their order")
	assert.Len(t, b.Run(t, r).Events, 3)
}

func TestVersions(t *testing.T) {
	for version, known := range map[string]bool{"ATIF-v1.2": true, "ATIF-v1.99": true, "ATIF-v2.0": false, "ATIF-v12.1": false} {
		data := bytes.Replace(doc(`{"source":"user","message":"x"}`), []byte("ATIF-v1.6"), []byte(version), 1)
		require.True(t, atif.Format.Detect(data))
		r := decodetest.New().File(t, atif.Format, "t", data)
		assert.Equal(t, known, r.Stored == 1, version)
		if !known {
			assert.Equal(t, "unknown-version", r.Reasons[0].Kind)
			assert.Equal(t, []int{1, 1}, []int{r.Units, r.Quarantined})
		}
	}
	assert.False(t, atif.Format.Detect([]byte(`{"schema_version":"2.0","steps":[]}`)))
	assert.False(t, atif.Format.Detect([]byte(`[{"schema_version":"ATIF-v1.2"}]`)))
}

func TestBrokenAndOddDocuments(t *testing.T) {
	whole := doc(`{"source":"user","message":"a"}`, `{"source":"agent","message":"b"}`)
	cut := whole[:len(whole)-10]
	for _, tc := range []struct {
		name                        string
		data                        []byte
		stored, skipped, quarantine int
	}{
		{"cut off", cut, 1, 0, 1},
		{"byte order mark", append([]byte("\xef\xbb\xbf"), whole...), 2, 0, 0},
		{"no steps", doc(), 0, 1, 0},
		{"step of a wrong type", doc(`7`, `{"source":"user","message":"a"}`), 1, 0, 1},
		{"steps before the head", []byte(`{"steps":[{"source":"user","message":"a"}],"session_id":"s","schema_version":"ATIF-v1.4"}`), 1, 0, 0},
		{"embedded sub-agents", []byte(`{"schema_version":"ATIF-v1.7","steps":[{"source":"user","message":"a"}],"subagent_trajectories":[{"steps":[]},` + "\n" + `{}]}`), 1, 2, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := decodetest.Survives(t, atif.Format, tc.data)
			assert.Equal(t, []int{tc.stored, tc.skipped, tc.quarantine}, []int{r.Stored + r.Duplicates, r.Skipped, r.Quarantined})
		})
	}
	run, _ := load(t, []byte(`{"steps":[{"source":"user","message":"a"}],"session_id":"s","schema_version":"ATIF-v1.4"}`))
	assert.Equal(t, "s", run.Meta.Native, "a head behind the steps counts")
}

var everything = doc(
	`{"step_id":1,"source":"system","message":"sum","extra":{"context_management":{"type":"compaction"}},"timestamp":"2026-01-01T00:00:00Z"}`,
	`{"step_id":2,"source":"agent","message":[{"type":"text","text":"hi"}],"reasoning_content":"r","model_name":"m","is_copied_context":false,`+
		`"tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{"a":1}}],`+
		`"observation":{"results":[{"source_call_id":"c","content":"x","subagent_trajectory_ref":[{"session_id":"z"}],"extra":{"is_error":false}}]},`+
		`"metrics":{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":3,"cost_usd":0.1,"extra":{"cache_creation_input_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":1}}},`+
		`"extra":{"tool_result_is_error":true,"cwd":"/w","is_sidechain":false,"stop_reason":"tool_use",`+
		`"tool_result_metadata":{"tool_use_result":{"interrupted":false,"backgroundTaskId":"b","task":{"task_id":"b","status":"completed","exitCode":1}}}}}`)

// A member of a wrong type is as if absent: the other step stays.
func TestWrongTypes(t *testing.T) {
	n := 0
	for data := range decodetest.Mutations(everything) {
		n++
		if r := decodetest.Survives(t, atif.Format, data); bytes.Contains(data, []byte(`"step_id":1,"source":"system"`)) &&
			bytes.Contains(data, []byte(`"step_id":2`)) && r.Quarantined == 0 && r.Stored+r.Duplicates < 1 {
			t.Fatalf("lost everything of %s: %+v", data, r)
		}
	}
	require.Greater(t, n, 300)
}

func FuzzDecode(f *testing.F) {
	f.Add(everything)
	f.Add(everything[:len(everything)/2])
	f.Add([]byte(`{"schema_version":"ATIF-v9.0"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) { decodetest.Survives(t, atif.Format, data) })
}
