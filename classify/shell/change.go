package shell

import (
	"slices"
	"strings"
)

// Op is how a command changes a path.
type Op string

// The ways to change a path. OpUnknown says that the set of paths, or what
// happens to them, cannot be known from the text; its Path is then the
// directory under which it happens.
const (
	OpWrite   Op = "write"
	OpAppend  Op = "append"
	OpDelete  Op = "delete"
	OpMove    Op = "move" // the old name; the new one is an OpWrite
	OpMode    Op = "mode"
	OpUnknown Op = "unknown"
)

// Change is one path that a command changes by its own nature.
type Change struct {
	// Path is joined with the command's Dir; "." is where the text started.
	Path string
	Op   Op
	// Formatter is set when only layout is rewritten (gofmt -w, prettier).
	Formatter bool
	// Install is set for dependency folders and environments, which are not
	// sources: node_modules, .venv, site-packages.
	Install bool
}

// Changes returns what the command changes: redirects first, then the
// program's own effects. A program that is not known changes nothing here.
// Changes on another Host are returned too: look at Host.
func (c Command) Changes() []Change {
	var out []Change
	for _, p := range c.Writes {
		out = append(out, Change{Path: p, Op: OpWrite})
	}
	for _, p := range c.Appends {
		out = append(out, Change{Path: p, Op: OpAppend})
	}
	name := Program(c.Argv[0])
	if c.asksOnly() {
		return c.located(out)
	}
	if row, ok := changers[name]; ok {
		out = append(out, row(c, c.Argv[1:])...)
	}
	if name == "find" { // not in the table: it asks about its own -exec
		out = append(out, findChanges(c, c.Argv[1:])...)
	}
	if ch, ok := c.formats(name); ok {
		out = append(out, ch...)
	}
	if ch, ok := c.installs(name); ok {
		out = append(out, ch...)
	}
	return c.located(out)
}

// asksOnly is true for --help and --version, which do nothing else.
func (c Command) asksOnly() bool {
	return len(c.Argv) == 2 && (c.Argv[1] == "--help" || c.Argv[1] == "--version")
}

// located joins the paths with Dir.
func (c Command) located(in []Change) []Change {
	for i := range in {
		if in[i].Path = join(c.Dir, in[i].Path); in[i].Path == "" {
			in[i].Path = "."
		}
	}
	return in
}

// changers holds a row per program: its arguments to its changes.
var changers = map[string]func(c Command, args []string) []Change{
	"tee":         tee,
	"touch":       each(OpWrite, "-t -d -r --date --reference"),
	"mkdir":       each(OpWrite, "-m --mode"),
	"truncate":    each(OpWrite, "-s -r --size"),
	"rm":          each(OpDelete, ""),
	"rmdir":       each(OpDelete, ""),
	"unlink":      each(OpDelete, ""),
	"shred":       each(OpWrite, "-n -s"),
	"chmod":       afterFirst(OpMode),
	"chown":       afterFirst(OpMode),
	"cp":          copyTo(false),
	"install":     copyTo(false),
	"rsync":       copyTo(false),
	"scp":         copyTo(false),
	"ln":          copyTo(false),
	"mv":          copyTo(true),
	"sed":         sedInPlace,
	"perl":        perlInPlace,
	"ruby":        inlineRuby,
	"dd":          ddOutput,
	"patch":       patchFiles,
	"apply_patch": patchFiles,
	"git":         gitChanges,
	"tar":         tarChanges,
	"unzip":       under("-d"),
	"7z":          under("-o"),
	"gunzip":      each(OpUnknown, ""),
	"gzip":        each(OpUnknown, ""),
	"curl":        valueOf("-o", "--output"),
	"wget":        wgetOutput,
	"sort":        valueOf("-o", "--output"),
	"python":      inlineScript,
	"node":        inlineScript,
	"bun":         inlineScript,
	"deno":        inlineScript,
	"make":        makeChanges,
}

// operands returns the arguments that are no flags; values lists the flags
// that take the next argument.
func operands(args []string, values string) (out []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return append(out, args[i+1:]...)
		case has(values, a):
			i++
		case len(a) > 1 && a[0] == '-':
		default:
			out = append(out, a)
		}
	}
	return out
}

func changesOf(op Op, paths ...string) []Change {
	out := make([]Change, 0, len(paths))
	for _, p := range paths {
		out = append(out, Change{Path: p, Op: op})
	}
	return out
}

func each(op Op, values string) func(Command, []string) []Change {
	return func(_ Command, args []string) []Change { return changesOf(op, operands(args, values)...) }
}

func afterFirst(op Op) func(Command, []string) []Change {
	return func(_ Command, args []string) []Change {
		if ops := operands(args, "--reference"); len(ops) > 1 {
			return changesOf(op, ops[1:]...)
		}
		return nil
	}
}

func tee(_ Command, args []string) []Change {
	op := OpWrite
	if slices.Contains(args, "-a") || slices.Contains(args, "--append") {
		op = OpAppend
	}
	return changesOf(op, slices.DeleteFunc(operands(args, ""), func(p string) bool { return strings.HasPrefix(p, "/dev/") })...)
}

// copyTo writes the last operand, or below the one of -t; a move deletes the
// others.
func copyTo(move bool) func(Command, []string) []Change {
	return func(_ Command, args []string) []Change {
		var out []Change
		ops := operands(args, "-t --target-directory -m -o -g -e -P -i --exclude --include --rsh --mode -S")
		target := flagValue(args, "-t", "--target-directory")
		if target == "" {
			if len(ops) < 2 {
				return nil
			}
			target, ops = ops[len(ops)-1], ops[:len(ops)-1]
		}
		if move {
			out = changesOf(OpMove, ops...)
		}
		if strings.Contains(target, ":") && !strings.HasPrefix(target, "/") {
			return out // another host
		}
		return append(out, Change{Path: target, Op: OpWrite})
	}
}

// flagValue finds the value of a flag: "-o x", "--output=x".
func flagValue(args []string, names ...string) string {
	for i, a := range args {
		name, value, attached := strings.Cut(a, "=")
		if !slices.Contains(names, name) {
			continue
		}
		if attached {
			return value
		}
		if i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func valueOf(names ...string) func(Command, []string) []Change {
	return func(_ Command, args []string) []Change {
		if v := flagValue(args, names...); v != "" && v != "-" && !strings.HasPrefix(v, "/dev/") {
			return changesOf(OpWrite, v)
		}
		return nil
	}
}

// under is a program that unpacks somewhere: the directory of a flag, or here.
func under(flag string) func(Command, []string) []Change {
	return func(_ Command, args []string) []Change {
		if slices.Contains(args, "-l") || slices.Contains(args, "-t") || len(args) == 0 {
			return nil
		}
		return changesOf(OpUnknown, flagValue(args, flag))
	}
}
