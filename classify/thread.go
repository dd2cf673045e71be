package classify

import (
	"cmp"
	"slices"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Cite is an event with the run that holds it.
type Cite struct {
	Run   *ingest.Run
	Event *ingest.Event
}

// Thread is what was computed once of a thread: all its runs on one line of
// positions. A position orders events of all runs; a sub-agent's stand where
// its parent got its result.
type Thread struct {
	Root       string
	Runs       []*ingest.Run
	Subs       []*ingest.Run
	Actions    []*Action // in order of position
	Checks     []*Check
	Changes    []*Change
	Effects    []*Effect
	Boundaries []Boundary
	Records    Records
	Facts      Facts // of the thread

	base    map[*ingest.Run]int
	commits []commit       // made by the runs, in order of position; only where evidence names some
	late    []*Action      // copied calls whose result a later run of the thread owns
	config  *config.Config // never nil
	length  int
}

// newThread reads the facts of a thread. Linked are the keyed records that
// belong to it.
func newThread(t ingest.Thread, recs Records, k keyed, cfg *config.Config) (_ *Thread, linked []int) {
	if cfg == nil {
		cfg = &config.Config{}
	}
	for _, c := range cfg.Contracts {
		recs = append(recs[:len(recs):len(recs)], Record{Record: record.Record{Contract: c.Record()}})
	}
	th := &Thread{Root: t.Root, Runs: t.Runs, Subs: t.Subs, Records: recs, config: cfg, base: map[*ingest.Run]int{}}
	for _, r := range t.Runs {
		th.base[r] = th.length
		th.length += len(r.Events) + 1
	}
	for _, r := range t.Runs {
		th.actions(r, func(i int) int { return th.base[r] + i }, false)
	}
	for _, r := range t.Subs {
		at := th.subPosition(r)
		th.actions(r, func(int) int { return at }, true)
	}
	slices.SortStableFunc(th.Actions, func(a, b *Action) int { return cmp.Compare(a.Pos, b.Pos) })
	th.joinLate()
	linked = th.link(k)
	th.readWorkspace()
	th.readChecks()
	th.readEffects()
	th.readBoundaries()
	th.ownFacts()
	return th, linked
}

// Config is the configuration that governs the thread; an empty one when none
// does.
func (th *Thread) Config() *config.Config { return th.config }

// subPosition is where a sub-agent's run counts in its parent's order: at the
// event that names the agent, else at the last parent event before its start.
func (th *Thread) subPosition(sub *ingest.Run) int {
	best := 0
	start := sub.Start()
	for _, r := range th.Runs {
		for i := range r.Events {
			e := &r.Events[i]
			if e.Agent != "" && e.Agent == sub.Meta.Agent && e.Kind == ingest.ToolResult {
				return th.base[r] + i
			}
			if !start.IsZero() && !e.At.IsZero() && !e.At.After(start) {
				best = th.base[r] + i
			}
		}
	}
	return best
}

// actions appends the executions of one run.
func (th *Thread) actions(r *ingest.Run, pos func(int) int, sub bool) {
	for _, x := range r.Executions() {
		a := &Action{Execution: x, Run: r, Sub: sub, thread: th}
		if a.lead().Copied {
			if x.Result >= 0 && !r.Events[x.Result].Copied {
				th.late = append(th.late, a)
			}
			continue
		}
		first := x.Call
		if first < 0 {
			first = x.Result
		}
		a.Pos, a.End = pos(first), pos(max(first, x.Result, x.Settled))
		a.interpret()
		th.Actions = append(th.Actions, a)
	}
}

// joinLate gives a call that is open in its own run the result that a later
// run of the thread holds: the session was resumed or forked between the two.
func (th *Thread) joinLate() {
	byCall := map[string]*Action{}
	for _, l := range th.late {
		byCall[l.lead().Call] = l
	}
	for _, a := range th.Actions {
		l := byCall[a.lead().Call]
		if a.Result >= 0 || l == nil || a.lead().Call == "" || l.Tool != a.Tool {
			continue
		}
		a.joined, a.Outcome, a.Reason, a.Exit = l, l.Outcome, l.Reason, l.Exit
		if base, ok := th.base[l.Run]; ok {
			a.End = base + l.Result
		}
	}
}

// Event returns the event at a position of a main run.
func (th *Thread) Event(pos int) Cite {
	k, _ := slices.BinarySearchFunc(th.Runs, pos+1, func(r *ingest.Run, p int) int { return cmp.Compare(th.base[r], p) })
	if k == 0 {
		return Cite{}
	}
	r := th.Runs[k-1]
	if i := pos - th.base[r]; i < len(r.Events) {
		return Cite{r, &r.Events[i]}
	}
	return Cite{}
}

// between yields the elements with a position in (after, before).
func between[T interface{ position() int }](list []T, after, before int) []T {
	lo, _ := slices.BinarySearchFunc(list, after+1, func(e T, p int) int { return cmp.Compare(e.position(), p) })
	hi, _ := slices.BinarySearchFunc(list, before, func(e T, p int) int { return cmp.Compare(e.position(), p) })
	return list[lo:max(lo, hi)]
}
