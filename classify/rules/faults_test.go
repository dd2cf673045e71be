package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFaultStatements: whatever word a provider, a gateway or a harness has for
// it, a statement that ends a run is told by its kind, and has one owner.
func TestFaultStatements(t *testing.T) {
	for _, tc := range []struct{ kind, name, text, rule string }{
		{"error", "refusal", "", "provider/safety-stop"},
		{"error", "ResponsibleAIPolicyViolation", "the response was filtered", "provider/safety-stop"},
		{"error", "BadRequestError", `{"error":{"code":"content_policy_violation"}}`, "provider/safety-stop"},
		{"error", "400", "This model's maximum context length is 8192 tokens", "context/overflow"},
		{"error", "ClientError", "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", "context/overflow"},
		{"limit", "context", "", "context/overflow"},
		{"limit", "truncated", "", "provider/truncated-output"},
		{"limit", "max_tokens", "", "provider/truncated-output"},
		{"limit", "LimitsExceeded", "", "runtime/budget-exceeded"},
		{"limit", "message", "Exceeded message limit: 50", "runtime/budget-exceeded"},
		{"limit", "error", "RuntimeError: Agent reached maximum iteration in headless mode", "runtime/budget-exceeded"},
		{"error", "exit_environment_error", "", "runtime/crash"},
		{"error", "SandboxError", "the sandbox container was killed", "runtime/crash"},
		{"error", "worker-died", "", "runtime/crash"},
		{"error", "litellm.RateLimitError", "", "provider/error"},
		{"error", "AI_APICallError", "Bad Gateway", "provider/error"},
		{"error", "error", "unexpected status 503 Service Unavailable", "provider/error"},
		{"error", "error", "the notebook could not be read", ""},
		{"error", "loop_detection", "", ""},
		{"limit", "time", "", "runtime/agent-timeout"},
	} {
		run := fmt.Sprintf(`{"faultline":"event/v1","run_id":"r","id":"a","kind":"message","actor":"user","text":"Make the list."}
{"faultline":"event/v1","run_id":"r","id":"b","kind":"tool_call","actor":"agent","call_id":"c","tool":"list","arguments":{}}
{"faultline":"event/v1","run_id":"r","id":"c","kind":"tool_result","actor":"tool","call_id":"c","tool":"list","outcome":"ok","text":"503 rows, budget exceeded, prompt is too long, OOMKilled"}
{"faultline":"event/v1","run_id":"r","id":"d","kind":%q,"actor":"harness","name":%q,"outcome":"fail","reason":"error","text":%q}
`, tc.kind, tc.name, tc.text)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "run.jsonl"), []byte(run), 0o600))
		var got []string
		for _, f := range triage(t, dir)[0].Findings {
			got = append(got, f.Rule+" "+string(f.Severity))
		}
		var want []string
		if tc.rule != "" {
			want = []string{tc.rule + " high"}
		}
		assert.Equal(t, want, got, "%s %q %q", tc.kind, tc.name, tc.text)
	}
}
