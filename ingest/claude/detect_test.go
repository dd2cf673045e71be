package claude_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest/claude"
)

// qwen is a line of Qwen Code.
const qwen = `{"uuid":"q1","parentUuid":null,"sessionId":"s","timestamp":"2026-03-01T10:00:00.000Z","type":"user","cwd":"/srv","version":"0.9.0","gitBranch":"main","message":{"role":"user","parts":[{"text":"hello"}]}}` + "\n" +
	`{"uuid":"q2","parentUuid":"q1","sessionId":"s","timestamp":"2026-03-01T10:00:01.000Z","type":"assistant","cwd":"/srv","version":"0.9.0","model":"m","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"ls","args":{}}}]},"usageMetadata":{"promptTokenCount":5}}`

func TestDetect(t *testing.T) {
	for name, tc := range map[string]struct{ head, want string }{
		"request first":   {prompt("u-1", "x"), "session"},
		"title first":     {`{"type":"summary","summary":"t","leafUuid":"l"}`, "session"},
		"snapshot first":  {`{"type":"file-history-snapshot","messageId":"x","snapshot":{}}`, "session"},
		"queue first":     {`{"type":"queue-operation","operation":"enqueue","sessionId":"s"}`, "session"},
		"mode first":      {`{"type":"permission-mode","permissionMode":"plan","sessionId":"s"}`, "session"},
		"cut line":        {prompt("u-1", strings.Repeat("x", 500))[:300], "session"},
		"foreign first":   {`{"level":"info"}` + "\n" + prompt("u-1", "x"), "session"},
		"stream":          {begin, "stream"},
		"log before":      {"npm install\n\n{oops\n" + begin, "stream"},
		"stream resumed":  {`{"type":"assistant","message":{},"session_id":"s","uuid":"u"}`, "stream"},
		"event/v1":        {`{"faultline":"event/v1","run_id":"r","type":"user","sessionId":"s","uuid":"u"}`, ""},
		"Qwen Code":       {qwen, ""},
		"of Qwen's own":   {`{"uuid":"q0","parentUuid":null,"sessionId":"s","type":"system","subtype":"session_model","cwd":"/srv","version":"0.9.0"}` + "\n" + qwen, ""},
		"array":           {"[" + begin + "]", ""},
		"pretty document": {"{\n  \"sessionId\": \"s\",\n  \"messages\": [\n    {\n      \"type\": \"user\"\n    }\n  ]\n}", ""},
		"one document":    {`{"sessionId":"s","projectHash":"h","messages":[]}`, ""},
		"other lines":     {`{"timestamp":"t","type":"session_meta","payload":{}}`, ""},
		"empty":           {"", ""},
		"text":            {"hello {world}", ""},
	} {
		assert.Equal(t, tc.want == "session", claude.Session.Detect([]byte(tc.head)), name)
		assert.Equal(t, tc.want == "stream", claude.Stream.Detect([]byte(tc.head)), name)
	}
}
