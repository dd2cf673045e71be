package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// openEnd is an action that nothing after its end settles. An action that is
// settled is never dropped: at a boundary it is either settled already or
// settled after it.
type openEnd struct {
	*classify.Action
	told int // the last position at which it is answered or spoken of, -1 for none
}

// Bounds of the search for what settles open actions: how many are left that
// nothing settles, since each is sought in all texts that follow, and how many
// comparisons are made (a search of the ledger counts as effectSearch). Real
// runs leave a few open.
const (
	mostOpen     = 200
	mostCompared = 2_000_000
	effectSearch = 1000
)

// openEnds are the open ends of the thread before its last boundary.
func openEnds(v *classify.View) []*openEnd {
	return classify.Once(&v.Facts, "open ends", func() []*openEnd {
		var out []*openEnd
		compared := 0
		for _, a := range opened(v) {
			if n := len(v.Boundaries); n == 0 || a.Pos >= v.Boundaries[n-1].Pos || len(out) == mostOpen || compared > mostCompared {
				break
			}
			settled, within, n := answerPlaces(v, a)
			if compared += n; !settled {
				out = append(out, &openEnd{a, within})
			}
		}
		findMentions(v, out)
		return out
	})
}

// answerPlaces looks for what settles an action: a look-up, another attempt, an
// undo, or a look at the state. It reports whether anything after its end does,
// else the last position while it ran at which something would have, and how
// many comparisons it took.
func answerPlaces(v *classify.View, a *classify.Action) (settled bool, within, compared int) {
	within = -1
	at := func(pos int) bool {
		if pos > a.End {
			return true
		}
		if pos > a.Pos {
			within = max(within, pos)
		}
		return false
	}
	outside := false
	for _, w := range a.Effects() {
		if !w.Writes() {
			continue
		}
		outside, compared = true, compared+effectSearch
		for _, x := range slices.Concat(v.Revealing(w, a.Pos, never), v.Undoing(w, a.Pos, never), w.After(v.Alike(w))) {
			if (x.Writes() || x.Class == effect.Read) && at(x.Action.Pos) {
				return true, -1, compared
			}
		}
	}
	if outside {
		return false, within, compared
	}
	ps, task := places(a), taskOf(a)
	for _, x := range v.ActionsIn(a.Pos, never) {
		compared++
		if x.Ran() && (polls(x, task) || x.Same(a) || (surveys(v, x) || names(x, ps)) && looksBack(v, x)) && at(x.Pos) {
			return true, -1, compared
		}
	}
	return false, within, compared
}

// polls reports that x asks for a background task.
func polls(x *classify.Action, task string) bool {
	return task != "" && (strings.Contains(string(x.Args), task) || strings.Contains(x.Shell, task))
}

// surveys reports that a command looks at the state as a whole: what changed,
// what runs, what is there.
func surveys(v *classify.View, x *classify.Action) bool {
	return surveyors(v)[x]
}

func surveyors(v *classify.View) map[*classify.Action]bool {
	return classify.Once(&v.Facts, "surveyors", func() map[*classify.Action]bool {
		out := map[*classify.Action]bool{}
		for _, a := range v.Actions {
			if slices.ContainsFunc(a.Commands, isSurvey) {
				out[a] = true
			}
		}
		return out
	})
}

func isSurvey(c shell.Command) bool {
	if sub, _, ok := c.Git(); ok && (sub == "status" || sub == "diff" || sub == "log" || sub == "show") {
		return true
	}
	if len(c.Argv) == 0 {
		return false
	}
	switch path.Base(c.Argv[0]) {
	case "ps", "pgrep", "jobs", "lsof", "ls", "tree", "find":
		return true
	}
	return false
}

// places are the files and folders that a command works on.
func places(a *classify.Action) []string {
	var out []string
	out = append(out, a.Paths()...)
	for _, c := range a.Commands {
		for _, w := range slices.Concat(c.Argv[min(1, len(c.Argv)):], c.Writes, c.Appends) {
			if w = strings.Trim(w, "/."); len(w) >= 3 && !strings.HasPrefix(w, "-") {
				out = append(out, w)
			}
		}
	}
	return out[:min(len(out), mostWords)]
}

func names(x *classify.Action, words []string) bool {
	for _, w := range words {
		if strings.Contains(x.Shell, w) || strings.Contains(string(x.Args), w) {
			return true
		}
	}
	return false
}

func taskOf(a *classify.Action) string {
	if a.Result < 0 {
		return ""
	}
	if task := a.Run.Events[a.Result].Task; task != "" {
		return task
	}
	return jobOf(a)
}

// findMentions notes where text of the agent, of a summary or of the user last
// speaks of each action: by its task, its identity or its tool. Each text after
// the first boundary is read once.
func findMentions(v *classify.View, open []*openEnd) {
	type sought struct {
		*openEnd
		words []string
	}
	var left []sought
	for _, o := range open {
		left = append(left, sought{o, nameWords(o.Action)})
	}
	for _, r := range slices.Backward(v.Runs) {
		for i := len(r.Events) - 1; i >= 0 && len(left) > 0 && v.PosOf(r, i) >= v.Boundaries[0].Pos; i-- {
			e := &r.Events[i]
			if !speaks(e.Kind) || e.Copied {
				continue
			}
			text := strings.ToLower(r.Text(e))
			left = slices.DeleteFunc(left, func(s sought) bool {
				spoken := slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(text, w) })
				if spoken {
					s.told = max(s.told, v.PosOf(r, i))
				}
				return spoken
			})
		}
	}
}

// mostWords bounds by how many words an action is sought.
const mostWords = 100

// speaks: what was said, or handed over in words.
func speaks(k ingest.Kind) bool {
	switch k {
	case ingest.Message, ingest.Compaction, ingest.Handoff, ingest.Resume, ingest.Claim:
		return true
	}
	return false
}

// nameWords are the ways to speak of an action: its task id, the ids among its
// arguments, its tool in words, the resource it works on.
func nameWords(a *classify.Action) []string {
	var words []string
	add := func(s string) {
		if s = strings.ToLower(strings.TrimSpace(s)); len(s) >= 4 && len(words) < mostWords {
			words = append(words, s)
		}
	}
	add(taskOf(a))
	for _, id := range idLike.FindAllString(string(a.Args), 8) {
		add(id)
	}
	for _, x := range a.Effects() {
		if x.Class == effect.ExternalWrite && !strings.Contains(x.Resource, ":") {
			add(strings.ReplaceAll(x.Resource, "-", " "))
		}
	}
	if a.Kind == classify.Other {
		add(a.Tool)
		add(toolNouns(a))
	}
	for _, c := range a.Commands {
		for _, w := range c.Argv {
			if strings.ContainsAny(w, "/._-") && !strings.HasPrefix(w, "-") {
				base := w[strings.LastIndexByte(w, '/')+1:]
				add(base)
				stem, _, _ := strings.Cut(base, ".")
				add(stem)
			}
		}
	}
	return words
}

// toolNouns are the words of a tool's name after its verb, as text has them.
func toolNouns(a *classify.Action) string {
	_, nouns, _ := strings.Cut(effect.FromTool(a.Tool, a.Args).Tool, "_")
	return strings.ReplaceAll(nouns, "_", " ")
}

// idLike matches identifiers that hold a digit, as orders, jobs and people's
// records have them.
var idLike = phrase.MustCompile(`[A-Za-z]*[-_#]?[A-Za-z]*\d[\w-]{2,}`)
