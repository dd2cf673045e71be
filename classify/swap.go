package classify

import (
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
)

// Swap is a piece of text that a change replaced. One that only adds has no
// Old, one that only removes no New.
type Swap struct{ Old, New string }

// swapKeys are the members by which editing tools name the two texts.
var swapKeys = [][2]string{{"old_string", "new_string"}, {"old_str", "new_str"}, {"oldString", "newString"}, {"old_text", "new_text"}, {"oldText", "newText"}, {"search", "replace"}}

// Swaps are the pieces that the change replaced, as far as the call states
// them: an edit's texts, the hunks of a patch, a sed expression.
func (c *Change) Swaps() []Swap {
	a := c.Action
	if a.Kind == RunsShell {
		var out []Swap
		for _, cmd := range a.Commands {
			if len(cmd.Argv) == 0 {
				continue
			}
			switch shell.Program(cmd.Argv[0]) {
			case "sed", "perl":
				if strings.Contains(strings.Join(cmd.Argv[1:], " "), path.Base(c.Path)) {
					out = append(out, substitutions(cmd.Argv[1:])...)
				}
			case "apply_patch", "patch", "git":
				out = append(out, hunks(cmd.Stdin+"\n"+strings.Join(cmd.Argv[1:], "\n"), c.Path)...)
			}
		}
		return out
	}
	out := swapIn(a.value)
	for _, item := range items(a.value("edits")) {
		out = append(out, swapIn(func(key string) jsontext.Value { return value(item, key) })...)
	}
	for _, key := range []string{"patch", "input", "diff"} {
		out = append(out, hunks(a.text(key), c.Path)...)
	}
	return out
}

// swapIn is the piece that an edit states by its members.
func swapIn(member func(string) jsontext.Value) []Swap {
	for _, keys := range swapKeys {
		before, after := member(keys[0]), member(keys[1])
		if len(before) > 0 && len(after) > 0 {
			return []Swap{{text(before), text(after)}}
		}
	}
	return nil
}

// items are the elements of a JSON array.
func items(v jsontext.Value) (out []jsontext.Value) {
	if len(v) == 0 || v[0] != '[' {
		return nil
	}
	dec := jsontext.NewDecoder(strings.NewReader(string(v)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() != ']' && dec.PeekKind() != 0 {
		item, err := dec.ReadValue()
		if err != nil {
			return out
		}
		out = append(out, item.Clone())
	}
	return out
}

// hunks reads the lines that a patch takes from and gives to one file.
func hunks(patch, file string) (out []Swap) {
	if !strings.Contains(patch, "\n-") && !strings.Contains(patch, "\n+") {
		return nil
	}
	var before, after strings.Builder
	end := func() {
		if before.Len()+after.Len() > 0 {
			out = append(out, Swap{before.String(), after.String()})
		}
		before.Reset()
		after.Reset()
	}
	within := false
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "*** ") || strings.HasPrefix(line, "+++ "):
			end()
			name := strings.TrimSpace(line[strings.LastIndexByte(strings.TrimSpace(line), ' ')+1:])
			within = path.Base(name) == path.Base(file)
		case strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "@@"):
			end()
		case within && strings.HasPrefix(line, "-"):
			before.WriteString(line[1:])
		case within && strings.HasPrefix(line, "+"):
			after.WriteString(line[1:])
		}
	}
	end()
	return out
}

var substitution = phrase.MustCompile(`(?:^|;|\s|\d|/)s([/|#,!@])`)

// substitutions reads the s/old/new/ expressions of sed and perl.
func substitutions(args []string) (out []Swap) {
	for _, w := range args {
		m := substitution.FindStringSubmatchIndex(w)
		if m == nil {
			continue
		}
		sep := w[m[2]:m[3]]
		parts := strings.SplitN(strings.ReplaceAll(w[m[3]:], `\`+sep, "\x00"), sep, 3)
		if len(parts) == 3 {
			out = append(out, Swap{strings.ReplaceAll(parts[0], "\x00", sep), strings.ReplaceAll(parts[1], "\x00", sep)})
		}
	}
	return out
}
