package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

// What lies between two points of a thread is asked for once for every pair of
// actions that may belong together. The lists here answer it by a search in
// what was read once, so that judging grows with the run and not with its
// square.

// Positions are places of a thread in order.
type Positions []int

// Any reports that one of them lies after one point and before another.
func (ps Positions) Any(after, before int) bool {
	i, _ := slices.BinarySearch(ps, after+1)
	return i < len(ps) && ps[i] < before
}

// Before is the last position before a point, -1 when there is none.
func (ps Positions) Before(point int) int {
	if i, _ := slices.BinarySearch(ps, point); i > 0 {
		return ps[i-1]
	}
	return -1
}

// After is the first position after a point, -1 when there is none.
func (ps Positions) After(point int) int {
	if i, _ := slices.BinarySearch(ps, point+1); i < len(ps) {
		return ps[i]
	}
	return -1
}

// Places are the positions of the actions that pass.
func (th *Thread) Places(pass func(*Action) bool) Positions {
	var out Positions
	for _, a := range th.Actions {
		if pass(a) {
			out = append(out, a.Pos)
		}
	}
	return out
}

// UserSpoke are the positions of all messages of the user.
func (th *Thread) UserSpoke() Positions {
	return Once(&th.Facts, "user spoke", func() Positions {
		return th.eventPlaces(func(_ *ingest.Run, e *ingest.Event) bool {
			return e.Kind == ingest.Message && e.Actor == ingest.User
		})
	})
}

// eventPlaces are the positions of the main runs' events that pass.
func (th *Thread) eventPlaces(pass func(*ingest.Run, *ingest.Event) bool) Positions {
	var out Positions
	for _, r := range th.Runs {
		for i := range r.Events {
			if pass(r, &r.Events[i]) {
				out = append(out, th.base[r]+i)
			}
		}
	}
	return out
}

// Asked are the positions of the requests that are more than "go on". The first
// request of all is one; the same text again, by which a session is started
// anew, is none.
func (th *Thread) Asked() Positions {
	return Once(&th.Facts, "asked", func() Positions {
		first, said := th.goal(), false
		return th.eventPlaces(func(r *ingest.Run, e *ingest.Event) bool {
			if e.Kind != ingest.Message || e.Actor != ingest.User || e.Agent != "" || e.Copied || e.Summary {
				return false
			}
			t := r.Text(e)
			if strings.TrimSpace(t) == first && !said {
				said = true
				return true
			}
			return !continues(t) && strings.TrimSpace(t) != first
		})
	})
}

// ownFacts ties the ledger's and the workspace's entries to their actions.
func (th *Thread) ownFacts() {
	for _, c := range th.Changes {
		c.Action.changes = append(c.Action.changes, c)
	}
	for i, e := range th.Effects {
		e.index = i
		e.Action.effects = append(e.Action.effects, e)
	}
	for _, c := range th.Checks {
		if c.Action != nil {
			c.Action.checks = true
		}
	}
}

// ChangesOf are the changes of one file, in order.
func (th *Thread) ChangesOf(file string) []*Change {
	return Once(&th.Facts, "changes by file", func() map[string][]*Change {
		out := map[string][]*Change{}
		for _, c := range th.Changes {
			out[c.Path] = append(out[c.Path], c)
		}
		return out
	})[file]
}

// LookUps are the look-ups of the thread that came back.
func (th *Thread) LookUps() []*Effect {
	return th.effectsThat("look-ups", func(e *Effect) bool { return e.Class == effect.Read && e.Outcome == ingest.OK })
}

// Undoers are the successful writes of the thread that can take another back.
func (th *Thread) Undoers() []*Effect {
	named := slices.ContainsFunc(th.Records, func(r Record) bool { return r.Contract != nil && len(r.Contract.Undo) > 0 })
	return th.effectsThat("undoers", func(e *Effect) bool {
		return e.Writes() && e.Outcome == ingest.OK && (named || e.CanUndo())
	})
}

func (th *Thread) effectsThat(name string, pass func(*Effect) bool) []*Effect {
	return Once(&th.Facts, name, func() []*Effect {
		var out []*Effect
		for _, e := range th.Effects {
			if pass(e) {
				out = append(out, e)
			}
		}
		return out
	})
}

// mostAsked bounds how many look-ups, and how many undoing writes, of one
// stretch are compared with one write. No real run comes near it.
const mostAsked = 500

// Revealing yields the look-ups between two points that would have told of a
// write, as far as mostAsked reaches.
func (th *Thread) Revealing(w *Effect, after, before int) []*Effect {
	return matching(between(th.LookUps(), after, before), func(x *Effect) bool { return x.Reveals(w) })
}

// Undoing yields the entries between two points that took a write back, as far
// as mostAsked reaches.
func (th *Thread) Undoing(w *Effect, after, before int) []*Effect {
	return matching(between(th.Undoers(), after, before), func(x *Effect) bool { return x.Undoes(w) })
}

// mostFound is how many matches of one stretch are told: one would do for most
// questions.
const mostFound = 50

func matching(list []*Effect, pass func(*Effect) bool) []*Effect {
	var out []*Effect
	for _, x := range list[:min(len(list), mostAsked)] {
		if pass(x) {
			if out = append(out, x); len(out) == mostFound {
				break
			}
		}
	}
	return out
}

// Alike are the entries of the thread with the same intent as w, w among them
// where it is a write, in order.
func (th *Thread) Alike(w *Effect) []*Effect {
	derived := Once(&th.Facts, "intents", func() map[string][]*Effect { return th.byKey((*Effect).intent) })
	if w.Contract == nil {
		return derived[w.intent()]
	}
	return Once(&th.Facts, "alike "+w.Action.Tool+"\x00"+w.intent(), func() []*Effect {
		agreed := Once(&th.Facts, "agreed intents", func() map[string][]*Effect { return th.byKey((*Effect).agreed) })
		list := slices.Concat(agreed[w.agreed()], derived[w.intent()])
		slices.SortFunc(list, func(a, b *Effect) int { return cmp.Compare(a.index, b.index) })
		return slices.DeleteFunc(slices.Compact(list), func(x *Effect) bool { return !w.SameIntent(x) })
	})
}

// After returns the part of a list in order that stands after an entry.
func (e *Effect) After(list []*Effect) []*Effect {
	i, _ := slices.BinarySearchFunc(list, e.index+1, func(x *Effect, k int) int { return cmp.Compare(x.index, k) })
	return list[i:]
}

// BeforeIn returns the part of a list in order that stands before an entry.
func (e *Effect) BeforeIn(list []*Effect) []*Effect {
	i, _ := slices.BinarySearchFunc(list, e.index, func(x *Effect, k int) int { return cmp.Compare(x.index, k) })
	return list[:i]
}

func (th *Thread) byKey(key func(*Effect) string) map[string][]*Effect {
	out := map[string][]*Effect{}
	for _, e := range th.Effects {
		if k := key(e); k != "" {
			out[k] = append(out[k], e)
		}
	}
	return out
}

// intent is a string that is equal for writes that effect.SameIntent joins,
// empty for reads.
func (e *Effect) intent() string {
	if e.Class != effect.ExternalWrite && e.Class != effect.LocalWrite {
		return ""
	}
	return strings.Join([]string{e.Tool, e.Server, string(e.Verb), e.Resource, e.Identity}, "\x00")
}

// agreed is a string that is equal for entries whose contracts can join them.
func (e *Effect) agreed() string {
	if e.Contract == nil {
		return ""
	}
	return plain(lastPart(e.Action.Tool)) + "\x00" + e.Identity
}
