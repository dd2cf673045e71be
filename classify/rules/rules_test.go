package rules_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
)

var update = flag.Bool("update", false, "rewrite generated files")

func TestRulesAreComplete(t *testing.T) {
	require.NoError(t, classify.Validate(rules.All()))
	for _, r := range rules.All() {
		for _, sort := range []string{"fire", "twin"} {
			files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "rules", filepath.FromSlash(r.Name), sort+"-*.txtar"))
			require.NoError(t, err)
			assert.GreaterOrEqual(t, len(files), 3, "%s has too few %s scenarios", r.Name, sort)
		}
	}
}

// TestRulesPage keeps the page beside the package in step with the rules.
func TestRulesPage(t *testing.T) {
	page := filepath.Join("..", "RULES.md")
	want := rules.Markdown(rules.All())
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "run go test ./classify/rules -update")
}
