//go:build unix

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floods are documents of a great many units of a few bytes, each in a format
// that must see a document's end, or another part of it, before it knows what
// its units are: parts of a document, of which those that begin with a comma
// are repeated, each time with its number.
var floods = map[string][]string{
	"steps.traj": {
		`{"environment":"main","history":[],"trajectory":[{"action":"ls","observation":"a","response":"b","thought":"c"}`,
		`,{"action":"#"}`, `]}`,
	},
	"calls.traj": {
		`{"environment":"main","trajectory":[{"action":"ls","observation":"a","response":"b","thought":"c"}`,
		`,{"action":"a"}`, `],"history":[{"role":"system","content":"x","agent":"primary","message_type":"system_prompt"}`,
		`,{"role":"assistant","action":"a","tool_calls":[{"id":"#","name":"b"}]}`, `]}`,
	},
	"inspect.json": {
		`{"version":2,"status":"success","eval":{"run_id":"r","created":"2026-01-01T00:00:00Z","task":"t","task_id":"i","dataset":{},"model":"m","config":{}},` +
			`"samples":[{"id":1,"epoch":1,"input":"x","target":"y","messages":[],"events":[{"event":"tool"}`,
		`,{"event":"tool"}`, `]}]}`,
	},
	"results.json": {
		`{"results":[{"trial_name":"a","task_id":"a","is_resolved":true,"failure_mode":"unset"}`,
		`,{}`, `],"n_resolved":0,"n_unresolved":0,"accuracy":0.0}`,
	},
	"checks.json": {
		`{"trial_name":"a","task_id":"a","is_resolved":true,"failure_mode":"unset","parser_results":{"a":""`,
		`,"#":""`, `}}`,
	},
}

// writeFlood writes a flood of n units piece by piece: what this process takes
// counts for one that it starts.
func writeFlood(t *testing.T, name string, n int) (path string) {
	path = filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	for _, part := range floods[name] {
		times := 1
		if part[0] == ',' {
			times = n
		}
		for i := range times {
			_, _ = w.WriteString(strings.ReplaceAll(part, "#", strconv.Itoa(i)))
		}
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return path
}

// TestFloods: ingest stays below 200 MB whatever its input is cut into.
func TestFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds a flood")
	}
	program := build(t)
	for name := range floods {
		t.Run(name, func(t *testing.T) {
			file := writeFlood(t, name, 300_000)
			var out strings.Builder
			took := childTo(t, &out, program, "ingest", "--store", filepath.Join(t.TempDir(), "store"), file)
			assert.NotContains(t, out.String(), "unknown-format")
			assert.Less(t, took.peak, 200.0)
			t.Logf("%.0f MB", took.peak)
		})
	}
}
