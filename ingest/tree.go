package ingest

// tree is how the units of a run that is made of spans stand under each other.
// All slices are indexed as Run.units; -1 is none.
type tree struct {
	run    *Run
	told   map[string]int // node → the unit that counts for it
	parent []int
	order  []int // parents first
	up     []int // next unit above that has events

	does   []deed
	names  map[int]string  // the agent that a unit names
	stated map[uint64]bool // what agents were asked for, in a user's words
	agent  []int           // the agent at work, itself included
	scope  []int           // the sub-agent whose conversation it is, -1 for the main one
	by     []bool          // a tool was called between it and its agent
	asked  []bool          // an agent around it states what it was asked for
	around []bool          // a model is called inside
	spent  []bool          // tokens are counted inside, or by a model beside it
}

// deed says what the events of a unit are, as bits.
type deed uint8

const (
	isAgent deed = 1 << iota // it carries an agent's id
	isModel
	isTool
	isAsked // a user's words, but no model call
	hasUsage
	hasEvents
)

// tree reads the places of a run's spans; nil when it has none.
func (r *Run) tree() *tree {
	t := &tree{run: r, told: map[string]int{}}
	for i := range r.units {
		if node := r.units[i].unit.Node; node != "" {
			if j, known := t.told[node]; !known || r.units[j].unit.Open && !r.units[i].unit.Open {
				t.told[node] = i
			}
		}
	}
	if len(t.told) == 0 {
		return nil
	}
	t.link()
	t.deeds()
	t.descend()
	t.ascend()
	return t
}

// link finds each unit's parent and an order in which parents come first. A
// span that stands under itself, however far down, has none.
func (t *tree) link() {
	n := len(t.run.units)
	t.parent = make([]int, n)
	for i := range t.parent {
		t.parent[i] = -1
		u := t.run.units[i].unit
		if j, ok := t.told[u.Under]; ok && u.Under != "" && u.Node != "" {
			t.parent[i] = j
		}
	}
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, n)
	var path []int
	for i := range n {
		path = path[:0]
		for at := i; at >= 0 && state[at] == fresh; at = t.parent[at] {
			state[at] = open
			path = append(path, at)
		}
		if len(path) > 0 {
			if top := path[len(path)-1]; t.parent[top] >= 0 && state[t.parent[top]] == open {
				t.parent[top] = -1
			}
		}
		for k := len(path) - 1; k >= 0; k-- {
			state[path[k]] = done
			t.order = append(t.order, path[k])
		}
	}
}

func (t *tree) deeds() {
	t.does = make([]deed, len(t.run.units))
	t.stated, t.names = map[uint64]bool{}, map[int]string{}
	asks := map[int][]uint64{}
	for i := range t.run.Events {
		e := &t.run.Events[i]
		d := &t.does[e.Unit]
		*d |= hasEvents
		if e.Agent != "" {
			*d |= isAgent
			if t.names[e.Unit] == "" {
				t.names[e.Unit] = e.Agent
			}
		}
		if e.Usage != nil {
			*d |= hasUsage
		}
		switch {
		case e.Kind == ModelCall:
			*d |= isModel
		case e.Kind == ToolCall && e.Actor == Harness:
			*d |= isTool
		case e.Kind == Message && e.Actor == User:
			asks[e.Unit] = append(asks[e.Unit], e.Said)
		}
	}
	for i, said := range asks {
		if t.does[i]&isModel == 0 {
			t.does[i] |= isAsked
			for _, s := range said {
				t.stated[s] = true
			}
		}
	}
}

// descend hands down what a unit has from those above it.
func (t *tree) descend() {
	n := len(t.run.units)
	t.up, t.agent, t.scope = make([]int, n), make([]int, n), make([]int, n)
	t.by, t.asked = make([]bool, n), make([]bool, n)
	leads := t.leaders()
	for _, i := range t.order {
		p := t.parent[i]
		if p < 0 {
			t.up[i], t.agent[i], t.scope[i] = -1, -1, -1
		} else {
			if t.up[i] = p; t.does[p]&hasEvents == 0 {
				t.up[i] = t.up[p]
			}
			t.agent[i], t.scope[i], t.by[i] = t.agent[p], t.scope[p], t.by[p]
			t.asked[i] = t.asked[p] || t.does[p]&isAsked != 0
		}
		switch {
		case t.does[i]&isAgent != 0:
			if t.isSub(i, leads) {
				t.scope[i] = i
			}
			t.agent[i], t.by[i] = i, false
		case t.does[i]&isTool != 0:
			t.by[i] = true
		}
	}
}

// leaders are the agents that call models themselves.
func (t *tree) leaders() []bool {
	leads := make([]bool, len(t.run.units))
	nearest := make([]int, len(t.run.units))
	for _, i := range t.order {
		nearest[i] = -1
		if p := t.parent[i]; p >= 0 {
			nearest[i] = nearest[p]
		}
		if t.does[i]&isAgent != 0 {
			nearest[i] = i
		} else if t.does[i]&isModel != 0 && nearest[i] >= 0 {
			leads[nearest[i]] = true
		}
	}
	return leads
}

// isSub tells a sub-agent from a layer of the same agent: a tool called it, or
// the agent around it has calls of a model of its own.
func (t *tree) isSub(i int, leads []bool) bool {
	outer := t.agent[i]
	return t.by[i] || outer >= 0 && leads[outer] && t.names[i] != t.names[outer]
}

// ascend hands up what a unit has from those below it.
func (t *tree) ascend() {
	n := len(t.run.units)
	t.around, t.spent = make([]bool, n), make([]bool, n)
	asks := map[string]bool{} // nodes with a model directly below whose tokens are counted
	for k := len(t.order) - 1; k >= 0; k-- {
		i := t.order[k]
		if p := t.parent[i]; p >= 0 {
			t.around[p] = t.around[p] || t.around[i] || t.does[i]&isModel != 0
			t.spent[p] = t.spent[p] || t.spent[i] || t.does[i]&hasUsage != 0
		}
		if t.does[i]&isModel != 0 && t.does[i]&hasUsage != 0 {
			asks[t.run.units[i].unit.Under] = true
		}
	}
	for i, l := range t.run.units {
		// Some frameworks put the span of an agent beside those of its steps.
		if l.unit.Under != "" && asks[l.unit.Under] && t.does[i]&isAgent != 0 {
			t.spent[i] = true
		}
	}
}

// place puts an event into the tree. It reports false for one that another span
// tells better.
func (t *tree) place(e *Event) bool {
	i := e.Unit
	node := t.run.units[i].unit.Node
	if node == "" {
		return true
	}
	if t.told[node] != i || e.Kind == ModelCall && t.around[i] {
		return false
	}
	if e.ID = node; t.up[i] >= 0 {
		e.Parent = t.run.units[t.up[i]].unit.Node
	}
	e.Agent = ""
	if s := t.scope[i]; s >= 0 {
		e.Agent = t.names[s]
	}
	if t.spent[i] {
		e.Usage = nil // it sums up what stands below
	}
	if e.Kind == Message && e.Actor == User && t.asked[i] && t.does[i]&isModel != 0 && !t.stated[e.Said] {
		e.Actor = Harness // the agent's request is stated around it; this is made of it
	}
	return true
}
