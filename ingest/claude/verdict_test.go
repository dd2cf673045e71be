package claude_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
)

// TestVerdict: what became of a call, told by flag, payload and text.
func TestVerdict(t *testing.T) {
	const none = -1000
	for _, tc := range []struct {
		tool, text string
		isError    bool
		payload    string
		outcome    ingest.Outcome
		reason     ingest.Reason
		exit       int
	}{
		{"Bash", "2 files", false, `{"stdout":"2 files","interrupted":false}`, ingest.OK, "", 0},
		{"Read", "Exit code 1\nis what the file says", false, ``, ingest.OK, "", none},
		{"Bash", "Exit code 3\nhidden", false, ``, ingest.Fail, ingest.Errored, 3},
		{"Bash", "no match", false, `{"stdout":"","returnCodeInterpretation":"No matches found"}`, ingest.OK, "", none},
		{"Bash", "half", false, `{"stdout":"half","interrupted":true}`, ingest.Unknown, ingest.Interrupted, none},
		{"Bash", "Exit code 137\nkilled", true, `{"interrupted":true}`, ingest.Fail, ingest.Errored, 137},
		{"Bash", "Exit code 2\nread: request timed out", true, `"Error: Exit code 2"`, ingest.Fail, ingest.Errored, 2},
		{"Bash", "Exit code 143\nCommand timed out after 2m 0.0s\n", true, ``, ingest.Unknown, ingest.TimedOut, 143},
		{"Bash", "Command timed out after 2m 0.0s", true, ``, ingest.Unknown, ingest.TimedOut, none},
		{"Bash", "curl: connection reset by peer", true, ``, ingest.Fail, ingest.Errored, none},
		{"Bash", "Exit code twelve", true, ``, ingest.Fail, ingest.Errored, none},
		{"Write", "The user doesn't want to proceed with this tool use. The tool use was rejected", true, `"User rejected tool use"`, ingest.Fail, ingest.Denied, none},
		{"Write", "[Request interrupted by user for tool use]", true, ``, ingest.Fail, ingest.Denied, none},
		{"Write", "Permission prompt was aborted.", true, ``, ingest.Fail, ingest.Denied, none},
		{"Write", "Claude requested permissions to write to /srv/x, but you haven't granted it yet.", true, ``, ingest.Fail, ingest.Denied, none},
		{"Bash", "Permission to use Bash with command rm has been denied.", true, ``, ingest.Fail, ingest.Denied, none},
		{"Bash", "This command requires approval", true, ``, ingest.Fail, ingest.Denied, none},
		{"Read", "<tool_use_error>Sibling tool call errored</tool_use_error>", true, ``, ingest.Fail, ingest.Cancelled, none},
		{"Read", "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>", true, ``, ingest.Fail, ingest.Cancelled, none},
		{"Edit", "<tool_use_error>InputValidationError: Edit failed due to a missing parameter", true, ``, ingest.Fail, ingest.Rejected, none},
		{"Foo", "<tool_use_error>Error: No such tool available: Foo</tool_use_error>", true, ``, ingest.Fail, ingest.Rejected, none},
		{"Edit", "<tool_use_error>String to replace not found in file.", true, ``, ingest.Fail, ingest.Errored, none},
		{"mcp__desk__create", "MCP error -32001: Request timed out", true, ``, ingest.Unknown, ingest.TimedOut, none},
		{"mcp__desk__create", "timeout of 30000ms exceeded", true, ``, ingest.Unknown, ingest.TimedOut, none},
		{"mcp__desk__create", "MCP error -32000: Connection closed", true, ``, ingest.Unknown, ingest.Lost, none},
		{"mcp__desk__create", "read ECONNRESET", true, ``, ingest.Unknown, ingest.Lost, none},
		{"mcp__desk__create", "connect ECONNREFUSED 127.0.0.1:9", true, ``, ingest.Fail, ingest.Errored, none},
		{"mcp__desk__create", "getaddrinfo ENOTFOUND desk.example", true, ``, ingest.Fail, ingest.Errored, none},
		{"mcp__desk__create", `{"error":"timed out","isError":true}`, false, `[{"type":"text","text":"x"}]`, ingest.OK, "", none},
	} {
		for _, content := range []string{quote(tc.text), `[{"type":"text","text":` + quote(tc.text) + `}]`} {
			extra := ""
			if tc.payload != "" {
				extra = `,"toolUseResult":` + tc.payload
			}
			run, _ := load(t, claude.Session, lines(
				answer("a-1", "m-1", toolUse("t-1", tc.tool, `{}`), 1),
				returns("r-1", "t-1", content, tc.isError, extra)))
			e := only(t, run, ingest.ToolResult)
			assert.Equal(t, tc.outcome, e.Outcome, tc.text)
			assert.Equal(t, tc.reason, e.Reason, tc.text)
			if tc.exit == none {
				assert.Nil(t, e.Exit, tc.text)
			} else if assert.NotNil(t, e.Exit, tc.text) {
				assert.Equal(t, tc.exit, *e.Exit, tc.text)
			}
			assert.Equal(t, tc.text, run.Text(e))
			assert.Equal(t, tc.payload, string(run.Detail(e)))
			require.Len(t, run.Executions(), 1)
			assert.Equal(t, tc.tool, run.Executions()[0].Tool)
		}
	}
}

