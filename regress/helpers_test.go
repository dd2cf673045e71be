package regress

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// unpack lays a txtar archive out in a folder.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if f.Name == "want" {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, f.Data, 0o644))
	}
	return dir
}

// triage ingests a folder under a key and judges it.
func triage(t testing.TB, dir string, key redact.Key) (classify.Input, []classify.Verdict) {
	t.Helper()
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{dir}, scan.Options{Store: store, Redactor: redact.New(key)})
	require.NoError(t, err)
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All(), Workers: 1}
	for _, path := range res.Configs {
		c, err := config.Load(path)
		require.NoError(t, err)
		in.Configs = append(in.Configs, c)
	}
	out, err := classify.Run(context.Background(), in)
	require.NoError(t, err)
	return in, out.Verdicts
}

// scenarios are the files of fixtures/rules.
func scenarios(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "rules", "*", "*", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		out[strings.TrimSuffix(filepath.ToSlash(f[len("../fixtures/rules/"):]), ".txtar")] = string(data)
	}
	return out
}

// finding returns the only finding of a rule.
func finding(t testing.TB, verdicts []classify.Verdict, rule string) classify.Finding {
	t.Helper()
	var found []classify.Finding
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if f.Rule == rule {
				found = append(found, f)
			}
		}
	}
	require.Len(t, found, 1, "findings of %s", rule)
	return found[0]
}

// spread is what a test of all scenarios goes through: every tenth of them
// with -short, which the slow race detector runs with.
func spread(t *testing.T) map[string]string {
	t.Helper()
	all := scenarios(t)
	if !testing.Short() {
		return all
	}
	out := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%10 == 0 {
			out[name] = all[name]
		}
	}
	return out
}
