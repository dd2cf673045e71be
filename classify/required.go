package classify

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/runner"
)

// Required is a check without which an episode's work does not count as done.
type Required struct {
	runner.Check
	Name  string
	Grade Grade
	Cite  Cite     // where it is stated; empty for the configuration
	Paths []string // globs of the files that it guards; empty: by the check's own scope
}

// Title is the check in a few words, for messages.
func (r Required) Title() string {
	if len(r.Argv) > 0 {
		return Clip(strings.Join(r.Argv, " "), 80)
	}
	return Clip(r.Name, 80)
}

// Guards reports whether a change of the path matters to the check.
func (r Required) Guards(path string) bool {
	if len(r.Paths) > 0 {
		return slices.ContainsFunc(r.Paths, func(g string) bool { return globMatch(g, path) })
	}
	return path == "." || r.Covers(path)
}

// AnsweredBy reports whether a run of a check answers the requirement.
func (r Required) AnsweredBy(c *Check) bool {
	if r.Name != "" && (c.Name == r.Name || plain(c.Name) == plain(r.Name)) {
		return true
	}
	if len(c.Argv) == 0 {
		return false
	}
	want := r.Check
	if r.Grade == Inferred && want.Dir == "" {
		want.Dir = c.Dir // words name a command, not the folder to run it in
	}
	return runner.Satisfies(want, c.Check) || want.Runner == "" && slices.Equal(r.Argv, c.Argv)
}

// Required lists the required checks of an episode, from the first source
// that states any: a record, the configuration, the task's text, habit.
func (v *View) Required(e *Episode) []Required {
	if e.Record != nil {
		var out []Required
		for _, r := range e.Record.Completion.Required {
			out = append(out, Required{Check: argvCheck(r.Argv), Name: r.Name, Grade: Recorded, Cite: e.Record.Cite})
		}
		if len(out) > 0 {
			return out
		}
	}
	if v.config != nil && len(v.config.Checks) > 0 {
		var out []Required
		for _, c := range v.config.Checks {
			out = append(out, Required{Check: checkOf(c.Run), Name: c.Name, Grade: Recorded, Paths: c.Paths})
		}
		return out
	}
	if out := named(e.Prompt, e.PromptCite); len(out) > 0 {
		return out
	}
	if out := v.instructed(e); len(out) > 0 {
		return out
	}
	return v.habit(e)
}

// instructed reads the repository's agent instructions, where the harness put
// them into the conversation or the agent read them.
func (v *View) instructed(e *Episode) []Required {
	for i := range v.Run.Events {
		ev := &v.Run.Events[i]
		if v.base+i > e.Last {
			break
		}
		if ev.Kind != "message" || ev.Actor != "harness" || ev.Summary || ev.Name != "" || ev.Copied {
			continue
		}
		if out := named(v.Run.Text(ev), Cite{v.Run, ev}); len(out) > 0 {
			return out
		}
	}
	for _, a := range v.ActionsIn(-1, e.Last+1) {
		if a.Kind == Looks && a.Run == v.Run && slices.ContainsFunc(a.paths, instructionFile) {
			if out := named(a.Output(), a.CiteEnd()); len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

func instructionFile(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	switch strings.ToUpper(base) {
	case "AGENTS.MD", "CLAUDE.MD", "GEMINI.MD", "CONTRIBUTING.MD", ".CURSORRULES":
		return true
	}
	return false
}

// narrowed reports that a run was filtered to single tests: such a run is no
// habit of the project.
func (c *Check) narrowed() bool {
	return slices.ContainsFunc(c.Selection, func(s string) bool { return strings.HasPrefix(s, "-") || strings.Contains(s, "::") })
}

// habitEpisodes is how many accepted episodes make a check a habit.
const habitEpisodes = 3

// habit finds checks that ran in several accepted episodes of the thread.
func (v *View) habit(e *Episode) []Required {
	type count struct {
		check *Check
		n     int
	}
	counts := map[string]*count{}
	var order []string
	for _, other := range v.Episodes {
		if other.Begin >= e.Begin || !other.Accepted {
			continue
		}
		seen := map[string]bool{}
		for _, c := range v.ChecksIn(other.Begin-1, other.Last+1) {
			key := c.Runner + "\x00" + strings.Join(c.Selection, " ") + "\x00" + c.Dir
			if c.Action == nil || c.Kind != runner.Test || c.narrowed() || seen[key] {
				continue
			}
			seen[key] = true
			if counts[key] == nil {
				counts[key] = &count{check: c}
				order = append(order, key)
			}
			counts[key].n++
		}
	}
	var out []Required
	for _, key := range order {
		if c := counts[key]; c.n >= habitEpisodes {
			out = append(out, Required{Check: c.check.Check, Name: c.check.Title(), Grade: Inferred, Cite: c.check.Event})
		}
	}
	return out
}
