package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBrokenPipe: a reader that goes away, such as head, ends a command
// quietly.
func TestBrokenPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has another error for it")
	}
	store := filepath.Join(t.TempDir(), "store")
	for _, args := range [][]string{
		{"triage", "../../fixtures/demo/logs"},
		{"triage", "../../fixtures/demo/logs", "--format", "json"},
		{"ingest", "../../fixtures/demo/logs", "--format", "json"},
		{"runs"}, {"runs", "--format", "json"}, {"classify"}, {"clusters"},
	} {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, r.Close())
		var problems bytes.Buffer
		a := newApp()
		a.stdout, a.stderr = w, &problems
		root := newRootCommand(a)
		root.SetArgs(append(args, "--store", store))
		err = root.ExecuteContext(t.Context())
		require.Error(t, err, "%v", args)
		require.Equal(t, exitOK, exitCode(err), "%v: %v", args, err)
		a.report(args, err, exitCode(err))
		require.Empty(t, problems.String(), "%v", args)
		require.NoError(t, w.Close())
	}
}
