package classify

import (
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// Change is one change of the workspace, as far as calls tell.
type Change struct {
	Action    *Action
	Path      string // relative to the working directory where it lies below
	Op        shell.Op
	Formatter bool   // a formatter's own rewriting
	Install   bool   // dependencies, caches
	Cosmetic  bool   // only comments or white space, or no difference at all
	Content   string // whole new content, where the call states it
	Known     bool   // Content is known
}

func (c *Change) position() int { return c.Action.Pos }

// Candidate reports whether the path can belong to the work: the configuration
// says so, or says nothing, and it is not scratch space, a dependency folder or
// the harness's own.
func (c *Change) Candidate() bool {
	if c.Install {
		return false
	}
	if globs := c.Action.thread.config.Candidate; len(globs) > 0 {
		return config.MatchAny(globs, c.Path)
	}
	p := c.Path
	for _, dir := range []string{"/tmp/", "/var/tmp/", "/dev/", "/proc/", "/sys/", "~/.", "$TMPDIR"} {
		if strings.HasPrefix(p+"/", dir) {
			return false
		}
	}
	for _, dir := range []string{"node_modules", ".git", ".venv", "venv", "__pycache__", ".pytest_cache", ".claude", ".mypy_cache", ".ruff_cache"} {
		if p == dir || strings.HasPrefix(p, dir+"/") || strings.Contains(p, "/"+dir+"/") {
			return false
		}
	}
	return true
}

// readWorkspace collects the changes of all actions. An edit that definitely
// failed changed nothing; a command that failed may have.
func (th *Thread) readWorkspace() {
	for _, a := range th.Actions {
		if !a.Ran() {
			continue
		}
		switch a.Kind {
		case Edits:
			if a.Outcome == ingest.Fail {
				continue
			}
			for _, p := range a.paths {
				c := &Change{Action: a, Path: p, Op: shell.OpWrite}
				if a.deletes(p) {
					c.Op = shell.OpDelete
				}
				c.readEdit()
				th.Changes = append(th.Changes, c)
			}
		case Other:
			if p := outputPath(a.Args); p != "" && a.Outcome != ingest.Fail {
				th.Changes = append(th.Changes, &Change{Action: a, Path: relative(a.Run.Meta.Cwd, p), Op: shell.OpWrite})
			}
		case RunsShell:
			for _, cmd := range a.Commands {
				if cmd.Host != "" {
					continue
				}
				for _, sc := range cmd.Changes() {
					c := &Change{Action: a, Path: relative(a.Run.Meta.Cwd, sc.Path), Op: sc.Op, Formatter: sc.Formatter, Install: sc.Install}
					c.readCommand(cmd)
					th.Changes = append(th.Changes, c)
				}
			}
		}
	}
}

// deletes reports that an editing call removes the file as a whole.
func (a *Action) deletes(file string) bool {
	if name := plain(local(a.Tool)); name == "deletefile" || name == "removefile" {
		return true
	}
	for _, key := range []string{"patch", "input"} {
		for line := range strings.Lines(a.text(key)) {
			if rest, ok := strings.CutPrefix(line, "*** Delete File: "); ok && relative(a.Run.Meta.Cwd, strings.TrimSpace(rest)) == file {
				return true
			}
		}
	}
	return false
}

// outputPath is the file that a tool of the harness's own says it writes.
func outputPath(args jsontext.Value) string {
	for _, key := range []string{"output", "output_path", "out", "target", "dest", "destination", "artifact"} {
		if s := member(args, key); looksLikePath(s) {
			return s
		}
	}
	return ""
}

// looksLikePath reports that a word has the shape of a file path.
func looksLikePath(s string) bool {
	return s != "" && !strings.Contains(s, "://") && !strings.ContainsAny(s, " \n") && (strings.Contains(s, "/") || path.Ext(s) != "")
}

// readEdit tells a whole new content or a cosmetic edit from the arguments.
func (c *Change) readEdit() {
	for _, key := range []string{"content", "file_text", "contents", "text", "code_edit"} {
		if v := c.Action.value(key); len(v) > 0 && v[0] == '"' {
			c.Content, c.Known = text(v), true
			return
		}
	}
	for _, keys := range swapKeys {
		before, after := c.Action.value(keys[0]), c.Action.value(keys[1])
		if len(before) > 0 && len(after) > 0 {
			c.Cosmetic = stripComments(text(before), c.Path) == stripComments(text(after), c.Path)
			return
		}
	}
}

func (c *Change) readCommand(cmd shell.Command) {
	if len(cmd.Argv) > 0 && path.Base(cmd.Argv[0]) == "touch" {
		c.Cosmetic = true // a new time, no new byte
	}
	if cmd.Stdin != "" && c.Op == shell.OpWrite && len(cmd.Argv) > 0 && (len(cmd.Argv) == 1 && path.Base(cmd.Argv[0]) == "cat" || path.Base(cmd.Argv[0]) == "tee") {
		c.Content, c.Known = cmd.Stdin, true
	}
}

// stripComments drops comment lines, trailing comments and white space, so
// that two texts that differ only there are equal. It knows line comments of
// the usual families; a doubtful line is kept.
func stripComments(s, file string) string {
	marks := []string{"//", "/*", "*", "*/", "--", ";"}
	switch strings.ToLower(path.Ext(file)) {
	case ".py", ".sh", ".rb", ".yaml", ".yml", ".toml", ".r", ".pl", ".bash", ".tf", ".mk", "":
		marks = []string{"#"}
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		comment := false
		for _, m := range marks {
			comment = comment || strings.HasPrefix(line, m)
		}
		if comment {
			continue
		}
		for _, m := range marks[:1] {
			if i := strings.Index(line, " "+m+" "); i > 0 && !strings.ContainsAny(line[i:], `"'`+"`") {
				line = line[:i]
			}
		}
		for _, field := range strings.Fields(line) {
			b.WriteString(field)
		}
	}
	return b.String()
}

// ChangesIn returns the changes with a position after one point and before
// another.
func (th *Thread) ChangesIn(after, before int) []*Change { return between(th.Changes, after, before) }

// Remaining are the changes of one file between two points that the later ones
// did not take back: a file that was made and deleted, an edit that was swapped
// back, content that was put back or restored leaves nothing.
func (th *Thread) Remaining(file string, after, before int) []*Change {
	was, known, touched := th.contentAt(file, after)
	var left []*Change
	for _, d := range between(th.ChangesOf(file), after, before) {
		n := len(left)
		switch {
		case d.restores() && !touched,
			d.Known && known && d.Content == was,
			d.Op == shell.OpDelete && n > 0 && !touched && left[0].creates():
			left = nil
		case n > 0 && reverses(left[n-1], d):
			left = left[:n-1]
		default:
			left = append(left, d)
		}
	}
	return left
}

// contentAt is what is known of a file's content at a point, and whether the
// thread had touched it by then.
func (th *Thread) contentAt(file string, at int) (content string, known, touched bool) {
	if before := between(th.ChangesOf(file), -1, at+1); len(before) > 0 {
		d := before[len(before)-1]
		return d.Content, d.Known, d.Op != shell.OpDelete
	}
	return "", false, false
}

// creates reports that the change may have made the file: it wrote it whole.
func (c *Change) creates() bool {
	return c.Op != shell.OpAppend && (c.Known || c.Action.Kind == RunsShell)
}

// reverses reports that d swaps back what the edit c swapped.
func reverses(c, d *Change) bool {
	for _, keys := range swapKeys {
		a, b := c.Action.text(keys[0]), c.Action.text(keys[1])
		if b != "" && d.Action.text(keys[0]) == b && d.Action.text(keys[1]) == a {
			return true
		}
	}
	return false
}

// restores reports that the change put the file back to its committed state.
func (c *Change) restores() bool {
	for _, cmd := range c.Action.Commands {
		sub, args, ok := cmd.Git()
		if !ok {
			continue
		}
		switch sub {
		case "restore":
			return true
		case "checkout":
			for _, a := range args {
				if a == "--" {
					return true
				}
			}
		}
	}
	return false
}
