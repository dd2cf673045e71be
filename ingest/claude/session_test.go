package claude_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

func TestEnvelope(t *testing.T) {
	run, _ := load(t, claude.Session, lines(
		prompt("u-1", "add a flag"),
		answer("a-1", "m-1", `{"type":"text","text":"Done \u00e9."}`, 5),
	))
	assert.Equal(t, ingest.Meta{Native: "s-1", Cwd: "/srv/app", Branch: "topic", Model: "model-x",
		Harness: "claude-code", Version: "9.9.9"}, run.Meta)
	require.Len(t, run.Events, 2)
	e := &run.Events[1]
	assert.Equal(t, ingest.Message, e.Kind)
	assert.Equal(t, ingest.Agent, e.Actor)
	assert.Equal(t, "Done é.", run.Text(e))
	assert.Equal(t, [4]string{"a-1", "p-1", "m-1", "model-x"}, [4]string{e.ID, e.Parent, e.Message, e.Model})
	assert.Equal(t, time.Date(2026, 3, 1, 10, 0, 0, 250e6, time.UTC), e.At)
	assert.Equal(t, ingest.Exact, e.Quality)
	assert.NotZero(t, run.Grade&ingest.HasTimes)
	assert.Zero(t, run.Grade&(ingest.HasApprovals|ingest.HasEnds))
}

// TestMembersInAnyOrder: the kind of a line may stand after its message.
func TestMembersInAnyOrder(t *testing.T) {
	run, _ := load(t, claude.Session,
		`{"message":{"content":[{"input":{"command":"ls"},"name":"Bash","id":"t-1","type":"tool_use"}],"id":"m-1"},"uuid":"a-1","sessionId":"s-1","type":"assistant"}`)
	e := only(t, run, ingest.ToolCall)
	assert.Equal(t, [3]string{"Bash", "t-1", "m-1"}, [3]string{e.Name, e.Call, e.Message})
	assert.Equal(t, `{"command":"ls"}`, string(run.Args(e)))
}

// TestUsagePerMessage: one response on several lines counts once, with the
// largest output; cache writes keep their lifetime.
func TestUsagePerMessage(t *testing.T) {
	usage := func(uuid, id, usage string) string {
		return says("assistant", uuid, `"message":{"id":"`+id+`","model":"model-x","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}],"usage":`+usage+`}`)
	}
	run, _ := load(t, claude.Session, lines(
		usage("a-1", "m-1", `{"input_tokens":10,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":1}`),
		usage("a-2", "m-1", `{"input_tokens":10,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":40}`),
		usage("a-3", "m-2", `{"input_tokens":1,"cache_creation_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20},"output_tokens":2}`),
	))
	assert.Equal(t, ingest.Usage{InputUncached: 11, CacheRead: 100, CacheWrite5m: 17, CacheWrite1h: 20, Output: 42}, run.Usage())
	assert.Nil(t, run.Events[1].Usage, "the second event of a line repeats nothing")

	run, _ = load(t, claude.Session, usage("a-1", "m-1",
		`{"cache_creation_input_tokens":31,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20},"output_tokens":2}`))
	assert.True(t, run.Usage().Violation, "the parts are not the total")
}

