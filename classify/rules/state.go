package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// stateMoved reports that something changed what the action works on between
// its two runs: a change of what it names, for a command any change of the
// work but its prose; an undo; a look that found it gone; a new environment.
func stateMoved(v *classify.View, first, again *classify.Action) bool {
	if lastMove(v, first.Pos, again) > first.Pos || v.NewEnvironment(first.Pos, again.Pos) {
		return true
	}
	return first.Run.Meta.Cwd != again.Run.Meta.Cwd && first.Run.Meta.Cwd != "" && again.Run.Meta.Cwd != ""
}

// stretch is a part of the thread that was searched for what moved the state of
// one piece of work: in (low, high), and the last place that did, if any.
type stretch struct{ low, high, last int }

// mostMoves bounds for how many pieces of work the thread is searched for what
// moved their state; the state of any further one counts as moved. Real runs
// repeat a handful.
const mostMoves = 500

// lastMove is the last position between a point and the action at which
// something moved what the action works on, -1 when nothing did. What was
// searched for an equal action before is not searched again.
func lastMove(v *classify.View, after int, again *classify.Action) int {
	known := classify.Once(&v.Facts, "moves", func() map[string]*stretch { return map[string]*stretch{} })
	key := again.Run.ID + "\x00" + string(again.Kind) + "\x00" + again.Key()
	s := known[key]
	if s == nil || s.high > again.Pos {
		if s == nil && len(known) == mostMoves {
			return again.Pos
		}
		s = &stretch{low: again.Pos, high: again.Pos, last: -1}
		known[key] = s
	}
	if at := moveIn(v, s.high-1, again.Pos, again); at >= 0 {
		s.last = at
	}
	s.high = again.Pos
	if s.last < 0 && after < s.low {
		s.last = moveIn(v, after, s.low, again)
		s.low = after + 1
	}
	return s.last
}

// moveIn is the last position between two points at which something moved what
// an action works on, -1 when nothing did.
func moveIn(v *classify.View, after, before int, again *classify.Action) int {
	if before-after < 2 {
		return -1
	}
	ts, last := targets(again), -1
	for _, c := range slices.Backward(v.ChangesIn(after, before)) {
		if c.Action != again && !c.Install && moves(c, again, ts) {
			last = c.Action.Pos
			break
		}
	}
	for _, a := range slices.Backward(v.ActionsIn(max(after, last), before)) {
		if s := sayings(v, a); a.Ran() && (s.undoes && again.Kind != classify.Edits || s.gone && findsGone(a, ts) || findsUndone(s, a, again) || makes(s, a, again)) {
			return a.Pos
		}
	}
	return last
}

// saying is what an action tells of the state, whatever is repeated later.
type saying struct {
	undoes, gone, empty, fails bool
	files                      []string // base names that its commands work on
}

func sayings(v *classify.View, a *classify.Action) *saying {
	known := classify.Once(&v.Facts, "sayings", func() map[*classify.Action]*saying { return map[*classify.Action]*saying{} })
	s := known[a]
	if s == nil {
		head := classify.Clip(a.Output(), 1000)
		s = &saying{
			undoes: !a.ReadOnly() && (undoWords.MatchString(a.Shell) || a.Kind == classify.Other && undoWords.MatchString(strings.ReplaceAll(a.Tool, "_", " "))),
			gone:   a.Outcome == ingest.Fail && goneWords.MatchString(head),
			empty:  nothingThere.MatchString(head) && looksAt(a),
			fails:  a.Outcome == ingest.Fail && checkWords.MatchString(a.Shell+" "+a.Tool),
			files:  filesOf(a),
		}
		known[a] = s
	}
	return s
}

// moves reports that a change touches what an action works on.
func moves(c *classify.Change, again *classify.Action, ts []string) bool {
	if again.Kind == classify.RunsShell && !writesContent(again) {
		return c.Candidate() && !c.Formatter && (!prose(c.Path) || strings.Contains(again.Shell, path.Base(c.Path)))
	}
	if again.Kind == classify.Other && c.Path != "." && strings.Contains(string(again.Args), path.Base(c.Path)) {
		return true
	}
	for _, p := range ts {
		if c.Path == p || c.Path == "." || c.Op == shell.OpUnknown {
			return true
		}
	}
	return false
}

// prose are files that no program works on.
func prose(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

// undoWords name acts that put a state back: of the kind that a command or a
// tool leaves; files are judged by their changes.
var undoWords = phrase.MustCompile(`(?i)\b(roll[ _-]?back|undo|revert|reset|restore|drop|truncate|flush|wipe|purge|teardown|tear-down|destroy|migrate:(down|fresh|reset)|downgrade)\b`)

// nothingThere matches a look's answer that what should be there is not, and
// checkWords the commands that would say so by failing.
var (
	nothingThere = phrase.MustCompile(`(?i)(\b(0|no) (rows?|products?|items?|records?|results?|entries|orders?|files?)\b|^\s*0\s*$|count[\s-]+0\b|does not exist|no such (table|file|database|collection)|\bempty\b)`)
	checkWords   = phrase.MustCompile(`(?i)\b(verify|check|validate|status|count|exists?|diff|doctor)`)
)

// findsUndone reports that a look or a check told that work which a command
// did is not there.
func findsUndone(s *saying, a, again *classify.Action) bool {
	return (s.empty || s.fails) && again.Kind != classify.Edits && !a.Same(again)
}

// makes reports that another command between worked on a file that a command
// names: it may have made it anew.
func makes(s *saying, a, again *classify.Action) bool {
	if len(s.files) == 0 || again.Kind != classify.RunsShell || a.Same(again) {
		return false
	}
	return slices.ContainsFunc(s.files, func(base string) bool { return strings.Contains(again.Shell, base) })
}

// filesOf are the base names of the files that an action's commands work on.
func filesOf(a *classify.Action) []string {
	if a.Kind != classify.RunsShell {
		return nil
	}
	var out []string
	for _, c := range a.Commands {
		if _, _, isGit := c.Git(); isGit || len(c.Argv) == 0 || c.ReadOnly() {
			continue
		}
		own := 1 // its own program, and the script that an interpreter runs
		if interpreters[path.Base(c.Argv[0])] {
			own = 2
		}
		for _, w := range c.Argv[min(own, len(c.Argv)):] {
			if base := path.Base(w); strings.Contains(base, ".") && len(base) > 3 && !prose(base) {
				out = append(out, base)
			}
		}
	}
	return out
}

var goneWords = phrase.MustCompile(`(?i)(no such file|not found|does not exist|cannot find|can't find|enoent)`)

// findsGone reports that an action looked at one of the files and did not find
// it.
func findsGone(a *classify.Action, ts []string) bool {
	for _, p := range ts {
		if base := path.Base(p); strings.Contains(string(a.Args), base) {
			return true
		}
	}
	return false
}
