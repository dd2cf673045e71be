package rules

import (
	"fmt"
	"path"

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
		seen := map[*classify.Action]bool{}
		for _, b := range boundariesOf(v) {
			reportRepeats(v, p, b, seen)
		}
		reportRedone(v, p, seen)
	},
}

// boundariesOf are the boundaries after which this run goes on.
func boundariesOf(v *classify.View) []classify.Boundary {
	var out []classify.Boundary
	for _, b := range v.Boundaries {
		if b.Run == v.Run {
			out = append(out, b)
		}
	}
	return out
}

// reportRepeats reports all repeats behind one boundary as one finding, with
// their count: the boundary is what made them.
func reportRepeats(v *classify.View, p *classify.Pass, b classify.Boundary, seen map[*classify.Action]bool) {
	before := map[string]*classify.Action{}
	for _, a := range v.ActionsIn(-1, b.Pos) {
		for _, key := range workKeys(v, a) {
			before[key] = a
		}
	}
	var hit *classify.Hit
	n := 0
	for _, a := range v.ActionsIn(b.Pos-1, v.End()+1) {
		if seen[a] || !v.Owns(a) || a.Outcome != ingest.OK || !worksOutside(v, a) {
			continue
		}
		first := doneBefore(before, workKeys(v, a))
		if first == nil {
			first = sameContent(v, a, b.Pos)
		}
		if first == nil || first.Outcome != ingest.OK || v.AskedAnew(b.Pos-1, a.Pos) || stateMoved(v, first, a) {
			continue
		}
		e := v.EpisodeAt(a.Pos)
		if e == nil || e.Open {
			continue
		}
		seen[a] = true
		if n++; hit == nil {
			hit = &classify.Hit{Severity: classify.High, Grade: gradeOf(v, a), Episode: e.Index, At: a.Pos, Structure: []string{b.Kind, a.Tool, commandClass(a)}}
			hit.Cite = []classify.Cite{a.Cite(), first.Cite(), b.Cite}
			hit.Message = fmt.Sprintf("after %s, %s repeats finished work on an unchanged state", boundaryWords(b), describe(a))
		} else if len(hit.Cite) < 8 {
			hit.Cite = append(hit.Cite, a.Cite(), first.Cite())
		}
	}
	if hit != nil {
		if n > 1 {
			hit.Message += fmt.Sprintf(" (%d actions repeated)", n)
		}
		p.Report(*hit)
	}
}

// gradeOf is observed for work on the workspace; an effect outside is as good
// as its contract.
func gradeOf(v *classify.View, a *classify.Action) classify.Grade {
	for _, x := range v.Effects {
		if x.Action == a && x.Writes() {
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

// sameContent finds an earlier write of the same whole content to the same
// path, by whatever tool, before the boundary.
func sameContent(v *classify.View, a *classify.Action, before int) *classify.Action {
	for _, c := range v.ChangesIn(a.Pos-1, a.Pos+1) {
		if c.Action != a || !c.Known {
			continue
		}
		var last *classify.Change
		for _, d := range v.ChangesIn(-1, a.Pos) {
			if d.Path == c.Path && d.Action.Outcome == ingest.OK {
				last = d
			}
		}
		if last != nil && last.Known && last.Content == c.Content && last.Action.Pos < before {
			return last.Action
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

func targets(v *classify.View, a *classify.Action) []string {
	var out []string
	for _, c := range v.ChangesIn(a.Pos-1, a.Pos+1) {
		if c.Action == a {
			out = append(out, c.Path)
		}
	}
	return out
}

// reportRedone reports steps that a Handoff record lists as completed and the
// next run did again on the same artifact with the same content.
func reportRedone(v *classify.View, p *classify.Pass, seen map[*classify.Action]bool) {
	for _, r := range v.Records {
		h := r.Handoff
		if h == nil || h.NextRunID == "" || h.NextRunID != v.Run.Meta.Native && h.NextRunID != v.Run.ID {
			continue
		}
		for _, done := range h.Completed {
			if done.Artifact == "" {
				continue
			}
			for _, c := range v.ChangesIn(v.Start()-1, v.End()+1) {
				e := v.EpisodeAt(c.Action.Pos)
				if c.Path != done.Artifact || !c.Known || seen[c.Action] || c.Action.Outcome != ingest.OK || e == nil || e.Open || v.AskedAnew(v.Start(), c.Action.Pos) {
					continue
				}
				seen[c.Action] = true
				p.Report(classify.Hit{
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