// TestWhoSpeaks: a text in the user's place is the user's only when the user
// wrote it.
func TestWhoSpeaks(t *testing.T) {
	type who struct {
		kind    ingest.Kind
		actor   ingest.Actor
		name    string
		summary bool
	}
	user, harness := who{actor: ingest.User}, who{actor: ingest.Harness}
	for _, tc := range []struct {
		text, extra string
		want        who
	}{
		{"fix the build", "", user},
		{"Explain the tag <command-name> to me", "", user},
		{"do this for me", `,"isMeta":true`, harness},
		{"Caveat: The messages below were made by local commands", "", harness},
		{"<local-command-stdout>bye</local-command-stdout>", "", harness},
		{"<bash-stdout>2 files</bash-stdout>", "", harness},
		{"<system-reminder>be brief</system-reminder>", "", harness},
		{"<system-reminder>be brief</system-reminder>\n fix the build", "", user},
		{"<system-reminder>never closed", "", harness},
		{"<command-name>/clear</command-name>", "", who{actor: ingest.Harness, name: "command"}},
		{"<bash-input>ls</bash-input>", "", who{actor: ingest.Harness, name: "command"}},
		{"Earlier we did X", `,"isCompactSummary":true`, who{actor: ingest.Harness, summary: true}},
		{"This session is being continued from a previous conversation that ran out", "", who{actor: ingest.Harness, summary: true}},
		{"[Request interrupted by user]", "", who{kind: ingest.Error, actor: ingest.User}},
		{"[Request interrupted by user for tool use]", "", who{kind: ingest.Error, actor: ingest.User}},
		{"<task-notification>\n<task-id>b-1</task-id>\n<status>running</status>", "", harness},
	} {
		for _, content := range []string{quote(tc.text), `[{"type":"text","text":` + quote(tc.text) + `}]`} {
			run, _ := load(t, claude.Session, says("user", "u-1", `"message":{"role":"user","content":`+content+`}`+tc.extra))
			require.Len(t, run.Events, 1, tc.text)
			e := &run.Events[0]
			if tc.want.kind == "" {
				tc.want.kind = ingest.Message
			}
			assert.Equal(t, tc.want, who{e.Kind, e.Actor, e.Name, e.Summary}, tc.text)
			assert.Equal(t, tc.text, run.Text(e))
			if e.Kind == ingest.Error {
				assert.Equal(t, ingest.Interrupted, e.Reason)
			}
		}
	}
}

func TestImageAloneIsARequest(t *testing.T) {
	run, _ := load(t, claude.Session, says("user", "u-1", `"message":{"content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]}`))
	assert.Equal(t, ingest.User, only(t, run, ingest.Message).Actor)
}

// TestAssistantLines: thinking, the provider's own tools, empty lines, what the
// harness wrote in the agent's place.
func TestAssistantLines(t *testing.T) {
	run, _ := load(t, claude.Session, lines(
		answer("a-1", "m-1", `{"type":"thinking","thinking":"hm","signature":"AA"},{"type":"server_tool_use","id":"st-1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"st-1","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}`, 2),
		answer("a-2", "m-2", ``, 9),
		says("assistant", "a-3", `"message":{"id":"x-1","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}],"usage":{"output_tokens":0}}`),
		says("assistant", "a-4", `"isApiErrorMessage":true,"error":"rate_limit","message":{"id":"x-2","model":"<synthetic>","content":[{"type":"text","text":"Limit reached"}]}`),
	))
	require.Len(t, run.Events, 6)
	ev := run.Events
	assert.Equal(t, ingest.ModelCall, ev[0].Kind)
	assert.Equal(t, "hm", run.Text(&ev[0]))
	assert.Equal(t, "web_search", ev[1].Name)
	assert.Equal(t, ingest.Fail, ev[2].Outcome)
	assert.Equal(t, ingest.ModelCall, ev[3].Kind)
	assert.EqualValues(t, 9, ev[3].Usage.Output)
	assert.Equal(t, ingest.Harness, ev[4].Actor)
	assert.Equal(t, ingest.Error, ev[5].Kind)
	assert.Equal(t, "rate_limit", ev[5].Name)
	assert.Equal(t, ingest.Fail, ev[5].Outcome)
	assert.Equal(t, "model-x", run.Meta.Model)
}

