package regress

import "github.com/faultline-dev/faultline/ingest"

// family tells the parents of the events of runs, by native id.
type family map[*ingest.Run]map[string]string

func (f family) of(r *ingest.Run) map[string]string {
	if parents, ok := f[r]; ok {
		return parents
	}
	parents := map[string]string{}
	for i := range r.Events {
		if e := &r.Events[i]; e.ID != "" && (parents[e.ID] == "" || e.Parent != "") {
			parents[e.ID] = e.Parent
		}
	}
	f[r] = parents
	return parents
}

// parents says where an event of a part hangs: under the nearest of those
// above it that are in the part too, so that what is left out leaves no gap.
func (f family) parents(p part) func(id string) string {
	if len(p.events) == len(p.run.Events) {
		return func(id string) string { return id }
	}
	above, settled := f.of(p.run), map[string]string{}
	for _, i := range p.events {
		settled[p.run.Events[i].ID] = p.run.Events[i].ID
	}
	return func(id string) string {
		var passed []string
		to := id
		for to != "" {
			if known, ok := settled[to]; ok {
				to = known
				break
			}
			settled[to] = "" // a circle leads nowhere
			passed = append(passed, to)
			next, ours := above[to]
			if !ours {
				break // the source names what it does not hold
			}
			to = next
		}
		for _, id := range passed {
			settled[id] = to
		}
		return to
	}
}
