package classify

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
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
		return config.MatchAny(r.Paths, path)
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
	if !e.sought {
		e.required, e.sought = v.findRequired(e), true
	}
	return e.required
}

func (v *View) findRequired(e *Episode) []Required {
	if e.Record != nil {
		var out []Required
		for _, r := range e.Record.Completion.Required {
			out = append(out, Required{Check: argvCheck(r.Argv), Name: r.Name, Grade: Recorded, Cite: e.Record.Cite})
		}
		if len(out) > 0 {
			return out
		}
	}
	if len(v.config.Checks) > 0 {
		var out []Required
		for _, c := range v.config.Checks {
			out = append(out, Required{Check: checkOf(c.Run), Name: c.Name, Grade: Recorded, Paths: c.Paths})
		}
		return out
	}
	if out := v.namedIn(e); len(out) > 0 {
		return out
	}
	if out := v.instructed(e); len(out) > 0 {
		return out
	}
	return v.habit(e)
}

// namedIn reads the demands of an episode's prompt; "go on" goes on with one
// that was read before.
func (v *View) namedIn(e *Episode) []Required {
	read := Once(&v.Own, "demands", func() map[*ingest.Event][]Required { return map[*ingest.Event][]Required{} })
	out, ok := read[e.PromptCite.Event]
	if !ok {
		out = named(e.Prompt, e.PromptCite)
		read[e.PromptCite.Event] = out
	}
	return out
}

// instructions are the first agent instructions that demand a check, and where
// they stand.
type instructions struct {
	at       int
	required []Required
}

// instructed reads the repository's agent instructions, where the harness put
// them into the conversation or the agent read them.
func (v *View) instructed(e *Episode) []Required {
	for _, first := range []instructions{Once(&v.Own, "instructions given", v.givenInstructions), Once(&v.Own, "instructions read", v.readInstructions)} {
		if len(first.required) > 0 && first.at <= e.Last {
			return first.required
		}
	}
	return nil
}

func (v *View) givenInstructions() instructions {
	for i := range v.Run.Events {
		ev := &v.Run.Events[i]
		if ev.Kind != "message" || ev.Actor != "harness" || ev.Summary || ev.Name != "" || ev.Copied {
			continue
		}
		if out := named(v.Run.Text(ev), Cite{v.Run, ev}); len(out) > 0 {
			return instructions{v.base + i, out}
		}
	}
	return instructions{}
}

func (v *View) readInstructions() instructions {
	for _, a := range v.Actions {
		if a.Kind == Looks && a.Run == v.Run && slices.ContainsFunc(a.paths, instructionFile) {
			if out := named(a.Output(), a.CiteEnd()); len(out) > 0 {
				return instructions{a.Pos, out}
			}
		}
	}
	return instructions{}
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

// habitEpisodes is how many accepted episodes make a check a habit; mostHabits
// bounds how many checks can become one.
const (
	habitEpisodes = 3
	mostHabits    = 100
)

// habitual is a check that the accepted episodes up to one made a habit.
type habitual struct {
	Required
	n, since int // since is where the episode begins that made it one
}

// habit finds checks that ran in several accepted episodes of the thread.
func (v *View) habit(e *Episode) []Required {
	var out []Required
	for _, h := range Once(&v.Own, "habits", v.habits) {
		if h.since < e.Begin {
			out = append(out, h.Required)
		}
	}
	return out
}

func (v *View) habits() []*habitual {
	counts := map[string]*habitual{}
	var order []*habitual
	for _, e := range v.Episodes {
		if !e.Accepted {
			continue
		}
		seen := map[string]bool{}
		for _, c := range v.ChecksIn(e.Begin-1, e.Last+1) {
			key := c.Runner + "\x00" + strings.Join(c.Selection, " ") + "\x00" + c.Dir
			if c.Action == nil || c.Kind != runner.Test || c.narrowed() || seen[key] {
				continue
			}
			seen[key] = true
			if counts[key] == nil {
				counts[key] = &habitual{Required: Required{Check: c.Check, Name: c.Title(), Grade: Inferred, Cite: c.Event}}
				order = append(order, counts[key])
			}
			if h := counts[key]; h.n < habitEpisodes {
				h.n, h.since = h.n+1, e.Begin
			}
		}
	}
	order = slices.DeleteFunc(order, func(h *habitual) bool { return h.n < habitEpisodes })
	return order[:min(len(order), mostHabits)]
}