func TestSystemLines(t *testing.T) {
	run, _ := load(t, claude.Session, lines(
		`{"parentUuid":null,"logicalParentUuid":"last-1","isSidechain":false,"sessionId":"s-1","type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":9},"uuid":"b-1"}`,
		says("system", "b-2", `"subtype":"microcompact_boundary","content":"c","microcompactMetadata":{"trigger":"auto","tokensSaved":4}`),
		says("system", "b-3", `"subtype":"turn_duration","durationMs":9`),
		says("system", "b-4", `"subtype":"stop_hook_summary","hookInfos":[{"command":"make check"}],"hookErrors":[],"preventedContinuation":false`),
		says("system", "b-5", `"subtype":"stop_hook_summary","hookErrors":["lint failed"],"preventedContinuation":false`),
		says("system", "b-6", `"subtype":"api_error","error":{"status":529,"error":{"type":"error","error":{"type":"overloaded_error"}}},"retryInMs":0.5,"retryAttempt":1`),
		says("system", "b-7", `"subtype":"never_seen"`),
		says("attachment", "b-8", `"attachment":{"type":"goal_status","met":false,"condition":"c","reason":"not yet"}`),
		`{"type":"summary","summary":"A title","leafUuid":"l-1"}`,
		`{"type":"pr-link","sessionId":"s-1","prNumber":7,"prUrl":"https://forge.example/7"}`,
		`{"type":"file-history-snapshot","messageId":"x","snapshot":{},"isSnapshotUpdate":false}`,
		says("progress", "b-9", `"data":{"type":"agent_progress","message":{"type":"assistant","message":{"id":"m-9","content":[{"type":"tool_use","id":"t-9","name":"Bash","input":{}}],"usage":{"output_tokens":50}}}}`),
		`{"type":"brand-new","sessionId":"s-1","message":{"id":"m-8","content":[{"type":"text","text":"?"}]}}`,
	))
	type got struct {
		kind    ingest.Kind
		name    string
		outcome ingest.Outcome
		text    string
	}
	var have []got
	for i := range run.Events {
		e := &run.Events[i]
		assert.Equal(t, ingest.Harness, e.Actor)
		have = append(have, got{e.Kind, e.Name, e.Outcome, run.Text(e)})
	}
	assert.Equal(t, []got{
		{ingest.Compaction, "auto", "", "Conversation compacted"},
		{ingest.Compaction, "micro", "", "c"},
		{ingest.Message, "turn-end", "", ""},
		{ingest.Check, "stop-hook", ingest.OK, "make check"},
		{ingest.Check, "stop-hook", ingest.Fail, "lint failed"},
		{ingest.Error, "overloaded_error", "", have[5].text},
		{ingest.Check, "goal", ingest.Fail, "not yet"},
		{ingest.Message, "summary", "", "A title"},
		{ingest.Message, "pr-link", "", "https://forge.example/7"},
	}, have)
	assert.Equal(t, "last-1", run.Events[0].Parent)
	assert.Equal(t, `{"trigger":"auto","preTokens":9}`, string(run.Detail(&run.Events[0])))
	assert.Zero(t, run.Usage().Output, "a progress line repeats what its own file records")
}

func TestSidechains(t *testing.T) {
	inline := `{"sessionId":"s-1","isSidechain":true,"type":"user","uuid":"u-2","message":{"content":"look into it"}}`
	main := lines(prompt("u-1", "go"), inline)
	run, _ := load(t, claude.Session, main)
	assert.Equal(t, "", run.Meta.Agent)
	assert.Equal(t, "sidechain", run.Events[1].Agent)
	assert.Len(t, run.Episodes(), 1)

	own := `{"sessionId":"s-1","agentId":"ag-7","isSidechain":true,"type":"user","uuid":"u-2","message":{"content":"look into it"}}`
	sub, _ := load(t, claude.Session, lines(own))
	assert.Equal(t, [3]string{"s-1", "ag-7", "s-1"}, [3]string{sub.Meta.Native, sub.Meta.Agent, sub.Meta.Parent})
	assert.Equal(t, "", sub.Events[0].Agent, "in its own file a sub-agent is the main one")
	assert.NotEqual(t, run.ID, sub.ID)

	s := memstore.New()
	decodeInto(t, s, claude.Session, []byte(lines(own)))
	decodeInto(t, s, claude.Session, []byte(main))
	thread := threadOf(t, s)
	require.Len(t, thread.Subs, 1)
	assert.Equal(t, run.ID, thread.Root)
	assert.Equal(t, sub.ID, thread.Subs[0].ID)
}
