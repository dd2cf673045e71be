package rules

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var repeatedWork = classify.Rule{
	Name:    "handoff/repeated-work",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "After a boundary, finished work was done again",
		Text:     "After compaction, a resume or a new session, an operation that was already finished was repeated on an unchanged state, or a file was written with what it already held, without being asked for again.",
		Fires:    "After compaction the agent writes migrations/0007.sql with the content it has had for twenty minutes.",
		NearMiss: "A new user request; the artifact changed in between; a re-created environment; a re-run check, an install, a read; editing the same file further.",
		Occasion: "a boundary with changes or effects on both sides",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Hand over progress as structured state (done steps with their artifacts) and let the next session verify it first.",
		Metric:   "duplicate tool actions after a boundary",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		repeatedActions(v, p.Report)
	},
}

// Repeats are the actions of a run that did finished work again behind a
// boundary, in order. Their number is the measure of a handoff: duplicate
// actions after resume.
func Repeats(v *classify.View) []*classify.Action {
	return slices.SortedFunc(maps.Keys(repeatedActions(v, func(classify.Hit) {})), func(a, b *classify.Action) int {
		return cmp.Compare(a.Pos, b.Pos)
	})
}

// repeatedActions reports what was done again, and returns it.
func repeatedActions(v *classify.View, report func(classify.Hit)) map[*classify.Action]bool {
	seen := map[*classify.Action]bool{}
	reportRepeats(v, report, seen)
	reportRedone(v, report, seen)
	return seen
}

// boundariesOf are the boundaries after which this run goes on.
func boundariesOf(v *classify.View) []classify.Boundary {
	at := func(pos int) int {
		i, _ := slices.BinarySearchFunc(v.Boundaries, pos, func(b classify.Boundary, p int) int { return cmp.Compare(b.Pos, p) })
		return i
	}
	return v.Boundaries[at(v.Start()):at(v.End()+1)]
}

// repeats are the actions that repeat finished work behind one boundary.
type repeats struct {
	hit *classify.Hit
	n   int
}

// reportRepeats reports all repeats behind one boundary as one finding, with
// their count: the boundary is what made them. A repeat counts for the first
// boundary behind which it is one.
func reportRepeats(v *classify.View, report func(classify.Hit), seen map[*classify.Action]bool) {
	bounds := boundariesOf(v)
	if len(bounds) == 0 {
		return
	}
	found := make([]repeats, len(bounds))
	for _, a := range v.ActionsIn(bounds[0].Pos-1, v.End()+1) {
		if !v.Owns(a) || a.Outcome != ingest.OK || !worksOutside(v, a) {
			continue
		}
		e := v.EpisodeAt(a.Pos)
		if e == nil || e.Open {
			continue
		}
		if k, first := repeatOf(v, bounds, a); first != nil {
			seen[a] = true
			found[k].add(v, bounds[k], e, a, first)
		}
	}
	for _, r := range found {
		if r.hit == nil {
			continue
		}
		if r.n > 1 {
			r.hit.Message += fmt.Sprintf(" (%d actions repeated)", r.n)
		}
		report(*r.hit)
	}
}

func (r *repeats) add(v *classify.View, b classify.Boundary, e *classify.Episode, a, first *classify.Action) {
	if r.n++; r.hit != nil {
		if len(r.hit.Cite) < 8 {
			r.hit.Cite = append(r.hit.Cite, a.Cite(), first.Cite())
		}
		return
	}
	r.hit = &classify.Hit{
		Severity: classify.High, Grade: gradeOf(a), Episode: e.Index, At: a.Pos,
		Cite:      []classify.Cite{a.Cite(), first.Cite(), b.Cite},
		Message:   fmt.Sprintf("after %s, %s repeats finished work on an unchanged state", boundaryWords(b), describe(a)),
		Structure: []string{b.Kind, a.Tool, commandClass(a)},
	}
}

// mostBoundaries bounds behind how many boundaries without a new request one
// action is looked at. No real run compacts so often for one request.
const mostBoundaries = 200

