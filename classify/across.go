package classify

import (
	"cmp"
	"slices"
	"time"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

// acrossWindow is how far apart two effects of different threads may lie to be
// compared. Inferred contracts never join across threads.
const acrossWindow = 24 * time.Hour

// contracted are the thread's effects that a recorded contract lets compare
// with other threads' effects: external, successful, not undone, not safe to
// repeat.
func (th *Thread) contracted() []*Effect {
	var out []*Effect
	for _, e := range th.Effects {
		if e.Contract == nil || !e.Writes() || e.Outcome != ingest.OK || e.Repeatable {
			continue
		}
		if len(th.Undoing(e, e.Action.Pos, th.length+1)) == 0 {
			out = append(out, e)
		}
	}
	return out
}

// SameResource reports that two replies speak of one resource, or that one
// operation id was sent with both and the replies do not speak against it: the
// service answered a replay.
func SameResource(a, b *Effect) bool {
	if x, y := a.Action.givenID(), b.Action.givenID(); x != "" && y != "" {
		return x == y
	}
	return a.OperationID != "" && a.OperationID == b.OperationID && !effect.OtherResult(a.Action.Output(), b.Action.Output())
}

// acrossThreads asks the rules that compare effects of different threads about
// each effect and the latest equal one before it, and adds what they report to
// the later run's verdict.
func acrossThreads(rules []Rule, views map[string]*View, effects []*Effect, verdicts []Verdict) {
	at := func(e *Effect) time.Time { return e.Action.lead().At }
	slices.SortFunc(effects, func(a, b *Effect) int {
		return cmp.Or(at(a).Compare(at(b)), cmp.Compare(a.Action.Run.ID, b.Action.Run.ID), a.Action.Pos-b.Action.Pos)
	})
	last := map[string]*Effect{}
	for _, e := range effects {
		key := plain(lastPart(e.Action.Tool)) + "\x00" + e.Identity
		before := last[key]
		last[key] = e
		if before == nil || before.Action.thread == e.Action.thread || at(e).Sub(at(before)) > acrossWindow {
			continue
		}
		v := views[e.Action.Run.ID]
		i, ok := slices.BinarySearchFunc(verdicts, e.Action.Run.ID, func(w Verdict, id string) int { return cmp.Compare(w.Run, id) })
		if v == nil || !ok {
			continue
		}
		for _, r := range rules {
			if r.Across == nil {
				continue
			}
			p := &Pass{rule: r, view: v}
			r.Across(v, p, before, e)
			verdicts[i].add(v, p.findings)
		}
	}
}

// add takes further findings into a verdict and settles it anew.
func (out *Verdict) add(v *View, fs []Finding) {
	if len(fs) == 0 {
		return
	}
	out.Findings = append(out.Findings, fs...)
	out.settle(v)
}
