package ingest

import (
	"cmp"
	"slices"
	"time"
)

// Thread is a set of runs that continue each other: resume, fork,
// continuation, the same conversation or session id. Runs stand in the order
// in which they began; Subs are sub-agents' runs, by their order too.
type Thread struct {
	Root string // id of the first main run
	Runs []*Run
	Subs []*Run
}

// Threads joins runs into threads and marks copied events: a unit with a
// native id that several runs of a thread hold belongs to the run whose id it
// carries, else to the one that began first, else to the smallest run id.
// The result does not depend on the order of runs.
func Threads(runs []*Run) []Thread {
	runs = slices.Clone(runs)
	start := map[*Run]time.Time{}
	for _, r := range runs {
		start[r] = r.Start()
	}
	slices.SortFunc(runs, func(a, b *Run) int {
		return cmp.Or(start[a].Compare(start[b]), cmp.Compare(a.ID, b.ID))
	})
	groups := group(runs)
	threads := make([]Thread, 0, len(groups))
	for _, g := range groups {
		t := Thread{}
		for _, r := range g {
			if r.Meta.Agent != "" && hasMain(g) {
				t.Subs = append(t.Subs, r)
			} else {
				t.Runs = append(t.Runs, r)
			}
		}
		t.Root = t.Runs[0].ID
		markCopies(g)
		threads = append(threads, t)
	}
	slices.SortFunc(threads, func(a, b Thread) int { return cmp.Compare(a.Root, b.Root) })
	return threads
}

func hasMain(g []*Run) bool {
	return slices.ContainsFunc(g, func(r *Run) bool { return r.Meta.Agent == "" })
}

// group joins runs that share a native id (own, linked or parent's) or a unit
// with a native id. Ids are compared within a format only.
func group(runs []*Run) [][]*Run {
	parent := make([]int, len(runs))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	union := func(i, j int) {
		i, j = find(i), find(j)
		parent[max(i, j)] = min(i, j)
	}
	byName := map[string]int{}
	byUnit := map[UnitID]int{}
	for i, r := range runs {
		for _, name := range r.names() {
			key := r.Format + "\x00" + name
			if j, ok := byName[key]; ok {
				union(i, j)
			} else {
				byName[key] = i
			}
		}
		for _, l := range r.units {
			if !l.unit.Native {
				continue
			}
			if j, ok := byUnit[l.unit.ID]; ok {
				union(i, j)
			} else {
				byUnit[l.unit.ID] = i
			}
		}
	}
	var out [][]*Run
	at := map[int]int{}
	for i, r := range runs {
		root := find(i)
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], r)
	}
	return out
}

// names are the native ids that tie a run to its thread. A trial is its own
// thread: its members' session ids may be reused by other trials.
func (r *Run) names() []string {
	if r.Meta.Trial {
		return nil
	}
	var names []string
	for _, n := range append([]string{r.Meta.Native, r.Meta.Parent}, r.Meta.Links...) {
		if n != "" {
			names = append(names, n)
		}
	}
	return names
}

// markCopies sets Copied on the events of units that another run owns. Runs
// come in order of start, so the first holder wins ties.
func markCopies(g []*Run) {
	if len(g) < 2 {
		return
	}
	owner := map[UnitID]*Run{}
	carried := map[UnitID]bool{}
	for _, r := range g {
		for _, l := range r.units {
			if !l.unit.Native {
				continue
			}
			own := l.unit.Carries == ""
			if owner[l.unit.ID] == nil || own && !carried[l.unit.ID] {
				owner[l.unit.ID], carried[l.unit.ID] = r, own
			}
		}
	}
	for _, r := range g {
		for i := range r.Events {
			l := r.units[r.Events[i].Unit]
			if l.unit.Native && owner[l.unit.ID] != r {
				r.Events[i].Copied = true
			}
		}
	}
}
