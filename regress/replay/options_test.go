package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/adapter"
)

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"unknown harness":     {Harness: "nobody", Command: []string{"sh"}},
		"no command":          {Harness: "generic"},
		"program not found":   {Harness: "generic", Command: []string{"no-such-program-here"}},
		"unknown acceptance":  {Harness: "generic", Command: []string{"sh"}, Accept: "vibes"},
		"acceptance, no tool": {Harness: "generic", Command: []string{"sh"}, Accept: "tool:"},
		"environment":         {Harness: "generic", Command: []string{"sh"}, Env: []string{"=x"}},
	} {
		_, _, err := o.complete()
		assert.ErrorIs(t, err, ErrOptions, name)
	}
	o, a, err := Options{Harness: "generic", Command: []string{"sh", "-c", "{{.Prompt}}"}}.complete()
	require.NoError(t, err)
	assert.True(t, filepath.IsAbs(a.Command[0]))
	assert.Equal(t, []Mode{Persistent, Passive}, o.Modes)
	p, err := o.plan(a, adapter.Values{Prompt: "hi"})
	require.NoError(t, err)
	assert.Equal(t, "hi", p.Command[2])
	assert.Empty(t, p.Resume)
}

// TestProgramWords: a known harness may be started in other words.
func TestProgramWords(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	o, a, err := Options{Harness: "codex", Command: []string{self, "codex"}, Faultline: "/f"}.complete()
	require.NoError(t, err)
	p, err := o.plan(a, adapter.Values{Prompt: "hi"})
	require.NoError(t, err)
	assert.Equal(t, []string{self, "codex", "exec", "--skip-git-repo-check"}, p.Command[:4])
	assert.Equal(t, []string{self, "codex", "exec", "resume", "--last"}, p.Resume[:5])
	assert.Equal(t, "hi", p.Resume[len(p.Resume)-1])
}
