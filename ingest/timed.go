package ingest

import (
	"cmp"
	"slices"
	"time"
)

// dated is where an event stands in time.
type dated struct {
	at    time.Time
	role  int32
	event int32 // index
	nth   int32 // of the equal things that its unit says, from 1
}

// compare puts what has no time behind what has one.
func (d dated) compare(other dated) int {
	byTime := d.at.Compare(other.at)
	if d.at.IsZero() != other.at.IsZero() {
		byTime = -byTime
	}
	return cmp.Or(cmp.Compare(d.role, other.role), byTime)
}

// orderByTime puts the events of all sources in the order of their times, of a
// trial's sources role by role: spans are written when they end, inner ones
// first, and a trace lies in many files. Then what spans say of each other's
// steps is sorted out.
func (r *Run) orderByTime() {
	order := r.dated()
	slices.SortStableFunc(order, dated.compare)
	t := r.tree()
	said := conversations{}
	kept := make([]int32, 0, len(order))
	for _, d := range order {
		if e := &r.Events[d.event]; t == nil || t.place(e) && said.news(t, e, int(d.nth)) {
			kept = append(kept, d.event)
		}
	}
	r.Events = arrange(r.Events, kept)
	if t != nil {
		t.joinCalls()
	}
}

// dated gives every event a place in time: an undated one that of the event
// before it in its source, or where none is dated before it, after it. A source
// without times has none.
func (r *Run) dated() []dated {
	out := make([]dated, len(r.Events))
	first := 0 // of the source
	here := map[uint64]int32{}
	for i := range r.Events {
		e := &r.Events[i]
		if i == 0 || e.Source != r.Events[i-1].Source {
			first = i
		}
		if i == 0 || e.Unit != r.Events[i-1].Unit {
			clear(here)
		}
		if e.Said != 0 {
			here[e.Said]++
		}
		out[i] = dated{at: e.At, event: int32(i), nth: here[e.Said]}
		if r.Meta.Trial {
			out[i].role = int32(r.Sources[e.Source].Role)
		}
		switch {
		case i > first && e.At.IsZero():
			out[i].at = out[i-1].at
		case i > first && out[i-1].at.IsZero():
			for k := first; k < i; k++ {
				out[k].at = e.At
			}
		}
	}
	return out
}

// conversations remember what was said in each: by the main agent, and by each
// call of a sub-agent.
type conversations struct {
	seen map[saidIn]int
	own  map[answerOf]bool
}

type saidIn struct {
	scope int
	said  uint64
}

type answerOf struct {
	message string
	said    uint64
}

// news reports that an event is more than the repetition of an earlier turn.
// A request repeats the whole history: the n-th equal thing in it is news only
// when fewer were said before. What a model answers is news, unless the span is
// one around that of the call itself.
func (c *conversations) news(t *tree, e *Event, nth int) bool {
	if e.Said == 0 {
		return true
	}
	if c.seen == nil {
		c.seen, c.own = map[saidIn]int{}, map[answerOf]bool{}
	}
	key, before := saidIn{t.scope[e.Unit], e.Said}, 0
	before = c.seen[key]
	if e.Message != "" && !t.around[e.Unit] {
		answer := answerOf{e.Message, e.Said}
		again := c.own[answer]
		c.own[answer] = true
		if !again {
			c.seen[key]++
		}
		return !again
	}
	if nth <= before {
		return false
	}
	c.seen[key] = nth
	return true
}
