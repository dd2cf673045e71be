package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestHelp pins the help of every command, since it is what users script by.
func TestHelp(t *testing.T) {
	var out bytes.Buffer
	root := newRootCommand(&app{stdout: &out, stderr: &out, env: func(string) string { return "" }, format: "text"})
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Name() == "completion" || c.Name() == "help" {
			return
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		t.Run(name, func(t *testing.T) {
			out.Reset()
			require.NoError(t, c.Help())
			golden(t, filepath.Join("testdata", "help", name+".txt"), out.Bytes())
		})
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// golden compares with a file, or rewrites it with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
