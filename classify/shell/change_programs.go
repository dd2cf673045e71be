package shell

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// shortFlag tells whether a cluster such as -ni holds the letter.
func shortFlag(args []string, letter string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, letter)
	})
}

// sedInPlace: sed -i, -i.bak, -Ei, --in-place; the first operand is the
// script unless -e or -f gave it.
func sedInPlace(_ Command, args []string) []Change {
	inPlace, scripted := false, false
	for _, a := range args {
		long := strings.HasPrefix(a, "--")
		inPlace = inPlace || strings.HasPrefix(a, "--in-place") || strings.HasPrefix(a, "-i") ||
			!long && len(a) < 5 && a != "-e" && strings.HasPrefix(a, "-") && strings.HasSuffix(a, "i")
		scripted = scripted || a == "-e" || a == "-f" || strings.HasPrefix(a, "--expression")
	}
	ops := operands(args, "-e -f --expression --file")
	if len(ops) > 0 && ops[0] == "" {
		ops = ops[1:] // BSD: sed -i '' …
	}
	if !scripted && len(ops) > 0 {
		ops = ops[1:]
	}
	if !inPlace {
		return nil
	}
	return changesOf(OpWrite, ops...)
}

func perlInPlace(_ Command, args []string) []Change {
	if !shortFlag(args, "i") {
		return nil
	}
	var out []string
	for i := 0; i < len(args); i++ {
		if len(args[i]) > 1 && args[i][0] == '-' {
			if strings.HasSuffix(args[i], "e") {
				i++
			}
			continue
		}
		out = append(out, args[i])
	}
	return changesOf(OpWrite, out...)
}

func ddOutput(_ Command, args []string) []Change {
	for _, a := range args {
		if f, ok := strings.CutPrefix(a, "of="); ok && !strings.HasPrefix(f, "/dev/") {
			return changesOf(OpWrite, f)
		}
	}
	return nil
}

func wgetOutput(_ Command, args []string) []Change {
	if v := flagValue(args, "-O", "--output-document"); v != "" {
		if v == "-" || strings.HasPrefix(v, "/dev/") {
			return nil
		}
		return changesOf(OpWrite, v)
	}
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-qO-") || a == "--spider" }) {
		return nil
	}
	return changesOf(OpUnknown, flagValue(args, "-P", "--directory-prefix"))
}

func findChanges(_ Command, args []string) []Change {
	var op Op
	switch {
	case slices.Contains(args, "-delete"):
		op = OpDelete
	case findRunsChange(args):
		op = OpUnknown
	default:
		return nil
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return changesOf(op, ".")
	}
	return changesOf(op, args[0])
}

// findRunsChange looks at the command of -exec.
func findRunsChange(args []string) bool {
	for i, a := range args {
		if (a == "-exec" || a == "-execdir" || a == "-ok") && i+1 < len(args) {
			return !Command{Argv: args[i+1:]}.ReadOnly()
		}
	}
	return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-fprint") })
}

func tarChanges(_ Command, args []string) []Change {
	if len(args) == 0 {
		return nil
	}
	mode := args[0]
	switch {
	case strings.Contains(mode, "x") || slices.Contains(args, "--extract"):
		return changesOf(OpUnknown, flagValue(args, "-C", "--directory"))
	case strings.Contains(mode, "c") && !strings.HasPrefix(mode, "--"):
		if len(args) > 1 && strings.Contains(mode, "f") && args[1] != "-" {
			return changesOf(OpWrite, args[1])
		}
	}
	return nil
}

func makeChanges(_ Command, args []string) []Change {
	for _, a := range operands(args, "-f -j") {
		switch a {
		case "clean", "install", "distclean", "generate":
			return changesOf(OpUnknown, ".")
		}
	}
	return nil
}

// patchFiles reads the names out of a patch on standard input or in an
// argument; a patch from elsewhere changes what cannot be known.
func patchFiles(c Command, args []string) []Change {
	if slices.Contains(args, "--dry-run") || slices.Contains(args, "--check") {
		return nil
	}
	text := c.Stdin
	for _, a := range args {
		if strings.Contains(a, "\n") {
			text += "\n" + a
		}
	}
	if out := patchNames(text); len(out) > 0 {
		return out
	}
	return changesOf(OpUnknown, ".")
}

