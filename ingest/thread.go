package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Thread is a set of runs that continue each other: resume, fork,
// continuation, the same conversation or session id. Runs stand in the order
// in which they began, which is after what they carry from another run; Subs
// are sub-agents' runs, by their order too.
type Thread struct {
	Root string // id of the first main run
	Runs []*Run
	Subs []*Run
}

// NewThread orders the runs of one thread and marks copied events: a unit with
// a native id that several of them hold belongs to the run whose id it
// carries, else to the one that began first, of those that began together the
// one that ended first, else to the smallest run id: a session that was resumed
// in another file begins with what the earlier file holds. The result does not
// depend on the order of runs. Without runs it is empty.
func NewThread(runs []*Run) Thread {
	if len(runs) == 0 {
		return Thread{}
	}
	runs = slices.Clone(runs)
	start, end := map[*Run]time.Time{}, map[*Run]time.Time{}
	for _, r := range runs {
		start[r], end[r] = r.began(), r.End()
	}
	slices.SortFunc(runs, func(a, b *Run) int {
		return cmp.Or(start[a].Compare(start[b]), cmp.Compare(a.Meta.Part, b.Meta.Part), end[a].Compare(end[b]), cmp.Compare(a.ID, b.ID))
	})
	markCopies(runs)
	main := slices.ContainsFunc(runs, func(r *Run) bool { return r.Meta.Agent == "" })
	t := Thread{}
	for _, r := range runs {
		if main && r.Meta.Agent != "" {
			t.Subs = append(t.Subs, r)
		} else {
			t.Runs = append(t.Runs, r)
		}
	}
	t.Root = t.Runs[0].ID
	return t
}

// Group sorts run ids into threads without loading the runs: runs belong
// together that share a native id (their own, a linked or their parent's) or a
// unit with a native id. Ids are compared within a format only; a trial is a
// thread of its own. Linked lists further pairs of native or run ids that
// belong together, as hand-over records name them. Groups and their members
// come in order of id.
func Group(s Store, runs []string, linked [][2]string) ([][]string, error) {
	runs = slices.Sorted(slices.Values(runs))
	g := grouping{parent: map[string]string{}, by: map[any]string{}, named: map[string]string{}}
	for _, id := range runs {
		manifests, err := s.Manifests(id)
		if err != nil {
			return nil, fmt.Errorf("group run %s: %w", id, err)
		}
		g.parent[id] = id
		for _, m := range manifests {
			g.add(m)
		}
		g.named[id] = id
	}
	for _, pair := range linked {
		if a, b := g.named[pair[0]], g.named[pair[1]]; a != "" && b != "" {
			g.union(a, b)
		}
	}
	var out [][]string
	at := map[string]int{}
	for _, id := range slices.Compact(runs) {
		root := g.find(id)
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], id)
	}
	return out, nil
}

// grouping is a union of run ids by what they have in common.
type grouping struct {
	parent map[string]string
	by     map[any]string
	named  map[string]string // native or run id → run
}

type nameKey struct{ format, name string }

func (g *grouping) add(m *Manifest) {
	if m.Meta.Native != "" && m.Meta.Agent == "" {
		g.named[m.Meta.Native] = m.Run
	}
	if m.Meta.Trial {
		return
	}
	for _, name := range append([]string{m.Meta.Native, m.Meta.Parent}, m.Meta.Links...) {
		if name != "" {
			g.join(nameKey{m.Format, name}, m.Run)
		}
	}
	for _, p := range m.Places {
		if p.ID.Native() {
			g.join(p.ID, m.Run)
		}
	}
}

func (g *grouping) join(key any, run string) {
	other, ok := g.by[key]
	if !ok {
		g.by[key] = run
		return
	}
	g.union(other, run)
}

func (g *grouping) union(a, b string) {
	a, b = g.find(a), g.find(b)
	g.parent[max(a, b)] = min(a, b)
}

func (g *grouping) find(id string) string {
	for g.parent[id] != id {
		g.parent[id] = g.parent[g.parent[id]]
		id = g.parent[id]
	}
	return id
}

// markCopies sets Copied on the events of units that another run owns. Runs
// come in order of start, so the first holder wins ties.
func markCopies(g []*Run) {
	if len(g) < 2 { // a lone run owns all it holds
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
