package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

const (
	launch    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","arguments":{},"task":{"ttl":60000}}}`
	launched  = `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t-1"}},"task":{"taskId":"t-1","status":"working","ttl":60000,"pollInterval":1000}}}`
	launchedX = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t-1","status":"working","ttlMs":60000,"pollIntervalMs":1000}}`
	get       = `{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t-1"}}`
	fetch     = `{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"t-1"}}`
)

func status(s string) string {
	return `{"jsonrpc":"2.0","id":2,"result":{"taskId":"t-1","status":"` + s + `","ttl":60000}}`
}

// TestTasks: what becomes of a call that returned a task, in both dialects.
func TestTasks(t *testing.T) {
	const late = `{"jsonrpc":"2.0","id":3,"result":`
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"running":           {[]string{launch, launched, get, status("working")}, "pending/launched"},
		"input":             {[]string{launch, launched, get, status("input_required")}, "pending/launched"},
		"no poll":           {[]string{launch, launchedX}, "pending/launched"},
		"completed":         {[]string{launch, launched, get, status("completed")}, "pending/launched"}, // its result was not asked for
		"fetched":           {[]string{launch, launched, get, status("completed"), fetch, late + `{"content":[{"type":"text","text":"done"}]}}`}, "ok"},
		"fetched a failure": {[]string{launch, launched, get, status("completed"), fetch, late + `{"content":[{"type":"text","text":"no"}],"isError":true}}`}, "fail/error"},
		"fetched an error":  {[]string{launch, launched, fetch, failed(3, -32001, "Request timed out")}, "unknown/timed_out"},
		"failed":            {[]string{launch, launched, get, status("failed")}, "fail/error"},
		"cancelled": {[]string{launch, launched, `{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t-1"}}`, status("cancelled")},
			"unknown/interrupted"},
		"cancel heard": {[]string{launch, launchedX, `{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t-1"}}`, `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}`},
			"unknown/interrupted"},
		"cancel heard too late": {[]string{launch, launchedX, `{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t-1"}}`, `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}`,
			`{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t-1"}}`, `{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","taskId":"t-1","status":"completed","result":{"content":[{"type":"text","text":"12 of 40"}]}}}`}, "ok"},
		"cancel ignored": {[]string{launch, launched, `{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t-1"}}`, status("working")},
			"pending/launched"},
		"lost":   {[]string{launch, launched, get, failed(2, -32602, "Failed to retrieve task: Task not found")}, "unknown/lost"},
		"notice": {[]string{launch, launched, `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t-1","status":"failed"}}`}, "fail/error"},
		"list": {[]string{launch, launched, `{"jsonrpc":"2.0","id":2,"method":"tasks/list"}`,
			`{"jsonrpc":"2.0","id":2,"result":{"tasks":[{"taskId":"t-0","status":"failed"},{"taskId":"t-1","status":"cancelled"}]}}`}, "unknown/interrupted"},
		"extension": {[]string{launch, launchedX, get,
			`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"t-1","status":"completed","result":{"content":[{"type":"text","text":"ok"}],"isError":false}}}`}, "ok"},
		"extension, failure": {[]string{launch, launchedX, get,
			`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"t-1","status":"completed","result":{"content":[{"type":"text","text":"no"}],"isError":true}}}`}, "fail/error"},
		"extension, error": {[]string{launch, launchedX, get,
			`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"t-1","status":"failed","error":{"code":-32603,"message":"broke"}}}`}, "fail/error"},
		"extension, notice": {[]string{launch, launchedX,
			`{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t-1","status":"completed","result":{"content":[]}}}`}, "ok"},
		"at once": {[]string{launch, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t-1","status":"completed","result":{"content":[],"isError":true}}}`}, "fail/error"},
	} {
		r := read(t, tc.lines...)
		assert.Equal(t, []string{"report " + tc.want}, said(r), name)
		for i := range r.Events {
			if e := &r.Events[i]; e.Kind == ingest.ToolResult {
				assert.Equal(t, "t-1", e.Task, name)
			}
		}
	}
}