// patchNames understands unified diffs and the "*** Update File:" envelope.
func patchNames(text string) (out []Change) {
	for line := range strings.SplitSeq(text, "\n") {
		for _, row := range patchHeads {
			name, ok := strings.CutPrefix(line, row.head)
			if !ok {
				continue
			}
			name, _, _ = strings.Cut(strings.TrimSpace(name), "\t")
			if name != "/dev/null" {
				out = append(out, Change{Path: strings.TrimPrefix(name, "b/"), Op: row.op})
			}
			break
		}
	}
	return out
}

var patchHeads = []struct {
	head string
	op   Op
}{
	{"*** Add File: ", OpWrite}, {"*** Update File: ", OpWrite}, {"*** Delete File: ", OpDelete},
	{"*** Move to: ", OpWrite}, {"+++ ", OpWrite},
}

// Literal paths that inline Python and JavaScript write. Best effort: what
// these do not match is not reported.
var (
	writeCall = phrase.MustCompile(`(?:\bopen\(\s*|Path\(\s*)(?:r|f)?["']([^"'\n{}]+)["']\s*(?:,\s*(?:mode\s*=\s*)?["']([rwaxbt+]+)["']|\)\s*\.\s*(write_text|write_bytes|unlink|touch|mkdir|open\(\s*["'][wa]))`)
	fsCall    = phrase.MustCompile(`\b(writeFileSync|writeFile|appendFileSync|appendFile|unlinkSync|rmSync|mkdirSync|createWriteStream)\(\s*["'` + "`" + `]([^"'` + "`" + `\n$]+)["'` + "`" + `]`)
	osCall    = phrase.MustCompile(`\b(?:os|shutil)\.(remove|unlink|rmtree|makedirs|mkdir)\(\s*["']([^"'\n{}]+)["']`)
)

// inlineScript reads the code of -c, -e, or standard input.
func inlineScript(c Command, args []string) []Change {
	code := flagValue(args, "-c", "-e", "--eval", "-p")
	if ops := operands(args, ""); code == "" && (len(ops) == 0 || ops[0] == "-") {
		code = c.Stdin
	}
	return inlineChanges(code)
}

func inlineRuby(c Command, args []string) []Change {
	if shortFlag(args, "i") {
		return perlInPlace(c, args)
	}
	return nil
}

// assigned and variableWrite follow a path through one variable:
// `p = Path("a.py"); p.write_text(…)`.
var (
	assigned      = phrase.MustCompile(`(?m)^\s*(?:const |let |var )?(\w+)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?["']([^"'\n{}]+)["']\)?\s*;?\s*$`)
	variableWrite = phrase.MustCompile(`\b(\w+)\.(?:write_text|write_bytes)\(|\bopen\(\s*(\w+)\s*,\s*(?:mode\s*=\s*)?["'][wax]|\b(?:writeFileSync|writeFile)\(\s*(\w+)\s*,`)
)

func variableChanges(code string) (out []Change) {
	paths := map[string]string{}
	for _, m := range assigned.FindAllStringSubmatch(code, -1) {
		paths[m[1]] = m[2]
	}
	for _, m := range variableWrite.FindAllStringSubmatch(code, -1) {
		if p := paths[m[1]+m[2]+m[3]]; p != "" {
			out = append(out, Change{Path: p, Op: OpWrite})
		}
	}
	return out
}

func inlineChanges(code string) (out []Change) {
	out = variableChanges(code)
	for _, m := range writeCall.FindAllStringSubmatch(code, -1) {
		switch {
		case strings.ContainsAny(m[2], "a"):
			out = append(out, Change{Path: m[1], Op: OpAppend})
		case strings.ContainsAny(m[2], "wx+"), m[3] != "" && m[3] != "unlink":
			out = append(out, Change{Path: m[1], Op: OpWrite})
		case m[3] == "unlink":
			out = append(out, Change{Path: m[1], Op: OpDelete})
		}
	}
	for _, m := range fsCall.FindAllStringSubmatch(code, -1) {
		out = append(out, Change{Path: m[2], Op: callOp(m[1])})
	}
	for _, m := range osCall.FindAllStringSubmatch(code, -1) {
		out = append(out, Change{Path: m[2], Op: callOp(m[1])})
	}
	return out
}

func callOp(name string) Op {
	switch {
	case strings.HasPrefix(name, "append"):
		return OpAppend
	case strings.HasPrefix(name, "unlink"), strings.HasPrefix(name, "rm"), name == "remove":
		return OpDelete
	}
	return OpWrite
}
