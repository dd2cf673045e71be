package upkeep_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/ingest/upkeep"
)

// grown fills a store with a log as it was read while it grew, in four states.
func grown(t *testing.T, s *badgerstore.Store) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.jsonl")
	var g scan.Growing
	defer g.Close()
	text := ""
	for i := range 4 {
		text += event("a", fmt.Sprint(i), fmt.Sprintf("2026-01-01T10:0%d:00Z", i), "more")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := scan.Run(ctx, []string{path}, scan.Options{Store: s, Redactor: redact.New(key), Growing: &g})
		require.NoError(t, err)
	}
	return path
}

func contents(t *testing.T, s *badgerstore.Store) (n int) {
	t.Helper()
	for _, err := range s.Receipts() {
		require.NoError(t, err)
		n++
	}
	return n
}

// TestGrownStore: the states of a log that was followed are whole to all that
// looks after a store: they are checked, exported, compacted to the last one and
// dropped together.
func TestGrownStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	path := grown(t, s)
	want := runs(t, s)
	require.Len(t, want, 1)
	require.Equal(t, upkeep.Checked{Runs: 1, Manifests: 1, Blocks: 4, Units: 4, Events: 4, Contents: 4}, verified(t, s))

	var file bytes.Buffer
	_, err := upkeep.Export(ctx, s, &file)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "store.zst")
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o600))
	into := open(t, filepath.Join(t.TempDir(), "into"))
	_, err = upkeep.Import(ctx, into, name)
	require.NoError(t, err)
	sameRuns(t, want, runs(t, into))
	require.Equal(t, 4, verified(t, into).Contents)

	for _, s := range []*badgerstore.Store{s, into} {
		require.Equal(t, 3, compact(t, s).Snapshots)
		s = open(t, s.Dir())
		require.Equal(t, 1, contents(t, s))
		sameRuns(t, want, runs(t, s))
		verified(t, s)
		require.Equal(t, [2]int{0, 4}, counted(take(t, s, filepath.Dir(path))["a.jsonl"]))
		require.NoError(t, s.Close())
	}

	s = open(t, filepath.Join(t.TempDir(), "dropped"))
	grown(t, s)
	_, err = upkeep.Drop(ctx, s, upkeep.DropOptions{Before: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	s = open(t, s.Dir())
	require.Zero(t, contents(t, s))
}

func counted(r *ingest.Receipt) [2]int { return [2]int{r.Stored, r.Duplicates} }