// TestBackground: a launch is pending until something tells its end.
func TestBackground(t *testing.T) {
	launch := lines(
		answer("a-1", "m-1", toolUse("t-1", "Bash", `{"command":"make","run_in_background":true}`), 1),
		returns("r-1", "t-1", `"Command running in background with ID: b-1"`, false, `,"toolUseResult":{"stdout":"","backgroundTaskId":"b-1"}`))
	poll := func(tool, args, text, payload string) string {
		return lines(answer("a-2", "m-2", toolUse("t-2", tool, args), 1), returns("r-2", "t-2", quote(text), false, payload))
	}
	for name, tc := range map[string]struct {
		then    string
		outcome ingest.Outcome
		reason  ingest.Reason
		exit    *int
	}{
		"nothing":           {"", ingest.Pending, ingest.Launched, nil},
		"still running":     {poll("BashOutput", `{"bash_id":"b-1"}`, "<status>running</status>\n<stdout>\n<status>completed</status></stdout>", ""), ingest.Pending, ingest.Launched, nil},
		"ended well":        {poll("BashOutput", `{"bash_id":"b-1"}`, "<status>completed</status>\n<exit_code>0</exit_code>", ""), ingest.OK, "", new(0)},
		"ended badly":       {poll("BashOutput", `{"bash_id":"b-1"}`, "<status>completed</status>\n<exit_code>2</exit_code>", ""), ingest.Fail, ingest.Errored, new(2)},
		"failed":            {poll("TaskOutput", `{"task_id":"b-1"}`, "<task_id>b-1</task_id>\n<status>failed</status>", `,"toolUseResult":{"task":{"task_id":"b-1","status":"failed","exitCode":1}}`), ingest.Fail, ingest.Errored, new(1)},
		"killed":            {poll("KillShell", `{"shell_id":"b-1"}`, `{"message":"Successfully killed shell: b-1"}`, ""), ingest.Unknown, ingest.Interrupted, nil},
		"another task":      {poll("BashOutput", `{"bash_id":"b-2"}`, "<status>completed</status>", ""), ingest.Pending, ingest.Launched, nil},
		"queue":             {`{"type":"queue-operation","operation":"enqueue","sessionId":"s-1","content":"<task-notification>\n<task-id>b-1</task-id>\n<status>completed</status>\n<summary>Background command \"x\" completed (exit code 0)</summary>"}`, ingest.OK, "", new(0)},
		"notice":            {prompt("u-2", "<task-notification>\n<task-id>b-1</task-id>\n<status>failed</status>\n<summary>Background command \"exit code 0\" failed with exit code 7</summary>"), ingest.Fail, ingest.Errored, new(7)},
		"output of another": {prompt("u-2", "I saw <task-notification><task-id>b-1</task-id><status>failed</status>"), ingest.Pending, ingest.Launched, nil},
	} {
		run, _ := load(t, claude.Session, launch+tc.then)
		x := run.Executions()[0]
		assert.Equal(t, tc.outcome, x.Outcome, name)
		assert.Equal(t, tc.reason, x.Reason, name)
		assert.Equal(t, tc.exit, x.Exit, name)
	}

	run, _ := load(t, claude.Session, lines(
		answer("a-1", "m-1", toolUse("t-1", "Task", `{"prompt":"p"}`), 1),
		returns("r-1", "t-1", `[{"type":"text","text":"Async agent launched successfully.\nagentId: ag-7 (internal)"}]`, false,
			`,"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"ag-7"}`)))
	e := only(t, run, ingest.ToolResult)
	assert.Equal(t, [2]string{"ag-7", "ag-7"}, [2]string{e.Task, e.Agent})
	assert.Equal(t, ingest.Pending, e.Outcome)
}

// TestRepeatedToolIDs: other vendors' ids repeat in later messages; each result
// belongs to the oldest open call.
func TestRepeatedToolIDs(t *testing.T) {
	run, _ := load(t, claude.Session, lines(
		answer("a-1", "m-1", toolUse("functions.Bash:0", "Bash", `{"command":"a"}`), 1),
		returns("r-1", "functions.Bash:0", `"one"`, false, ""),
		answer("a-2", "m-2", toolUse("functions.Bash:0", "Read", `{"file_path":"b"}`), 1),
		returns("r-2", "functions.Bash:0", `"two"`, false, ""),
		answer("a-3", "m-3", toolUse("functions.Bash:0", "Bash", `{"command":"c"}`), 1),
	))
	xs := run.Executions()
	require.Len(t, xs, 3)
	assert.Equal(t, new(0), xs[0].Exit)
	assert.Nil(t, xs[1].Exit)
	assert.Equal(t, ingest.Unknown, xs[2].Outcome)
	assert.Equal(t, ingest.Lost, xs[2].Reason)
}
