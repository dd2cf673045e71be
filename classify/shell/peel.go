package shell

import (
	"path"
	"slices"
	"strings"
)

// peeled is what peeling found beside the command itself.
type peeled struct {
	script  string // of a nested shell
	options scope  // errexit and pipefail of that shell
}

// maxPeel bounds how many wrappers are taken off one command.
const maxPeel = 16

// peel takes wrappers and directory flags off c.Argv.
func peel(c *Command) peeled {
	for range maxPeel {
		if p, ok := peelShell(c); ok {
			return p
		}
		if peelPython(c) {
			continue
		}
		p, ok := peelWrapper(c)
		if p.script != "" {
			return p
		}
		if !ok {
			break
		}
	}
	peelDir(c)
	peelNodeBin(c)
	return peeled{}
}

// Program is the name by which the tables know a word: no folder, no ".exe",
// no "@version", and python3.12 is python.
func Program(word string) string {
	name := strings.TrimSuffix(path.Base(word), ".exe")
	if i := strings.IndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if strings.HasPrefix(name, "python") && strings.Trim(name[6:], "0123456789.") == "" || name == "py" {
		return "python"
	}
	return name
}

// findWrapper returns the row whose words begin argv, the longest first, and
// the index of the word after them.
func findWrapper(argv []string) (best wrapper, after int, ok bool) {
	name, width := Program(argv[0]), 0
	for _, w := range wrappers {
		rest, ok := strings.CutPrefix(w.name, name)
		words := strings.Count(w.name, " ") + 1
		if !ok || rest != "" && rest[0] != ' ' || words <= width {
			continue
		}
		if end := skipWords(argv, rest, globalFlags[name]); end > 0 {
			best, after, width = w, end, words
		}
	}
	return best, after, width > 0
}

// skipWords matches words behind the program of argv, over its own flags (docker
// compose -f x.yml exec), of which values take one, and returns the index after
// them or 0.
func skipWords(argv []string, words, values string) int {
	i := 1
	for word := range strings.FieldsSeq(words) {
		for values != "" && i < len(argv) && strings.HasPrefix(argv[i], "-") {
			if has(values, argv[i]) {
				i++
			}
			i++
		}
		if i >= len(argv) || argv[i] != word {
			return 0
		}
		i++
	}
	return i
}

// Leading counts the words of a row when a command of the named program begins
// with them; it is 0 for any other.
func Leading(name string, argv []string, row string) int {
	rest, ok := strings.CutPrefix(row, name)
	if !ok || rest != "" && rest[0] != ' ' {
		return 0
	}
	n := 1
	for word := range strings.FieldsSeq(rest) {
		if n == len(argv) || argv[n] != word {
			return 0
		}
		n++
	}
	return n
}

func peelWrapper(c *Command) (peeled, bool) {
	w, after, ok := findWrapper(c.Argv)
	if !ok {
		return peeled{}, false
	}
	next := *c
	rest, script, ok := w.open(&next, c.Argv[after:])
	if !ok {
		return peeled{}, false
	}
	next.Wrappers = append(next.Wrappers, w.name)
	next.Dynamic = next.Dynamic || w.remote
	if w.joined && script == "" {
		if script = strings.Join(rest, " "); script == "" {
			script = next.Stdin
		}
	}
	if script != "" {
		next.Stdin = ""
		*c = next
		return peeled{script: script}, true
	}
	if len(rest) == 0 {
		return peeled{}, false
	}
	next.Argv = rest
	*c = next
	return peeled{}, true
}

// open reads a wrapper's flags and operands and returns the command's words.
func (w wrapper) open(c *Command, args []string) (rest []string, script string, ok bool) {
	dash := slices.Index(args, "--")
	i, skip := 0, w.skip
	if w.host {
		skip++
	}
	for i < len(args) {
		a := args[i]
		name, value, attached := strings.Cut(a, "=")
		switch {
		case a == "--":
			i++
			if skip == 0 {
				return args[i:], "", true
			}
		case len(a) > 1 && a[0] == '-':
			if has(w.unless, a) {
				return nil, "", false
			}
			used := 1
			if !attached && i+1 < len(args) && (has(w.values, a) || has(w.dir, a) || has(w.script, a) || has(w.env, a)) {
				value, used = args[i+1], 2
			}
			switch {
			case has(w.script, name):
				return nil, value, value != ""
			case has(w.dir, name):
				c.Dir = join(c.Dir, value)
			case has(w.env, name):
				c.Env = append(c.Env, value)
			}
			i += used
		case attached && isName(name) && skip == 0:
			c.Env = append(c.Env, a)
			i++
		case skip > 0:
			if w.host && c.Host == "" || w.host && skip == w.skip+1 {
				c.Host = a
			}
			skip--
			i++
		default:
			if w.dash && dash > i {
				i = dash + 1
			}
			return args[i:], "", true
		}
	}
	return nil, "", w.joined
}

