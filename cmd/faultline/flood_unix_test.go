//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floods are documents of a great many units of a few bytes, each in a format
// that must see a document's end, or another part of it, before it knows what
// its units are.
var floods = map[string]func(n int) string{
	"steps.traj": func(n int) string {
		return `{"environment":"main","history":[],"trajectory":[{"action":"ls","observation":"a","response":"b","thought":"c"}` + numbered(`,{"action":"%d"}`, n) + `]}`
	},
	"calls.traj": func(n int) string {
		return `{"environment":"main","trajectory":[{"action":"ls","observation":"a","response":"b","thought":"c"}` + strings.Repeat(`,{"action":"a"}`, n) +
			`],"history":[{"role":"system","content":"x","agent":"primary","message_type":"system_prompt"}` +
			numbered(`,{"role":"assistant","action":"a","tool_calls":[{"id":"%d","name":"b"}]}`, n) + `]}`
	},
	"inspect.json": func(n int) string {
		return `{"version":2,"status":"success","eval":{"run_id":"r","created":"2026-01-01T00:00:00Z","task":"t","task_id":"i","dataset":{},"model":"m","config":{}},` +
			`"samples":[{"id":1,"epoch":1,"input":"x","target":"y","messages":[],"events":[{"event":"tool"}` + strings.Repeat(`,{"event":"tool"}`, n) + `]}]}`
	},
	"results.json": func(n int) string {
		return `{"results":[{"trial_name":"a","task_id":"a","is_resolved":true,"failure_mode":"unset"}` + strings.Repeat(",{}", n) +
			`],"n_resolved":0,"n_unresolved":0,"accuracy":0.0}`
	},
	"checks.json": func(n int) string {
		return `{"trial_name":"a","task_id":"a","is_resolved":true,"failure_mode":"unset","parser_results":{"a":""` + numbered(`,"%d":""`, n) + `}}`
	},
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestFloods: ingest stays below 200 MB whatever its input is cut into.
func TestFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds a flood")
	}
	program := build(t)
	for name, flood := range floods {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(file, []byte(flood(300_000)), 0o600))
			var out strings.Builder
			took := childTo(t, &out, program, "ingest", "--store", filepath.Join(t.TempDir(), "store"), file)
			assert.NotContains(t, out.String(), "unknown-format")
			assert.Less(t, took.peak, 200.0)
			t.Logf("%.0f MB", took.peak)
		})
	}
}
