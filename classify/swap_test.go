package classify

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/shell"
)

// TestSwaps: a rule sees which text an edit replaced, however the tool takes it.
func TestSwaps(t *testing.T) {
	want := []Swap{{"abs=0.05", "abs=5"}}
	for name, args := range map[string]string{
		"two texts":     `{"path":"t/a.py","old_text":"abs=0.05","new_text":"abs=5"}`,
		"several edits": `{"file_path":"t/a.py","edits":[{"old_string":"abs=0.05","new_string":"abs=5"}]}`,
	} {
		c := &Change{Path: "t/a.py", Action: &Action{Kind: Edits, Args: jsontext.Value(args)}}
		assert.Equal(t, want, c.Swaps(), name)
	}
	patch := &Change{Path: "t/a.py", Action: &Action{Kind: Edits, Args: jsontext.Value(`{"input":"*** Begin Patch\n*** Update File: t/b.py\n@@\n-x\n+y\n*** Update File: t/a.py\n@@\n-abs=0.05\n+abs=5\n*** End Patch"}`)}}
	assert.Equal(t, []Swap{{"abs=0.05\n", "abs=5\n"}}, patch.Swaps(), "only the file's own hunks")
	for _, text := range []string{`sed -i 's/abs=0.05/abs=5/' t/a.py`, `perl -pi -e 's|abs=0.05|abs=5|' t/a.py`} {
		cmds, err := shell.Parse(text)
		require.NoError(t, err)
		c := &Change{Path: "t/a.py", Action: &Action{Kind: RunsShell, Commands: cmds}}
		assert.Equal(t, want, c.Swaps(), text)
	}
}
