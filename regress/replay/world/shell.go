package world

import (
	"regexp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

type shellTool struct{ name, argument string }

// shells are the shell tools of harnesses that we know, and the argument that
// takes the command line.
var shells = []shellTool{
	{"bash", "command"}, {"shell", "command"}, {"run_shell_command", "command"}, {"exec_command", "cmd"}, {"shell_command", "command"},
	{"run_command", "command"}, {"execute_command", "command"}, {"terminal", "command"}, {"sh", "command"},
}

// wire is a call of the script as the harness's offers have it. A tool that is a
// command, or the shell of another harness, is called through the harness's shell.
func (w *World) wire(c script.Call, offers []dialect.Offer) (dialect.Call, *script.Tool, bool) {
	t, err := w.script.Find(c.Tool)
	if err != nil {
		return dialect.Call{}, &script.Tool{Name: c.Tool}, false
	}
	given := c.Args
	if len(given) == 0 {
		given = encode(args{})
	}
	if o, ok := offered(t, offers); ok {
		return dialect.Call{Name: o.Name, Namespace: o.Namespace, Args: given}, t, true
	}
	line := ""
	switch t.Via {
	case script.Command:
		line = commandLine(t, object(given))
	case script.Builtin:
		line = shellLine(t.Name, object(given))
	}
	if o, argument, ok := shellOf(offers); ok && line != "" {
		return dialect.Call{Name: o.Name, Args: encode(args{argument: line})}, t, true
	}
	return dialect.Call{}, t, false
}

// shellOf finds the harness's shell.
func shellOf(offers []dialect.Offer) (o dialect.Offer, argument string, ok bool) {
	for _, s := range shells {
		for _, o := range offers {
			if plain(o.Name) == s.name && o.Namespace == "" {
				return o, s.argument, true
			}
		}
	}
	return o, "", false
}

// shellLine is the command line that a shell tool was given, or "".
func shellLine(tool string, a args) string {
	for _, s := range shells {
		if line, ok := a[s.argument].(string); ok && s.name == plain(tool) {
			return line
		}
	}
	return ""
}

func isShell(tool string) bool {
	return slices.ContainsFunc(shells, func(s shellTool) bool { return s.name == plain(tool) })
}

var placeholder = regexp.MustCompile(`^\{([^{}]+)\}$`)

// commandLine is a call as words of a POSIX shell; arguments without a place
// follow as flags.
func commandLine(t *script.Tool, a args) string {
	words, placed := []string{quote(t.Server)}, map[string]bool{}
	for _, w := range t.Words {
		if m := placeholder.FindStringSubmatch(w); m != nil {
			placed[m[1]] = true
			w = text(a[m[1]])
		}
		words = append(words, quote(w))
	}
	for _, name := range sortedNames(a) {
		if !placed[name] {
			words = append(words, quote("--"+name), quote(text(a[name])))
		}
	}
	return strings.Join(words, " ")
}

func sortedNames(a args) []string {
	names := make([]string, 0, len(a))
	for n := range a {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

var safe = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

func quote(word string) string {
	if safe.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// fill reads a command's words into arguments: those of the template, then flags
// (--name value, --name=value), then what is left. ok is false where the words
// are not of the template.
func fill(t *script.Tool, words []string) (a args, ok bool) {
	if len(words) < len(t.Words) {
		return nil, false
	}
	a = args{}
	for i, w := range t.Words {
		if m := placeholder.FindStringSubmatch(w); m != nil {
			a[m[1]] = words[i]
		} else if w != words[i] {
			return nil, false
		}
	}
	var rest []any
	for words = words[len(t.Words):]; len(words) > 0; words = words[1:] {
		name, flag := strings.CutPrefix(words[0], "--")
		if !flag || name == "" {
			rest = append(rest, words[0])
			continue
		}
		if n, v, eq := strings.Cut(name, "="); eq {
			a[n] = v
		} else if len(words) > 1 && !strings.HasPrefix(words[1], "-") {
			a[name] = words[1]
			words = words[1:]
		} else {
			a[name] = true
		}
	}
	if len(rest) > 0 {
		a["words"] = rest
	}
	return a, true
}
