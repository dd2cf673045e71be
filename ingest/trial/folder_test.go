package trial_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/trial"
)

// TestHasFile: only a regular file of the folder itself counts.
func TestHasFile(t *testing.T) {
	dir := fstest.MapFS{
		"a/inside.json": {},
		"link.json":     {Mode: fs.ModeSymlink},
		"result.json":   {Data: []byte("{}")},
		"z.txt":         {},
	}
	entries, err := fs.ReadDir(dir, ".")
	require.NoError(t, err)
	for name, want := range map[string]bool{
		"result.json": true, "z.txt": true,
		"link.json": false, "a": false, "inside.json": false, "results.json": false, "": false,
	} {
		require.Equal(t, want, trial.HasFile(entries, name), name)
	}
}

func TestReadHead(t *testing.T) {
	dir := fstest.MapFS{"f": {Data: []byte("abcdef")}}
	for limit, want := range map[int64]string{3: "abc", 6: "abcdef", 100: "abcdef"} {
		head, err := trial.ReadHead(dir, "f", limit)
		require.NoError(t, err)
		require.Equal(t, want, string(head))
	}
	_, err := trial.ReadHead(dir, "none", 3)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "none")
}
