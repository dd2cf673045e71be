package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/todo"
)

// flipsOf are the actions that set a feature of a list file to passing.
func flipsOf(v *classify.View) []*classify.Action {
	return classify.Once(&v.Facts, "feature flips", func() (out []*classify.Action) {
		whole := map[*classify.Action]bool{}
		for _, c := range v.TodoChanges() {
			if c.List != "" && c.State == todo.Done && (c.Was == string(todo.Open) || c.Was == string(todo.Active)) {
				whole[c.Action] = true
			}
		}
		for _, a := range v.Actions {
			if flips(a, whole[a]) {
				out = append(out, a)
			}
		}
		return out
	})
}

// passing matches a member that says that a feature passes.
var passing = phrase.MustCompile(`["'.]?\bpass(?:es|ing)\b\\?["']?\s*[:=]\s*(?:true\b|\\?["'](?:true|yes|pass(?:ing|ed)?)\b)|"status"\s*:\s*"passing"`)

// flips reports that an action puts such a member where none was.
func flips(a *classify.Action, whole bool) bool {
	for _, c := range a.Changes() {
		ext := strings.ToLower(path.Ext(c.Path))
		if ext != ".json" && ext != ".jsonl" && ext != ".yaml" && ext != ".yml" {
			continue
		}
		switch {
		case c.Known:
			if whole && passing.MatchString(c.Content) {
				return true
			}
		case a.Kind == classify.RunsShell:
			if passing.MatchString(a.Shell) {
				return true
			}
		default:
			before, after := swapped(a)
			if len(passing.FindAllString(after, -1)) > len(passing.FindAllString(before, -1)) {
				return true
			}
		}
	}
	return false
}

// swapped are the texts that an edit takes out and puts in.
func swapped(a *classify.Action) (before, after string) {
	args := stringsOf(a.Args)
	for _, keys := range [][2]string{{"old_string", "new_string"}, {"old_str", "new_str"}, {"oldString", "newString"}, {"old_text", "new_text"}, {"search", "replace"}, {"old", "new"}} {
		if args[keys[0]] != "" && args[keys[1]] != "" {
			return args[keys[0]], args[keys[1]]
		}
	}
	var out, in strings.Builder
	for line := range strings.Lines(cmp.Or(args["patch"], args["input"], args["diff"], string(a.Args))) {
		switch line[0] {
		case '-':
			out.WriteString(line)
		case '+':
			in.WriteString(line)
		}
	}
	return out.String(), in.String()
}

// lastFeatureEdit is the last change of the work before a feature was flipped.
func lastFeatureEdit(v *classify.View, flip *classify.Action) *classify.Change {
	edits := classify.Once(&v.Facts, "feature edits", func() (out []*classify.Change) {
		flip := map[*classify.Action]bool{}
		for _, a := range flipsOf(v) {
			flip[a] = true
		}
		for _, c := range v.Changes {
			if c.Candidate() && !c.Cosmetic && !c.Formatter && !flip[c.Action] && !plans(c.Path) && c.Path != "." {
				out = append(out, c)
			}
		}
		return out
	})
	n, _ := slices.BinarySearchFunc(edits, flip.Pos, func(c *classify.Change, pos int) int { return cmp.Compare(c.Action.Pos, pos) })
	if n == 0 {
		return nil
	}
	return edits[n-1]
}

// triedPlaces are the positions of calls that may have tried a feature end to
// end; called ones may have failed, or nobody knows.
func triedPlaces(v *classify.View, called bool) classify.Positions {
	name := "tried"
	if called {
		name = "called"
	}
	return classify.Once(&v.Facts, "end to end "+name, func() classify.Positions {
		red := map[*classify.Action]bool{}
		for _, c := range v.Checks {
			if c.Action != nil && (c.Status == classify.Red || c.Status == classify.Nothing || unitOnly(c)) {
				red[c.Action] = true
			}
		}
		return v.Places(func(a *classify.Action) bool { return a.Ran() && mayTouch(a) && (called || !red[a]) })
	})
}

// unitOnly reports that a test run says itself that it covers units only.
func unitOnly(c *classify.Check) bool {
	return c.Kind == runner.Test && slices.ContainsFunc(c.Selection, func(s string) bool { return unitWord.MatchString(s) })
}

var unitWord = phrase.MustCompile(`(?i)(?:^|[/_.-])units?(?:[/_.-]|$)`)
