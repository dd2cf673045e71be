package classify

import (
	"bytes"
	"crypto/sha256"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Same reports that two actions are one and the same call: tool and arguments
// are equal, whatever the order of members and the description for the user.
func (a *Action) Same(b *Action) bool {
	if a.Tool != b.Tool || a.Kind != b.Kind {
		return false
	}
	return a.Key() == b.Key()
}

func (a *Action) canonical() []byte {
	v := jsontext.Value(bytes.Clone(a.Args))
	if v.Canonicalize() != nil {
		return a.Args
	}
	return v
}

// longKey is the size in bytes above which a key is kept as its hash.
const longKey = 256

// Key is a string that is equal for actions that are Same.
func (a *Action) Key() string {
	if a.key != "" {
		return a.key
	}
	what := strings.TrimSpace(a.Shell)
	if a.Kind != RunsShell {
		what = string(a.canonical())
	}
	if len(what) > longKey {
		sum := sha256.Sum256([]byte(what))
		what = string(sum[:])
	}
	a.key = a.Tool + "\x00" + what
	return a.key
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
