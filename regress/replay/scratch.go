package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/regress/replay/world"
	"github.com/faultline-dev/faultline/regress/script"
)

// scratch is the folder of one play, and everything that lies in it.
type scratch struct {
	dir string // absolute, without symbolic links
}

func (s scratch) home() string      { return filepath.Join(s.dir, "home") }
func (s scratch) workspace() string { return filepath.Join(s.dir, "work") }
func (s scratch) shims() string     { return filepath.Join(s.dir, "shims") }
func (s scratch) remote() string    { return filepath.Join(s.dir, "remote.git") }
func (s scratch) control() string   { return filepath.Join(s.dir, "control") }

// maxSocket is how long the path of a Unix socket may be, in bytes.
const maxSocket = 103

// newScratch makes the folder in parent; "" is the folder for temporary files.
func newScratch(parent string) (scratch, error) {
	dir, err := os.MkdirTemp(parent, "replay-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return scratch{}, fmt.Errorf("make a scratch folder: %w", err)
	}
	s := scratch{dir}
	if n := len(s.control()); n > maxSocket {
		os.RemoveAll(dir)
		return scratch{}, fmt.Errorf("make a scratch folder: a socket's path of %d bytes is too long: %s", n, s.control())
	}
	for _, d := range []string{s.home(), filepath.Join(s.home(), "tmp"), s.workspace(), s.shims()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return scratch{}, fmt.Errorf("make a scratch folder: %w", err)
		}
	}
	return s, nil
}

// errPath is a path of a script that must not be written.
var errPath = errors.New("a path that leaves the workspace, or lies in .git")

// fill writes files below a folder; no path and no link leads out of it.
func fill(dir string, files map[string]string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !fs.ValidPath(name) || name == "." || slices.ContainsFunc(strings.Split(name, "/"), isGit) {
			return fmt.Errorf("write %q: %w", name, errPath)
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(files[name], "#!") {
			mode = 0o755
		}
		err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755)
		if err == nil {
			err = root.WriteFile(filepath.FromSlash(name), []byte(files[name]), mode)
		}
		if err != nil {
			return fmt.Errorf("write %q: %w", name, err)
		}
	}
	return nil
}

// isGit reports a folder whose files git obeys, on any file system.
func isGit(part string) bool { return strings.EqualFold(strings.TrimRight(part, " ."), ".git") }

// commandName is what a shim may be called.
var commandName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// gitCommand is the one command that is no shim: the real git works on a bare
// remote, and a hook of that reports to the world.
const gitCommand = "git"

// commands are the commands of a script's tools.
func commands(s *script.Script) (names []string) {
	for _, t := range s.Tools {
		if t.Via == script.Command {
			names = append(names, t.Server)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// writeShims puts a tiny program in the place of every command.
func (s scratch) writeShims(names []string, shim []string) error {
	for _, name := range names {
		if name == gitCommand {
			continue
		}
		if !commandName.MatchString(name) {
			return fmt.Errorf("%w: %q is no name of a command", script.ErrScript, name)
		}
		text := "#!/bin/sh\nexec " + quoted(shim) + " command " + name + " -- \"$@\"\n"
		if err := os.WriteFile(filepath.Join(s.shims(), name), []byte(text), 0o755); err != nil {
			return fmt.Errorf("make a shim: %w", err)
		}
	}
	return nil
}

// writeHook makes the bare remote tell the world of every push.
func (s scratch) writeHook(shim []string) error {
	text := "#!/bin/sh\nexec " + quoted(shim) + " git origin\n"
	return os.WriteFile(filepath.Join(s.remote(), "hooks", "post-receive"), []byte(text), 0o755)
}

// keepLedger writes what happened in the world, one entry a line.
func (s scratch) keepLedger(entries []world.Entry) error {
	var b bytes.Buffer
	for _, e := range entries {
		if err := json.MarshalWrite(&b, e, json.Deterministic(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("keep the ledger: %w", err)
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(s.dir, "ledger.jsonl"), b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("keep the ledger: %w", err)
	}
	return nil
}

// listen opens the control socket.
func (s scratch) listen() (net.Listener, error) { return net.Listen("unix", s.control()) }

// quoted is words for a POSIX shell.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(out, " ")
}

// gitConfig is the user's configuration of git in the scratch home.
const gitConfig = `[user]
	name = Replay
	email = replay@localhost
[init]
	defaultBranch = main
[safe]
	directory = *
[advice]
	detachedHead = false
`

// gitSetUp makes the workspace a repository with one commit and a remote. It
// runs in the sandbox: what the files say is not to be trusted.
const gitSetUp = `git init -q --bare -b main "$2"
cd "$1"
git init -q -b main
git add -A
git commit -q --allow-empty -m start
git remote add origin "$2"
git push -q -u origin main`

// gitDates make the first commit the same every time.
func gitDates() []string {
	const at = "2026-01-01T00:00:00Z"
	return []string{"GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at}
}
