package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/config"
)

func TestParseRejections(t *testing.T) {
	const good = "rejected:\n  - {rule: a/b, fingerprint: f, scope: repo, by: mira, why: known}\n"
	for _, tt := range []struct{ name, text, wrong string }{
		{"good", good, ""},
		{"empty", "", ""},
		{"task", "suite: cases\nrejected:\n  - {rule: a/b, fingerprint: f, scope: task, of: t1, finding: x, by: mira, why: known}\n", ""},
		{"no why", "rejected:\n  - {rule: a/b, fingerprint: f, scope: repo, by: mira}\n", "rejected[0]: lacks why"},
		{"no fingerprint", "rejected:\n  - {rule: a/b, scope: repo, by: mira, why: x}\n", "lacks fingerprint"},
		{"no scope", "rejected:\n  - {rule: a/b, fingerprint: f, by: mira, why: x}\n", `scope "" is none of`},
		{"harness of nothing", "rejected:\n  - {rule: a/b, fingerprint: f, scope: harness, by: mira, why: x}\n", "of names the task or the harness"},
		{"repo of something", "rejected:\n  - {rule: a/b, fingerprint: f, scope: repo, of: x, by: mira, why: x}\n", "of names the task or the harness"},
		{"misspelt", "rejected:\n  - {rule: a/b, fingerprnt: f}\n", "[2:17] unknown field"},
	} {
		_, err := config.ParseRejections("faultline.rejected.yaml", []byte(tt.text))
		if tt.wrong == "" {
			require.NoError(t, err, tt.name)
			continue
		}
		require.ErrorIs(t, err, config.ErrInvalid, tt.name)
		require.ErrorContains(t, err, tt.wrong, tt.name)
	}
}

func TestRejectionHolds(t *testing.T) {
	r := config.Rejection{Rule: "a/b", Fingerprint: "f", Scope: "repo"}
	require.True(t, r.Holds("a/b", "f", "", ""))
	require.False(t, r.Holds("a/b", "g", "", ""))
	require.False(t, r.Holds("a/c", "f", "", ""))
	r.Scope, r.Of = "task", "t1"
	require.True(t, r.Holds("a/b", "f", "t1", "codex"))
	require.False(t, r.Holds("a/b", "f", "t2", "t1"))
	r.Scope, r.Of = "harness", "codex"
	require.True(t, r.Holds("a/b", "f", "t2", "codex"))
	require.False(t, r.Holds("a/b", "f", "codex", "gemini-cli"))
}
