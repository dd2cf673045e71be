package world

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// spot is one call of the script: its turn and its place there.
type spot struct{ turn, pos int }

// progress is what a request shows of a call.
type progress struct {
	asked int  // under how many ids
	clear bool // one of them has a clear result
}

// again is how often a persistent model asks again.
const again = 3

// settled reports that the model goes on from the call.
func (p *progress) settled(passive bool) bool {
	return p != nil && p.asked > 0 && (p.clear || passive || p.asked > again)
}

// step is what the model does next: the calls of a turn that are open, or all of
// a turn that says something. At the end of the script the turn is len(Turns).
type step struct {
	turn int
	open []int
	done []int // the turns before it that are done
}

// next finds the first turn that is not done, by the content of a request.
func (w *World) next(q *dialect.Request, shown shown) step {
	var at step
	for at.turn = range w.script.Turns {
		t := &w.script.Turns[at.turn]
		at.open = nil
		for pos := range t.Calls {
			if !shown.spots[spot{at.turn, pos}].settled(w.options.Passive) {
				at.open = append(at.open, pos)
			}
		}
		if !w.done(at, q) {
			return at
		}
		at.done = append(at.done, at.turn)
	}
	at.turn, at.open = len(w.script.Turns), nil
	return at
}

// done: a turn that only speaks is done when its words are in the request and
// there is more to come. The last words are said as often as they are asked for.
func (w *World) done(at step, q *dialect.Request) bool {
	t := &w.script.Turns[at.turn]
	if slices.ContainsFunc(t.Unless, func(s string) bool { return holds(q, s) }) {
		return true
	}
	if len(t.Calls) > 0 {
		return len(at.open) == 0
	}
	said := strings.TrimSpace(t.Say)
	return said != "" && at.turn < len(w.script.Turns)-1 &&
		slices.ContainsFunc(q.Texts, func(s string) bool { return strings.TrimSpace(s) == said })
}

// holds reports that a text is in the request.
func holds(q *dialect.Request, s string) bool {
	return slices.ContainsFunc(q.Texts, func(x string) bool { return strings.Contains(x, s) }) ||
		slices.ContainsFunc(q.Results, func(r dialect.Result) bool { return strings.Contains(r.Text, s) })
}

// shown is what a request shows of the script's calls.
type shown struct {
	spots map[spot]*progress
	calls []shownCall
}

// shownCall is one of them with its result.
type shownCall struct {
	dialect.Call
	at     spot
	nth    int // of its spot, from 1
	result dialect.Result
	done   bool
}

// shown reads the calls and results of a request.
func (w *World) shown(q *dialect.Request) shown {
	results, ids := newResults(q.Results), map[string]bool{}
	out := shown{spots: map[spot]*progress{}}
	for _, c := range q.Calls {
		r, done := results.of(c)
		at, ok := w.asks.spot(c.ID)
		if !ok {
			at, ok = w.guess(c, q, out.spots)
		}
		if !ok {
			continue
		}
		p := out.spots[at]
		if p == nil {
			p = &progress{}
			out.spots[at] = p
		}
		if c.ID == "" || !ids[c.ID] {
			p.asked++
			ids[c.ID] = true
		}
		p.clear = p.clear || done && w.answers(w.toolAt(at), r)
		out.calls = append(out.calls, shownCall{c, at, p.asked, r, done})
	}
	return out
}

// toolAt is the tool of a call; New made sure that there is one.
func (w *World) toolAt(at spot) *script.Tool {
	t, _ := w.script.Find(w.script.Turns[at.turn].Calls[at.pos].Tool)
	return t
}

// guess finds the call of the script that a call with a strange id is: of those
// with its tool and arguments the first that is not settled, else the last.
func (w *World) guess(c dialect.Call, q *dialect.Request, shown map[spot]*progress) (at spot, ok bool) {
	given := object(c.Args)
	for i := range w.script.Turns {
		for pos, want := range w.script.Turns[i].Calls {
			if !w.same(want, c, given, q.Tools) {
				continue
			}
			at, ok = spot{i, pos}, true
			if !shown[at].settled(w.options.Passive) {
				return at, true
			}
		}
	}
	return at, ok
}

func (w *World) same(want script.Call, c dialect.Call, given args, offers []dialect.Offer) bool {
	t, err := w.script.Find(want.Tool)
	if err != nil {
		return false
	}
	if fit(t, dialect.Offer{Name: c.Name, Namespace: c.Namespace}) > foreign {
		return covers(given, object(want.Args))
	}
	wire, _, ok := w.wire(want, offers)
	return ok && wire.Name == c.Name && covers(given, object(wire.Args))
}

// results finds the result of a call: by its id, else the next of its tool.
type results struct {
	byID   map[string]dialect.Result
	byTool map[string][]dialect.Result
}

func newResults(all []dialect.Result) results {
	r := results{map[string]dialect.Result{}, map[string][]dialect.Result{}}
	for _, x := range all {
		if x.CallID != "" {
			r.byID[x.CallID] = x
		} else {
			r.byTool[x.Tool] = append(r.byTool[x.Tool], x)
		}
	}
	return r
}

func (r results) of(c dialect.Call) (dialect.Result, bool) {
	if x, ok := r.byID[c.ID]; ok && c.ID != "" {
		return x, true
	}
	if next := r.byTool[c.Name]; len(next) > 0 {
		r.byTool[c.Name] = next[1:]
		return next[0], true
	}
	return dialect.Result{}, false
}
