package rules

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var droppedOperation = classify.Rule{
	Name:    "handoff/dropped-operation",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "An operation open before a boundary was forgotten after it",
		Text:     "A call or operation that was unknown or pending before compaction, a resume or a later session is neither looked up nor settled nor mentioned after it.",
		Fires:    "A reindex job is launched in the background, compaction follows, and nobody asks for the job again.",
		NearMiss: "Found by reading the state back; settled before; mentioned after; a notification; a service that is meant to go on.",
		Occasion: "a boundary with an unknown or pending operation before it",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Write pending operation ids into the handoff and reconcile them before the first new action.",
		Metric:   "operations open at a boundary that nothing settles",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		seen := map[*classify.Action]bool{}
		for _, b := range boundariesOf(v) {
			for _, a := range openAt(v, b) {
				if !seen[a] && actsAfter(v, b) && !picksUp(v, a, b) {
					seen[a] = true
					reportDropped(v, p, a, b)
				}
			}
		}
		droppedFromHandoff(v, p, seen)
	},
}

func unknownEffect(v *classify.View, a *classify.Action) bool {
	for _, x := range v.EffectsIn(a.Pos-1, a.Pos+1) {
		if x.Action == a && x.Writes() && x.Outcome == ingest.Unknown {
			return true
		}
	}
	return false
}

// answeredBefore reports that a look-up, another attempt or a look at the
// state settled the action before the boundary.
func answeredBefore(v *classify.View, a *classify.Action, before int) bool {
	return answered(v, a, a.End, before)
}

// answered looks for what settles an action in a stretch of the thread.
func answered(v *classify.View, a *classify.Action, after, before int) bool {
	outside := false
	for _, w := range v.EffectsIn(a.Pos-1, a.Pos+1) {
		if w.Action != a || !w.Writes() {
			continue
		}
		outside = true
		for _, x := range v.EffectsIn(after, before) {
			if x.Reveals(w) || x.Undoes(w) || x.Writes() && w.SameIntent(x) {
				return true
			}
		}
	}
	if outside {
		return false
	}
	ps := places(a)
	for _, x := range v.ActionsIn(after, before) {
		if x.Ran() && (polls(x, a) || x.Same(a) || (surveys(x) || names(x, ps)) && looksAt(x)) {
			return true
		}
	}
	return false
}

// polls reports that x asks for a's background task.
func polls(x, a *classify.Action) bool {
	task := taskOf(a)
	return task != "" && (strings.Contains(string(x.Args), task) || strings.Contains(x.Shell, task))
}

