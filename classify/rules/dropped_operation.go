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
		open := slices.Clone(openEnds(v))
		for _, b := range boundariesOf(v) {
			open = reportOpenAt(v, p, b, open, seen)
		}
		droppedFromHandoff(v, p, seen)
	},
}

func unknownEffect(a *classify.Action) bool {
	return slices.ContainsFunc(a.Effects(), func(x *classify.Effect) bool { return x.Writes() && x.Outcome == ingest.Unknown })
}

// openEnd is an action that nothing after its end settles. An action that is
// settled is never dropped: at a boundary it is either settled already or
// settled after it.
type openEnd struct {
	*classify.Action
	told int // the last position at which it is answered or spoken of, -1 for none
}

// Bounds of the search for what settles open actions: how many are left that
// nothing settles, since each is sought in all texts that follow, and how many
// comparisons are made. Real runs leave a few open.
const (
	mostOpen     = 200
	mostCompared = 2_000_000
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

// reportOpenAt reports what was open at a boundary and is neither settled nor
// mentioned after it, and returns what may be open at the next one.
func reportOpenAt(v *classify.View, p *classify.Pass, b classify.Boundary, open []*openEnd, seen map[*classify.Action]bool) []*openEnd {
	acts := actsAfter(v, b)
	return slices.DeleteFunc(open, func(o *openEnd) bool {
		switch {
		case o.Pos >= b.Pos:
			return false
		case acts && o.told < b.Pos:
			seen[o.Action] = true
			reportDropped(v, p, o.Action, b)
			return true
		}
		return false
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
		outside, compared = true, compared+1000 // at most: both searches are bounded
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

// looksAt reports that an action reads the state back, among other things.
func looksAt(x *classify.Action) bool {
	if x.Outcome != ingest.OK || x.Kind == classify.Notes {
		return false
	}
	return x.ReadOnly() || slices.ContainsFunc(x.Commands, looksUp)
}

// looksBack is looksAt, asked once of an action.
func looksBack(v *classify.View, x *classify.Action) bool {
	known := classify.Once(&v.Facts, "looks back", func() map[*classify.Action]bool { return map[*classify.Action]bool{} })
	looks, ok := known[x]
	if !ok {
		looks = looksAt(x)
		known[x] = looks
	}
	return looks
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
	acts := classify.Once(&v.Own, "acts", func() classify.Positions {
		var out classify.Positions
		for i := range v.Run.Events {
			if e := &v.Run.Events[i]; !e.Copied && (e.Kind == ingest.ToolCall || e.Kind == ingest.Message && e.Actor == ingest.Agent) {
				out = append(out, v.Start()+i)
			}
		}
		return out
	})
	i, _ := slices.BinarySearch(acts, b.Pos)
	if i == len(acts) {
		return false
	}
	e := v.EpisodeAt(acts[i])
	return e != nil && !e.Open
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
var idLike = regexp.MustCompile(`[A-Za-z]*[-_#]?[A-Za-z]*\d[\w-]{2,}`)

func reportDropped(v *classify.View, p *classify.Pass, a *classify.Action, b classify.Boundary) {
	grade := gradeOf(a)
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

// mostPending bounds how many pending operations of one record are looked for:
// each is sought in all texts of the run.
const mostPending = 100

// droppedFromHandoff reports pending operations of a Handoff record that the
// next run never touches.
func droppedFromHandoff(v *classify.View, p *classify.Pass, seen map[*classify.Action]bool) {
	told := reported(seen)
	for _, r := range v.Records {
		h := r.Handoff
		if h == nil || h.NextRunID == "" || h.NextRunID != v.Run.Meta.Native && h.NextRunID != v.Run.ID {
			continue
		}
		for _, id := range h.PendingOperations[:min(len(h.PendingOperations), mostPending)] {
			if id == "" || told[id] || touches(v, id) || len(v.Episodes) == 0 || v.Episodes[len(v.Episodes)-1].Open {
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

// reported are the operations whose call was reported already.
func reported(seen map[*classify.Action]bool) map[string]bool {
	out := map[string]bool{}
	for a := range seen {
		for _, x := range a.Effects() {
			if x.Operation != nil {
				out[x.Operation.ID] = true
			}
		}
	}
	return out
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
