package rules

import (
	"fmt"
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
