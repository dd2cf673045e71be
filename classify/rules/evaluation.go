package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/opinion"
	"github.com/faultline-dev/faultline/ingest"
)

// evaluation is one verdict of an evaluator in a run.
type evaluation struct {
	opinion.Opinion
	by    string        // name of the agent, tool or sub-agent that judged; "" for the run's own
	text  string        // the answer
	asked string        // what it was told to judge, as far as that is known
	cite  classify.Cite // the event that gives the verdict
	pos   int
	call  *classify.Action // the call that asked for it, else nil
	agent string           // id under which the source keeps its events, if any
}

// evaluationsOf are the verdicts of a run: what agents with an evaluator's name
// say, what calls that start one bring back, and scores that the run's own agent
// gives as data.
func evaluationsOf(v *classify.View) []*evaluation {
	return classify.Once(&v.Own, "evaluations", func() []*evaluation {
		out := spokenVerdicts(v)
		for _, a := range v.Actions {
			if x := answeredVerdict(v, a); x != nil {
				out = append(out, x)
			}
		}
		slices.SortStableFunc(out, func(a, b *evaluation) int { return a.pos - b.pos })
		return out
	})
}

func spokenVerdicts(v *classify.View) (out []*evaluation) {
	who := speakersOf(v)
	asked := map[string]string{} // the last thing that each agent was told
	for i := range v.Run.Events {
		e := &v.Run.Events[i]
		if e.Kind != ingest.Message || e.Copied || e.Summary {
			continue
		}
		by := who.of(e)
		if e.Actor != ingest.Agent {
			if t := v.Run.Text(e); e.Actor == ingest.User || opinion.Evaluator(t) {
				asked[by] = t
			}
			continue
		}
		judge := opinion.Evaluator(by)
		t := v.Run.Text(e)
		if !judge && !strings.Contains(t, "{") {
			continue
		}
		o, ok := opinion.Read(t)
		if !ok || !judge && !(o.Data && o.Decided && o.Scored) {
			continue
		}
		x := &evaluation{Opinion: o, by: by, text: t, asked: asked[by], cite: classify.Cite{Run: v.Run, Event: e}, pos: v.Start() + i, agent: e.Agent}
		if x.asked == "" && by != "" {
			x.asked = asked[""]
		}
		out = append(out, x)
	}
	return out
}

// answeredVerdict reads what a call of an evaluator brought back.
func answeredVerdict(v *classify.View, a *classify.Action) *evaluation {
	name := delegateName(a)
	if a.Kind == classify.Other {
		name = a.Tool
	}
	if a.Run != v.Run || a.Outcome != ingest.OK || !opinion.Evaluator(name) {
		return nil
	}
	t := a.Output()
	o, ok := opinion.Read(t)
	if !ok {
		return nil
	}
	return &evaluation{Opinion: o, by: name, text: t, asked: string(a.Args), cite: a.CiteEnd(), pos: a.End, call: a, agent: a.CiteEnd().Event.Agent}
}

// used tells whether the evaluator may have used what it judged before its
// verdict; seen is false where the trace does not hold its calls.
func (x *evaluation) used(v *classify.View) (used, seen bool) {
	if x.call != nil {
		acts := callsByAgent(v)[x.agent]
		return slices.ContainsFunc(acts, mayTouch), x.agent != "" && len(acts) > 0
	}
	first := classify.Once(&v.Own, "first use", func() map[string]int {
		out := map[string]int{}
		for by, acts := range callsBySpeaker(v) {
			if i := slices.IndexFunc(acts, mayTouch); i >= 0 {
				out[by] = acts[i].Pos
			}
		}
		return out
	})
	pos, ok := first[x.by]
	return ok && pos < x.pos, true
}

// callsByAgent are the calls of sub-agents, by the id of each.
func callsByAgent(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Own, "calls by agent", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.Actions {
			switch id := a.Cite().Event.Agent; {
			case a.Sub:
				out[a.Run.Meta.Agent] = append(out[a.Run.Meta.Agent], a)
			case id != "":
				out[id] = append(out[id], a)
			}
		}
		return out
	})
}

// callsBySpeaker are the calls of the run's agents, by the name of each.
func callsBySpeaker(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Own, "calls by speaker", func() map[string][]*classify.Action {
		who, out := speakersOf(v), map[string][]*classify.Action{}
		for _, a := range v.Actions {
			if a.Run == v.Run {
				by := who.of(a.Cite().Event)
				out[by] = append(out[by], a)
			}
		}
		return out
	})
}

// evaluationsIn are the verdicts of an episode.
func evaluationsIn(v *classify.View, e *classify.Episode) []*evaluation {
	all := evaluationsOf(v)
	at := func(pos int) int {
		i, _ := slices.BinarySearchFunc(all, pos, func(x *evaluation, pos int) int { return cmp.Compare(x.pos, pos) })
		return i
	}
	return all[at(e.Begin):at(e.Last+1)]
}

// passedIn are the verdicts of an episode that pass the work.
func passedIn(v *classify.View, e *classify.Episode) (out []*evaluation) {
	for _, x := range evaluationsIn(v, e) {
		if x.Decided && x.Pass {
			out = append(out, x)
		}
	}
	return out
}

// changedAfter reports that something may have changed the work between two
// points: a change of the candidate, or a call of which nobody knows.
func changedAfter(v *classify.View, after, before int) bool {
	for _, c := range v.ChangesIn(after, before) {
		if c.Candidate() && !c.Cosmetic {
			return true
		}
	}
	for _, a := range v.ActionsIn(after, before) {
		if a.Kind == classify.Other && a.Ran() && isUnknownTool(a) && !opinion.Evaluator(a.Tool) {
			return true
		}
	}
	return false
}