// surveys reports that a command looks at the state as a whole: what changed,
// what runs, what is there.
func surveys(x *classify.Action) bool {
	for _, c := range x.Commands {
		if sub, _, ok := c.Git(); ok && (sub == "status" || sub == "diff" || sub == "log" || sub == "show") {
			return true
		}
		if len(c.Argv) == 0 {
			continue
		}
		switch path.Base(c.Argv[0]) {
		case "ps", "pgrep", "jobs", "lsof", "ls", "tree", "find":
			return true
		}
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
	return out
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

// looksAt reports that an action reads the state back, among other things.
func looksAt(x *classify.Action) bool {
	if x.Outcome != ingest.OK || x.Kind == classify.Notes {
		return false
	}
	return x.ReadOnly() || slices.ContainsFunc(x.Commands, looksUp)
}

// looksUp reports a command that only looks, at files or outside.
func looksUp(c shell.Command) bool {
	if len(c.Argv) < 2 {
		return false
	}
	sends, known := effects(c)
	return c.ReadOnly() || known && !sends
}

// actsAfter reports that the run goes on after the boundary at all.
func actsAfter(v *classify.View, b classify.Boundary) bool {
	for i := b.Pos - v.Start(); i < len(v.Run.Events); i++ {
		if i < 0 {
			continue
		}
		if e := &v.Run.Events[i]; !e.Copied && (e.Kind == ingest.ToolCall || e.Kind == ingest.Message && e.Actor == ingest.Agent) {
			e := v.EpisodeAt(v.Start() + i)
			return e != nil && !e.Open
		}
	}
	return false
}

// picksUp reports that the open action is settled or mentioned after the
// boundary.
func picksUp(v *classify.View, a *classify.Action, b classify.Boundary) bool {
	const end = 1 << 60
	return a.Settled >= 0 || answered(v, a, b.Pos-1, end) || mentioned(v, a, b.Pos)
}

// mentioned reports that text of the agent, of a summary or of the user after
// the boundary speaks of the action: by its task, its identity or its tool.
func mentioned(v *classify.View, a *classify.Action, after int) bool {
	words := nameWords(v, a)
	for _, r := range v.Runs {
		for i := range r.Events {
			e := &r.Events[i]
			if !speaks(e.Kind) || e.Copied || v.PosOf(r, i) < after {
				continue
			}
			t := strings.ToLower(r.Text(e))
			for _, w := range words {
				if strings.Contains(t, w) {
					return true
				}
			}
		}
	}
	return false
}

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
func nameWords(v *classify.View, a *classify.Action) []string {
	var words []string
	add := func(s string) {
		if s = strings.ToLower(strings.TrimSpace(s)); len(s) >= 4 {
			words = append(words, s)
		}
	}
	add(taskOf(a))
	for _, id := range idLike.FindAllString(string(a.Args), 8) {
		add(id)
	}
	for _, x := range v.EffectsIn(a.Pos-1, a.Pos+1) {
		if x.Action == a && x.Class == effect.ExternalWrite && !strings.Contains(x.Resource, ":") {
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
var idLike = regexp.MustCompile(`[A-Za-z]*[-_#]?[A-Za-z]*\d[\w-]{2,}`)

func reportDropped(v *classify.View, p *classify.Pass, a *classify.Action, b classify.Boundary) {
	grade := gradeOf(v, a)
	if a.Outcome == ingest.Pending || jobOf(a) != "" { // the source says so, whatever it writes
		grade = classify.Observed
	}
	e := v.EpisodeAt(max(b.Pos, v.Start()))
	if e == nil {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: b.Pos,
		Cite:      []classify.Cite{a.Cite(), b.Cite, a.CiteEnd()},
		Message:   fmt.Sprintf("%s was %s before %s and is neither settled nor mentioned after it", describe(a), openWord(a), boundaryWords(b)),
		Structure: []string{b.Kind, a.Tool, string(a.Outcome), commandClass(a)},
	})
}

func openWord(a *classify.Action) ingest.Outcome {
	if a.Outcome == ingest.OK {
		return ingest.Pending
	}
	if a.Outcome == ingest.Fail {
		return ingest.Unknown
	}
	return a.Outcome
}

// droppedFromHandoff reports pending operations of a Handoff record that the
// next run never touches.
func droppedFromHandoff(v *classify.View, p *classify.Pass, seen map[*classify.Action]bool) {
	for _, r := range v.Records {
		h := r.Handoff
		if h == nil || h.NextRunID == "" || h.NextRunID != v.Run.Meta.Native && h.NextRunID != v.Run.ID {
			continue
		}
		for _, id := range h.PendingOperations {
			if id == "" || reported(v, seen, id) || touches(v, id) || len(v.Episodes) == 0 || v.Episodes[len(v.Episodes)-1].Open {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.Start(),
				Cite:      []classify.Cite{r.Cite},
				Message:   fmt.Sprintf("the handoff lists operation %q as pending, and the next session never looks it up or mentions it", classify.Clip(id, 40)),
				Structure: []string{"handoff", "pending"},
			})
		}
	}
}

// reported reports that the operation's call was reported already.
func reported(v *classify.View, seen map[*classify.Action]bool, id string) bool {
	for a := range seen {
		for _, x := range v.Effects {
			if x.Action == a && x.Operation != nil && x.Operation.ID == id {
				return true
			}
		}
	}
	return false
}

// touches reports that the run's calls or texts hold an operation's id, or
// that the operation's record was reconciled, or that a look-up tells of it.
func touches(v *classify.View, id string) bool {
	for i := range v.Run.Events {
		e := &v.Run.Events[i]
		if !e.Copied && (strings.Contains(string(v.Run.Args(e)), id) || strings.Contains(v.Run.Text(e), id)) {
			return true
		}
	}
	for _, r := range v.Records {
		if op := r.Operation; op != nil && op.ID == id {
			if recordSettles(r) && len(op.Dispatches) > 0 {
				return true
			}
			for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
				if x.Class == effect.Read && x.Outcome == ingest.OK {
					w := &classify.Effect{Effect: effect.FromTool(op.Tool, op.Arguments)}
					if effect.Reveals(x.Effect, w.Effect) {
						return true
					}
				}
			}
		}
	}
	return false
}
