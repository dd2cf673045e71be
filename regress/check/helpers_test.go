package check

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

// read ingests a scenario of fixtures/rules.
func read(t *testing.T, name string) classify.Input {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "fixtures", "rules", filepath.FromSlash(name)+".txtar"))
	require.NoError(t, err)
	return readFiles(t, ar.Files)
}

func readFiles(t *testing.T, files []txtar.File) classify.Input {
	t.Helper()
	dir, ctx := t.TempDir(), context.Background()
	for _, f := range files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, f.Data, 0o644))
	}
	store := memstore.New()
	res, err := scan.Run(ctx, []string{dir}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All(), Workers: 1}
	for _, path := range res.Configs {
		c, err := config.Load(path)
		require.NoError(t, err)
		in.Configs = append(in.Configs, c)
	}
	return in
}

// approved is an approved case of these expectations, under a rule that has no
// occasion of its own.
func approved(id string, es ...expect.Expect) Named {
	return Named{Name: id + ".txtar", Case: &regress.Case{ID: id, Rule: "none/such", Status: regress.Approved, Expect: es}}
}

// outcome checks all runs of an input against one expectation.
func outcome(t *testing.T, in classify.Input, e expect.Expect) CaseResult {
	t.Helper()
	require.NoError(t, e.Validate())
	r, err := Run(context.Background(), in, []Named{approved("c1", e)}, Options{})
	require.NoError(t, err)
	require.Len(t, r.Cases, 1)
	return r.Cases[0]
}
