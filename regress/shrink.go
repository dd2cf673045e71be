package regress

import (
	"context"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/reduce"
)

// Options say how a case is made of a finding.
type Options struct {
	// Whole keeps all of what shows the finding: its episode, its run or its
	// thread.
	Whole bool
	// Budget is how many candidates may be judged; 0 is DefaultBudget. What
	// they hold in all is limited too, so that a long run costs no more than
	// passes over it whole.
	Budget int
	Told   func(reduce.Progress) // hears of each judgement; nil is nobody
}

// DefaultBudget is how many candidates are judged to make a case small.
const DefaultBudget = 400

// What candidates may hold in all: so many times the events of what is
// reduced, and something in any case.
const (
	passes    = 40
	someTotal = 4000
)

// Reduction says what became of a run when its case was made. Sizes are those
// of the runs as event/v1, before and after.
type Reduction struct {
	Events   [2]int `json:"events"`
	Bytes    [2]int `json:"bytes"`
	Judged   int    `json:"judged"`   // candidates; 0: nothing was left out on trial
	Complete bool   `json:"complete"` // no part can be left out alone
}

// shrinker reduces what shows a finding.
type shrinker struct {
	*miner
	scope scope
	parts []part // of all threads
	text  []byte // the configuration
	atoms []atom
}

// atom is what is kept or left out as a whole: a call with its results, a
// claim with what it rests on, one event, one record.
type atom struct {
	events []spot
	record int // index, or -1
}

// spot is an event by its part in the scope and its index in the run.
type spot struct{ part, event int }

// shrink reduces what a draft keeps: to the smallest part found that still
// shows the same finding, at the event that it cites first.
func (m *miner) shrink(ctx context.Context, d *draft, o Options) (*draft, reduce.Result, error) {
	k := shrinker{miner: m, scope: d.scope, parts: slices.Concat(d.scope.parts...), text: d.Config}
	k.split()
	search := reduce.Search{Shows: k.shows, Told: o.Told, Slices: k.slices(), Budget: budget(o.Budget, d.scope.events())}
	for _, a := range k.atoms {
		held, fixed := k.cites(a)
		search.Kinds = append(search.Kinds, k.kind(a))
		search.Weights = append(search.Weights, max(1, len(a.events)))
		search.Held, search.Fixed = append(search.Held, held), append(search.Fixed, fixed)
	}
	found, err := search.Run(ctx)
	if err != nil || len(found.Kept) == len(k.atoms) {
		return d, found, err
	}
	small, err := m.attempt(ctx, k.keep(found.Kept), d.Config)
	if err != nil || small == nil {
		return d, found, err
	}
	return small, found, nil
}

func budget(runs, events int) reduce.Budget {
	if runs == 0 {
		runs = DefaultBudget
	}
	return reduce.Budget{Runs: runs, Events: max(someTotal, passes*events)}
}

// shows judges a candidate as it would be exported.
func (k *shrinker) shows(ctx context.Context, kept []int) (bool, error) {
	s := k.keep(kept)
	if s.events() == 0 {
		return false, nil
	}
	c := k.blank(k.text)
	at, err := k.fill(c, s)
	if err != nil || at == nil {
		return false, err
	}
	found, err := c.judge(ctx, k.in.Rules)
	if err != nil {
		return false, err
	}
	return at.in(found, k.finding.Fingerprint) != nil, nil
}

// keep is the scope with some of its atoms.
func (k *shrinker) keep(kept []int) scope {
	s := scope{words: k.scope.words, dropped: map[int]bool{}, cut: true}
	events := map[int][]int{}
	in := make([]bool, len(k.atoms))
	for _, i := range kept {
		in[i] = true
		for _, e := range k.atoms[i].events {
			events[e.part] = append(events[e.part], e.event)
		}
	}
	for i, a := range k.atoms {
		if a.record >= 0 && !in[i] {
			s.dropped[a.record] = true
		}
	}
	n := 0
	for _, parts := range k.scope.parts {
		var left []part
		for _, p := range parts {
			if list := events[n]; len(list) > 0 {
				slices.Sort(list)
				left = append(left, part{p.run, list})
			}
			n++
		}
		s.parts = append(s.parts, left)
	}
	return s
}

// split lists the atoms in the order of the scope, records last.
func (k *shrinker) split() {
	for n, p := range k.parts {
		k.join(n, p)
	}
	kept := slices.Concat(k.scope.threads()...)
	for i, rec := range k.material.Records {
		if concerns(rec, kept) {
			k.atoms = append(k.atoms, atom{record: i})
		}
	}
}

// kind says which atoms are alike: those of one tool, or of one kind of event.
func (k *shrinker) kind(a atom) string {
	if a.record >= 0 {
		return "record"
	}
	r := k.parts[a.events[0].part].run
	e := &r.Events[a.events[0].event]
	return string(e.Kind) + " " + string(e.Actor) + " " + e.Name
}

// join makes the atoms of a part: events of one call are one, and so are a
// claim and the event that it names as what it rests on.
func (k *shrinker) join(n int, p part) {
	calls, ids := map[string]int{}, map[string]int{}
	for _, i := range p.events {
		e := &p.run.Events[i]
		at, joined := calls[e.Call]
		if !joined && e.Kind == ingest.Claim {
			at, joined = ids[e.Parent]
		}
		if !joined {
			at = len(k.atoms)
			k.atoms = append(k.atoms, atom{record: -1})
		}
		k.atoms[at].events = append(k.atoms[at].events, spot{n, i})
		if e.Call != "" {
			calls[e.Call] = at
		}
		if e.ID != "" && e.Kind != ingest.Message && e.Kind != ingest.Claim {
			ids[e.ID] = at
		}
	}
}

// refs are the events of an atom by their address.
func (k *shrinker) refs(a atom) (out []place) {
	if a.record >= 0 {
		c := k.material.Records[a.record].Cite
		return []place{placeOf(c.Run.Ref(c.Event))}
	}
	for _, e := range a.events {
		r := k.parts[e.part].run
		out = append(out, placeOf(r.Ref(&r.Events[e.event])))
	}
	return out
}

// cites reports that the finding cites an atom, and that it cites it first.
func (k *shrinker) cites(a atom) (held, fixed bool) {
	refs := k.refs(a)
	for i, ref := range k.finding.Refs {
		if slices.Contains(refs, placeOf(ref)) {
			held, fixed = true, fixed || i == 0
		}
	}
	return held, fixed
}

// slices are what the finding cites with ever more around it, framed by the
// first and the last event of each run: what was asked, and how it ended. All
// have the records.
func (k *shrinker) slices() (out [][]int) {
	var cited []int
	frame := make([]bool, len(k.atoms))
	for i, a := range k.atoms {
		if held, _ := k.cites(a); held {
			cited = append(cited, i)
		}
		ends := a.record >= 0 || i == 0 || i == len(k.atoms)-1
		frame[i] = ends || k.atoms[i+1].record >= 0 || k.atoms[i-1].events[0].part != a.events[0].part ||
			k.atoms[i+1].events[0].part != a.events[0].part
	}
	for width := 0; width < len(k.atoms); width = 4*width + 2 {
		keep := slices.Clone(frame)
		for _, i := range cited {
			for j := max(0, i-width); j <= min(len(k.atoms)-1, i+width); j++ {
				keep[j] = true
			}
		}
		var slice []int
		for i := range k.atoms {
			if keep[i] {
				slice = append(slice, i)
			}
		}
		out = append(out, slice)
	}
	return out
}
