package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
)

// TestDemo holds the demo's runs to the hand-written table beside it: layer,
// owner and the rules with a medium or high finding, innocents among them.
func TestDemo(t *testing.T) {
	root := filepath.Join("..", "..", "fixtures", "demo")
	table, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "demo.want"))
	require.NoError(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			want[f[0]] = strings.Join(f[1:], " ")
		}
	}
	got := map[string]string{}
	for _, v := range triage(t, root) {
		rel, err := filepath.Rel(root, v.Source)
		require.NoError(t, err)
		got[filepath.ToSlash(rel)] = string(v.Layer) + " " + string(v.Owner) + " " + loudRules(v)
	}
	assert.GreaterOrEqual(t, len(want), 12)
	assert.Equal(t, want, got)
}

// loudRules lists the rules with a medium or high finding, sorted, or "-".
func loudRules(v classify.Verdict) string {
	var names []string
	for _, f := range v.Findings {
		if f.Severity != classify.Low && !slices.Contains(names, f.Rule) {
			names = append(names, f.Rule)
		}
	}
	if len(names) == 0 {
		return "-"
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}