// repeatOf finds the first boundary before an action behind which the action
// repeats finished work, and the action that finished it. Boundaries before
// the last request, or before the work was first done, need no look.
func repeatOf(v *classify.View, bounds []classify.Boundary, a *classify.Action) (int, *classify.Action) {
	keys := workKeys(v, a)
	same := sameContent(v, a)
	from := -1
	for _, key := range keys {
		from = max(from, doers(v)[key][0].Pos)
	}
	if same != nil {
		from = min(from, same.Pos)
	}
	from = max(from, v.Asked().Before(a.Pos))
	k, _ := slices.BinarySearchFunc(bounds, from+1, func(b classify.Boundary, p int) int { return cmp.Compare(b.Pos, p) })
	for end := min(len(bounds), k+mostBoundaries); k < end && bounds[k].Pos <= a.Pos; k++ {
		b := bounds[k]
		first := doneBefore(v, keys, b.Pos)
		if first == nil && same != nil && same.Pos < b.Pos {
			first = same
		}
		if first != nil && !stateMoved(v, first, a) {
			return k, first
		}
	}
	return 0, nil
}

// gradeOf is observed for work on the workspace; an effect outside is as good
// as its contract.
func gradeOf(a *classify.Action) classify.Grade {
	for _, x := range a.Effects() {
		if x.Writes() {
			return x.Grade().Weaker(classify.Observed)
		}
	}
	return classify.Observed
}

func boundaryWords(b classify.Boundary) string {
	if b.Kind == "run" {
		return "the start of a later session"
	}
	return b.Kind
}

func describe(a *classify.Action) string {
	if a.Shell != "" {
		return fmt.Sprintf("%q", classify.Clip(a.Shell, 60))
	}
	if ps := a.Paths(); len(ps) > 0 {
		return fmt.Sprintf("%s of %s", a.Tool, classify.Clip(ps[0], 60))
	}
	return classify.Clip(a.Tool, 40)
}

func commandClass(a *classify.Action) string {
	if len(a.Commands) > 0 && len(a.Commands[len(a.Commands)-1].Argv) > 0 {
		return path.Base(a.Commands[len(a.Commands)-1].Argv[0])
	}
	return string(a.Kind)
}

// sameContent finds the earlier write of the same whole content to the same
// path, by whatever tool.
func sameContent(v *classify.View, a *classify.Action) *classify.Action {
	for _, c := range a.Changes() {
		if !c.Known {
			continue
		}
		last := lastWrite(v, c)
		if last != nil && last.Known && last.Content == c.Content {
			return last.Action
		}
	}
	return nil
}

// lastWrite is the last successful change of a file before another of it.
func lastWrite(v *classify.View, c *classify.Change) *classify.Change {
	all := v.ChangesOf(c.Path)
	n, _ := slices.BinarySearchFunc(all, c.Action.Pos, func(d *classify.Change, p int) int { return cmp.Compare(d.Action.Pos, p) })
	for _, d := range slices.Backward(all[:n]) {
		if d.Action.Outcome == ingest.OK {
			return d
		}
	}
	return nil
}

func writesContent(a *classify.Action) bool {
	for _, c := range a.Commands {
		if len(c.Writes) > 0 && c.Stdin != "" {
			return true
		}
	}
	return false
}

func targets(a *classify.Action) []string {
	var out []string
	for _, c := range a.Changes() {
		out = append(out, c.Path)
	}
	return out
}

// reportRedone reports steps that a Handoff record lists as completed and the
// next run did again on the same artifact with the same content.
func reportRedone(v *classify.View, report func(classify.Hit), seen map[*classify.Action]bool) {
	for _, r := range v.Records {
		h := r.Handoff
		if h == nil || h.NextRunID == "" || h.NextRunID != v.Run.Meta.Native && h.NextRunID != v.Run.ID {
			continue
		}
		for _, done := range h.Completed {
			if done.Artifact == "" {
				continue
			}
			for _, c := range v.ChangesOf(done.Artifact) {
				e := v.EpisodeAt(c.Action.Pos)
				if c.Action.Pos < v.Start() || c.Action.Pos > v.End() || !c.Known || seen[c.Action] || c.Action.Outcome != ingest.OK || e == nil || e.Open || v.AskedAnew(v.Start(), c.Action.Pos) {
					continue
				}
				seen[c.Action] = true
				report(classify.Hit{
					Severity: classify.High, Grade: classify.Recorded, Episode: e.Index, At: c.Action.Pos,
					Cite:      []classify.Cite{c.Action.Cite(), r.Cite},
					Message:   fmt.Sprintf("%s was written anew, though the handoff lists %q as completed", classify.Clip(c.Path, 60), classify.Clip(done.Step, 60)),
					Structure: []string{"handoff", c.Action.Tool},
				})
				break
			}
		}
	}
}
