package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/span"
)

var invariantName = regexp.MustCompile(`invariant "([^"]+)"`)

// TestInvariantsLabelRuns: the invariants of a support desk alone tell which of
// its six runs went wrong, and how.
func TestInvariantsLabelRuns(t *testing.T) {
	dir := filepath.Join("..", "..", "fixtures", "invariants")
	data, err := os.ReadFile(filepath.Join(dir, "labels.tsv"))
	require.NoError(t, err)
	want, got := map[string]string{}, map[string]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		want[ingest.RunID(span.Family, f[0])] = f[2]
	}
	verdicts := triage(t, dir)
	for _, v := range verdicts {
		labels := []string{}
		for _, f := range v.Findings {
			if f.Rule == "acceptance/broken-invariant" {
				for _, m := range invariantName.FindAllStringSubmatch(f.Message, -1) {
					labels = append(labels, m[1])
				}
			}
		}
		slices.Sort(labels)
		if labels = slices.Compact(labels); len(labels) == 0 {
			labels = []string{"ok"}
		}
		got[v.Run] = strings.Join(labels, ",")
	}
	require.Equal(t, want, got)
}
