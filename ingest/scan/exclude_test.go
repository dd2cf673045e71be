package scan_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// scanned lists the names of the files that got a receipt.
func scanned(t *testing.T, o scan.Options, path string) (names []string, res *scan.Result) {
	t.Helper()
	o.Store, o.Redactor = memstore.New(), redact.New(redact.Key{})
	o.Receipt = func(r *ingest.Receipt) error {
		names = append(names, filepath.Base(r.Source))
		return nil
	}
	res, err := scan.Run(context.Background(), []string{path}, o)
	require.NoError(t, err)
	return names, res
}

// TestExclude: a folder is left out however the call spells the way to it.
func TestExclude(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"a.jsonl", "store/in.jsonl", "store/deep/in.jsonl", "store2/b.jsonl"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(p)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte("{}\n"), 0o600))
	}
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "link")))
	t.Chdir(dir)
	o := scan.Options{Exclude: []string{filepath.Join(dir, "store")}}
	for _, path := range []string{dir, ".", "store/..", "link", "link/"} {
		names, _ := scanned(t, o, path)
		assert.Equal(t, []string{"a.jsonl", "b.jsonl"}, names, path)
	}
	for _, path := range []string{"store", "link/store", "store/deep", "store/in.jsonl"} {
		names, _ := scanned(t, o, path)
		assert.Empty(t, names, path)
	}
	names, _ := scanned(t, scan.Options{Exclude: []string{filepath.Join(dir, "link", "store")}}, dir)
	assert.Equal(t, []string{"a.jsonl", "b.jsonl"}, names)
	names, _ = scanned(t, scan.Options{Exclude: []string{filepath.Join(dir, "none")}}, "store2")
	assert.Equal(t, []string{"b.jsonl"}, names)
}

// TestSinceKeepsConfig: an old configuration governs new files.
func TestSinceKeepsConfig(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"new.jsonl", "old.jsonl", scan.ConfigName} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
		if name != "new.jsonl" {
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
		}
	}
	names, res := scanned(t, scan.Options{Since: time.Now().Add(-time.Minute)}, dir)
	assert.Equal(t, []string{scan.ConfigName, "new.jsonl"}, names)
	assert.Len(t, res.Configs, 1)
}
