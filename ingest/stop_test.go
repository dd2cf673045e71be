package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

// Every provider has its own word for a safety stop; the end of a turn, a limit
// and a permission rule are none.
func TestStopsForSafety(t *testing.T) {
	for _, word := range []string{"refusal", "content_filter", "content-filter", "SAFETY", "PROHIBITED_CONTENT", "guardrail_intervened", "misalignment_policy_violation", "ResponsibleAIPolicyViolation", "safety_stop"} {
		assert.True(t, (&ingest.Event{Kind: ingest.Error, Name: word}).StopsForSafety(), word)
	}
	for _, word := range []string{"", "end_turn", "stop", "max_tokens", "length", "tool_use", "RECITATION", "permission_denied", "rate_limit_error", "policy"} {
		assert.False(t, (&ingest.Event{Kind: ingest.Error, Name: word}).StopsForSafety(), word)
	}
	assert.False(t, (&ingest.Event{Kind: ingest.Message, Name: "refusal"}).StopsForSafety())
}

// A response that was cut, or for which the window had no room, is a limit.
func TestStop(t *testing.T) {
	for word, want := range map[string][2]string{
		"length": {"limit", ingest.Truncated}, "MAX_TOKENS": {"limit", ingest.Truncated}, "max_output_tokens": {"limit", ingest.Truncated},
		"model_length": {"limit", ingest.ContextOverflow}, "model_context_window_exceeded": {"limit", ingest.ContextOverflow},
		"content-filter": {"error", ingest.SafetyStop},
		"stop":           {}, "end_turn": {}, "tool_calls": {}, "": {},
	} {
		kind, name := ingest.Stop(word)
		assert.Equal(t, want, [2]string{string(kind), name}, word)
	}
}
