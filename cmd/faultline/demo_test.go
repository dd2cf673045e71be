package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestDemo holds triage to fixtures/demo.want, which was written by hand: per
// run the layer, the owner and the rules with a high or medium finding.
func TestDemo(t *testing.T) {
	const demo = "../../fixtures/demo"
	var out, problems bytes.Buffer
	root := newRootCommand(&app{stdout: &out, stderr: &problems, env: func(string) string { return "" }, format: "text", workers: 2})
	root.SetArgs([]string{"triage", demo, "--store", filepath.Join(t.TempDir(), "store"), "--format", "json"})
	require.ErrorIs(t, root.ExecuteContext(t.Context()), errFound)
	require.Empty(t, problems.String())

	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var v struct {
			Type, Source, Layer, Owner string
			Findings                   []struct{ Rule, Severity string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &v, json.MatchCaseInsensitiveNames(true)))
		if v.Type != "verdict" {
			continue
		}
		rules := ""
		for _, f := range v.Findings {
			if f.Severity != "low" && !strings.Contains(rules, f.Rule) {
				rules += " " + f.Rule
			}
		}
		if rules == "" {
			rules = " -"
		}
		got[strings.TrimPrefix(v.Source, demo+"/")] = strings.ReplaceAll(v.Layer, " ", "-") + " " + v.Owner + rules
	}
	if diff := cmp.Diff(demoWant(t, demo+".want"), got); diff != "" {
		t.Errorf("demo.want and triage differ (-want +got):\n%s", diff)
	}
}

func demoWant(t *testing.T, path string) map[string]string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if source, rest, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
			want[source] = rest
		}
	}
	require.NotEmpty(t, want)
	return want
}