func has(list, flag string) bool {
	for word := range strings.FieldsSeq(list) {
		if word == flag {
			return true
		}
	}
	return false
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		ch := s[i]
		letter := ch == '_' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z'
		if !letter && (i == 0 || ch < '0' || ch > '9') {
			return false
		}
	}
	return s != ""
}

// peelShell finds the script of bash -c TEXT, bash <<EOF and eval TEXT.
func peelShell(c *Command) (peeled, bool) {
	name := Program(c.Argv[0])
	if name == "eval" && len(c.Argv) > 1 {
		c.Wrappers = append(c.Wrappers, "eval")
		return peeled{script: strings.Join(c.Argv[1:], " ")}, true
	}
	if !shells[name] {
		return peeled{}, false
	}
	args := c.Argv[1:]
	var p peeled
	n := p.options.options(args)
	inline := slices.ContainsFunc(args[:n], func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "c")
	})
	switch {
	case onlyParses(args[:n]):
		return peeled{}, false
	case inline && n < len(args):
		p.script = args[n]
		c.Wrappers = append(c.Wrappers, name+" -c")
	case n == len(args) && c.Stdin != "":
		p.script, c.Stdin = c.Stdin, ""
		c.Wrappers = append(c.Wrappers, name)
	default:
		return peeled{}, false
	}
	return p, true
}

// peelPython takes off `python -m`, and gives a script that uv run or
// coverage run starts its interpreter back.
func peelPython(c *Command) bool {
	argv := c.Argv
	if Program(argv[0]) == "python" {
		for i := 1; i < len(argv) && strings.HasPrefix(argv[i], "-"); i++ {
			switch argv[i] {
			case "-m":
				if i+1 == len(argv) {
					return false
				}
				c.Argv = argv[i+1:]
				c.Wrappers = append(c.Wrappers, "python -m")
				return true
			case "-W", "-X":
				i++
			case "-c", "-":
				return false
			}
		}
		return false
	}
	if len(c.Wrappers) == 0 {
		return false
	}
	last := c.Wrappers[len(c.Wrappers)-1]
	if (last == "uv run" || last == "coverage run") && strings.HasSuffix(argv[0], ".py") {
		c.Argv = append([]string{"python"}, argv...)
		return true
	}
	return false
}

// peelDir moves flags such as make -C from Argv into Dir.
func peelDir(c *Command) {
	flags := dirFlags[Program(c.Argv[0])]
	if flags == nil {
		return
	}
	argv := []string{c.Argv[0]}
	for i := 1; i < len(c.Argv); i++ {
		a := c.Argv[i]
		name, value, attached := strings.Cut(a, "=")
		if a == "--" {
			argv = append(argv, c.Argv[i:]...)
			break
		}
		switch {
		case !slices.Contains(flags, name):
			argv = append(argv, a)
		case attached:
			c.Dir = join(c.Dir, value)
		case i+1 < len(c.Argv) && dirFlagFits(argv, a):
			c.Dir = join(c.Dir, c.Argv[i+1])
			i++
		default:
			argv = append(argv, a)
		}
	}
	c.Argv = argv
}

// dirFlagFits: git's -C changes the directory before the subcommand only
// (git commit -C copies a message).
func dirFlagFits(before []string, flag string) bool {
	if Program(before[0]) != "git" && Program(before[0]) != "cargo" {
		return true
	}
	return len(before) == 1 || strings.HasPrefix(before[len(before)-1], "-")
}

// peelNodeBin takes off a package manager that names a tool directly.
func peelNodeBin(c *Command) {
	if len(c.Argv) < 2 || !nodeBins[c.Argv[1]] {
		return
	}
	switch name := Program(c.Argv[0]); name {
	case "pnpm", "yarn", "bun":
		c.Wrappers = append(c.Wrappers, name)
		c.Argv = c.Argv[1:]
	}
}
