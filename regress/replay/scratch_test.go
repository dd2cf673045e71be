package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/script"
)

// TestFill: the files of a script stay inside, whatever they are called and
// whatever lies there.
func TestFill(t *testing.T) {
	outside := t.TempDir()
	dir := t.TempDir()
	require.NoError(t, fill(dir, map[string]string{"a.txt": "a", "cmd/x/main.go": "package main\n", "run.sh": "#!/bin/sh\n"}))
	info, err := os.Stat(filepath.Join(dir, "run.sh"))
	require.NoError(t, err)
	assert.Equal(t, "-rwxr-xr-x", info.Mode().String())
	for _, name := range []string{
		"../x", "/etc/x", "a/../../x", "", ".", "a//b", `..`, ".git/config", ".GIT/hooks/pre-commit", "sub/.git/config", ".git ./config",
	} {
		assert.Error(t, fill(dir, map[string]string{name: "x"}), "%q", name)
	}
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	assert.Error(t, fill(dir, map[string]string{"link/x": "x"}))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestShims(t *testing.T) {
	s, err := newScratch(t.TempDir())
	require.NoError(t, err)
	names := commands(&script.Script{Tools: []script.Tool{
		{Name: "a", Via: script.Command, Server: "gh"}, {Name: "b", Via: script.Command, Server: "gh"},
		{Name: "c", Via: script.Command, Server: "git"}, {Name: "d", Via: script.MCP, Server: "shop"},
	}})
	assert.Equal(t, []string{"gh", "git"}, names)
	require.NoError(t, s.writeShims(names, []string{"/x y/faultline", "shim", "--control", "/it's"}))
	data, err := os.ReadFile(filepath.Join(s.shims(), "gh"))
	require.NoError(t, err)
	assert.Equal(t, "#!/bin/sh\nexec '/x y/faultline' 'shim' '--control' '/it'\\''s' command gh -- \"$@\"\n", string(data))
	_, err = os.Stat(filepath.Join(s.shims(), "git"))
	assert.ErrorIs(t, err, os.ErrNotExist, "git is the real one")
	for _, name := range []string{"../gh", "", "a b", "-x", "x;y", strings.Repeat("x", 65)} {
		assert.Error(t, s.writeShims([]string{name}, nil), "%q", name)
	}
}

// TestLongFolder: a socket's path has a limit that is told in words.
func TestLongFolder(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	require.NoError(t, os.Mkdir(long, 0o700))
	_, err := newScratch(long)
	assert.ErrorContains(t, err, "too long")
	left, err := os.ReadDir(long)
	require.NoError(t, err)
	assert.Empty(t, left)
}
