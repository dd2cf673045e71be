package classify

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Same reports that two actions are one and the same call: tool and arguments
// are equal, whatever the order of members and the description for the user.
func (a *Action) Same(b *Action) bool {
	if a.Tool != b.Tool || a.Kind != b.Kind {
		return false
	}
	if a.Kind == RunsShell {
		return strings.TrimSpace(a.Shell) == strings.TrimSpace(b.Shell)
	}
	return bytes.Equal(a.canonical(), b.canonical())
}

func (a *Action) canonical() []byte {
	v := jsontext.Value(bytes.Clone(a.Args))
	if v.Canonicalize() != nil {
		return a.Args
	}
	return v
}

// Key is a string that is equal for actions that are Same.
func (a *Action) Key() string {
	if a.Kind == RunsShell {
		return a.Tool + "\x00" + strings.TrimSpace(a.Shell)
	}
	return a.Tool + "\x00" + string(a.canonical())
}

// CommandKey is a string that is equal for the i-th command of two actions
// when they run the same program on the same words and input in the same place,
// whatever else their texts do.
func (a *Action) CommandKey(i int) string {
	c := a.Commands[i]
	dir := c.Dir
	if dir == "" {
		dir = "."
	}
	parts := []string{relative(a.Run.Meta.Cwd, dir), strings.Join(c.Argv, "\x01"), c.Stdin, c.StdinFile, strings.Join(c.Writes, "\x01"), strings.Join(c.Appends, "\x01")}
	return strings.Join(parts, "\x00")
}
