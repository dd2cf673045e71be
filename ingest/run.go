package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Meta is what a source says about its run as a whole. The first source that
// states a field wins.
type Meta struct {
	Native  string   `json:"native,omitzero"`  // session, conversation, trial id
	Agent   string   `json:"agent,omitzero"`   // sub-agent id; empty for a main run
	Parent  string   `json:"parent,omitzero"`  // native id of the run that started it
	Links   []string `json:"links,omitempty"`  // native ids of other runs of its thread
	Cwd     string   `json:"cwd,omitzero"`     // working directory
	Branch  string   `json:"branch,omitzero"`  // version control branch
	Model   string   `json:"model,omitzero"`   // model that answered first
	Harness string   `json:"harness,omitzero"` // name of the harness
	Version string   `json:"version,omitzero"` // of the harness
	Task    string   `json:"task,omitzero"`    // task or benchmark item id
	Trial   bool     `json:"trial,omitzero"`   // an independent grader was to judge it
	Part    int      `json:"part,omitzero"`    // number of the continuation that the source calls this, 0 for the first
	Format  string   `json:"format,omitzero"`  // of the source that an export was made from; empty for a source itself
	Timed   bool     `json:"timed,omitzero"`   // events took place in the order of their times, not of their places

	// Updated is when the source says that its session was last changed. Where
	// the units of a session change their state, the later content wins.
	Updated time.Time `json:"updated,omitzero"`
}

// Merge fills the empty fields of m from n and joins the links.
func (m Meta) Merge(n Meta) Meta {
	m.Native = cmp.Or(m.Native, n.Native)
	m.Agent = cmp.Or(m.Agent, n.Agent)
	m.Parent = cmp.Or(m.Parent, n.Parent)
	m.Cwd = cmp.Or(m.Cwd, n.Cwd)
	m.Branch = cmp.Or(m.Branch, n.Branch)
	m.Model = cmp.Or(m.Model, n.Model)
	m.Harness = cmp.Or(m.Harness, n.Harness)
	m.Version = cmp.Or(m.Version, n.Version)
	m.Task = cmp.Or(m.Task, n.Task)
	m.Trial = m.Trial || n.Trial
	m.Timed = m.Timed || n.Timed
	if n.Updated.After(m.Updated) {
		m.Updated = n.Updated
	}
	m.Part = cmp.Or(m.Part, n.Part)
	m.Format = cmp.Or(m.Format, n.Format)
	links := append(slices.Clone(m.Links), n.Links...)
	slices.Sort(links)
	m.Links = slices.Compact(links)
	return m
}

// Source is one file content of a loaded run.
type Source struct {
	ID     string
	Digest string
	Format string
	Role   int
	Paths  []string // sorted; the first is printed
}

// Run is one recorded agent execution, put together from the store. It is
// read-only once loaded.
type Run struct {
	ID      string
	Format  string // of its main file, or of the one that its export was made from
	Meta    Meta
	Grade   Evidence // of all its sources together
	Sources []Source
	Events  []Event // main file first, each source in file order
	units   []loaded
	packed  *packed // data of most units of a large run, else nil
}

type loaded struct {
	unit  body
	place Place
	src   int
	also  []int // other sources that hold the unit
}

// Load puts a run together. Paths, when not nil, says under which paths this
// call met a content; otherwise the store's paths are shown.
func Load(s Store, id string, paths func(digest string) []string) (*Run, error) {
	return LoadOnly(s, id, paths, func(*Manifest) bool { return true })
}

// LoadOnly is Load restricted to the sources that keep accepts.
func LoadOnly(s Store, id string, paths func(digest string) []string, keep func(*Manifest) bool) (*Run, error) {
	return load(s, id, paths, keep, packAbove)
}

func load(s Store, id string, paths func(digest string) []string, keep func(*Manifest) bool, packAbove int) (*Run, error) {
	manifests, err := s.Manifests(id)
	if err != nil {
		return nil, fmt.Errorf("load run %s: %w", id, err)
	}
	manifests = slices.DeleteFunc(manifests, func(m *Manifest) bool { return !keep(m) })
	if len(manifests) == 0 {
		return nil, fmt.Errorf("load run %s: %w", id, ErrNotFound)
	}
	behind := behindNewest(manifests)
	slices.SortFunc(manifests, func(a, b *Manifest) int {
		return cmp.Or(newerFirst(a.Meta, b.Meta), a.Role-b.Role, behind(a)-behind(b), len(b.Places)-len(a.Places), cmp.Compare(a.Digest, b.Digest))
	})
	all := bodies{units: map[bodyKey]body{}, readings: readings{Reading{}: 0}, events: roomFor(manifests[0])}
	for _, m := range manifests {
		all.readings.add(m.Reading())
	}
	for block, err := range s.Blocks(id) {
		if err != nil {
			return nil, fmt.Errorf("load run %s: %w", id, err)
		}
		if err := all.add(block, packAbove); err != nil {
			return nil, fmt.Errorf("load run %s: %w", id, err)
		}
	}
	if all.packed != nil {
		all.packed.enc = nil // all is packed
	}
	r := &Run{ID: id, Format: manifests[0].Format, packed: all.packed, units: make([]loaded, 0, len(manifests[0].Places))}
	given, fullest := map[UnitID][]int{}, fullest(manifests, behind)
	order := make([]int32, 0, len(all.events))
	for _, m := range manifests {
		shown, err := shownPaths(s, m.Digest, paths)
		if err != nil {
			return nil, fmt.Errorf("load run %s: %w", id, err)
		}
		r.Meta = r.Meta.Merge(m.Meta)
		r.Grade |= m.Grade
		r.Sources = append(r.Sources, Source{ID: m.Source, Digest: m.Digest, Format: m.Format, Role: m.Role, Paths: shown})
		if order, err = r.take(m, &all, given, fullest, order); err != nil {
			return nil, err
		}
	}
	r.Events = arrange(all.events, order)
	r.Format = cmp.Or(r.Meta.Format, r.Format)
	r.order()
	return r, nil
}

// newerFirst compares two contents of a session by when they say that it was
// last changed. The members of a trial are not states of one thing.
func newerFirst(a, b Meta) int {
	if a.Trial || b.Trial {
		return 0
	}
	return b.Updated.Compare(a.Updated)
}

// roomFor is room for what the first source brings, mostly all there is.
func roomFor(m *Manifest) []Event {
	events := 0
	for _, p := range m.Places {
		events += p.Events
	}
	return make([]Event, 0, events)
}

// order puts sources of one role in the order in which they began, so that a
// continuation follows what it continues. Undated sources keep their place.
func (r *Run) order() {
	if r.Meta.Timed {
		r.orderByTime()
		return
	}
	if len(r.Sources) < 2 {
		return
	}
	start := make([]time.Time, len(r.Sources))
	for i := range r.Events {
		e := &r.Events[i]
		if s := start[e.Source]; !e.At.IsZero() && (s.IsZero() || e.At.Before(s)) {
			start[e.Source] = e.At
		}
	}
	slices.SortStableFunc(r.Events, func(a, b Event) int {
		if a.Source == b.Source {
			return 0
		}
		sa, sb := start[a.Source], start[b.Source]
		byTime := 0
		if !sa.IsZero() && !sb.IsZero() {
			byTime = sa.Compare(sb)
		}
		return cmp.Or(r.Sources[a.Source].Role-r.Sources[b.Source].Role, byTime, a.Source-b.Source)
	})
}

func shownPaths(s Store, digest string, paths func(string) []string) ([]string, error) {
	if paths != nil {
		if shown := paths(digest); len(shown) > 0 {
			return shown, nil
		}
	}
	return s.Paths(digest)
}

// behindNewest tells how many versions a manifest's decoder is behind the newest
// one that read a source of the run in that format.
func behindNewest(manifests []*Manifest) func(*Manifest) int {
	newest := map[string]int{}
	for _, m := range manifests {
		newest[m.Format] = max(newest[m.Format], m.Version)
	}
	return func(m *Manifest) int { return newest[m.Format] - m.Version }
}

// fullest finds how many events the fullest version of a unit has, for the units
// of a timed run whose sources do not say which of them is newer: a span that
// was still open when it was written first is written again when it ends.
func fullest(manifests []*Manifest, behind func(*Manifest) int) map[UnitID]int {
	timed := slices.ContainsFunc(manifests, func(m *Manifest) bool { return m.Meta.Timed })
	dated := slices.ContainsFunc(manifests, func(m *Manifest) bool { return !m.Meta.Updated.IsZero() })
	if !timed || dated || len(manifests) < 2 {
		return nil
	}
	events := map[UnitID]int{}
	for _, m := range manifests {
		for _, p := range m.Places {
			if p.ID.Native() && p.Events > events[p.ID] && behind(m) == 0 {
				events[p.ID] = p.Events
			}
		}
	}
	return events
}

// take appends the units of one manifest that no earlier one gave, and to order
// where their events lie: the k-th occurrence of an id is new unless k
// occurrences were given before. Given maps an id to the units of its
// occurrences.
func (r *Run) take(m *Manifest, all *bodies, given map[UnitID][]int, fullest map[UnitID]int, order []int32) ([]int32, error) {
	here := map[UnitID]int{}
	reading := all.readings[m.Reading()]
	src, seq := len(r.Sources)-1, 0
	for _, p := range m.Places {
		if p.Events < fullest[p.ID] {
			seq += p.Events
			continue // a later source tells more of it
		}
		k := here[p.ID]
		here[p.ID]++
		u := all.find(&p, reading)
		if k < len(given[p.ID]) && !r.retold(given[p.ID], u) {
			l := &r.units[given[p.ID][k]]
			l.also = append(l.also, src)
			seq += p.Events
			continue
		}
		if u.Unit == nil {
			return nil, fmt.Errorf("load run %s: unit at %s:%d: %w", r.ID, m.Digest, p.Line, ErrNotFound)
		}
		given[p.ID] = append(given[p.ID], len(r.units))
		r.units = append(r.units, loaded{unit: u, place: p, src: src})
		events, first := all.take(u, p.Events) // none of a superseded unit
		for i := range events {
			e := &events[i]
			seq++
			e.Source, e.Seq, e.Unit = src, seq, len(r.units)-1
			if e.Agent == r.Meta.Agent {
				e.Agent = "" // in its own file a sub-agent is the main one
			}
			order = append(order, int32(first+i))
		}
	}
	return order, nil
}

// retold reports that a span is told of in other words than before. Which of
// them count is decided once all are there.
func (r *Run) retold(given []int, u body) bool {
	return u.Unit != nil && u.Node != "" && !slices.ContainsFunc(given, func(i int) bool { return r.units[i].unit.Body == u.Body })
}

// Files lists every path under which the event's unit was met.
func (r *Run) Files(e *Event) []string {
	l := r.units[e.Unit]
	paths := slices.Clone(r.Sources[l.src].Paths)
	for _, src := range l.also {
		paths = append(paths, r.Sources[src].Paths...)
	}
	return paths
}

// Ref returns the address of an event of the run.
func (r *Run) Ref(e *Event) Ref {
	u, s := r.units[e.Unit], r.Sources[e.Source]
	ref := Ref{Run: r.ID, Source: s.ID, Seq: e.Seq, Member: u.place.Member,
		Line: u.place.Line, Offset: u.place.Offset, Length: u.place.Length}
	if len(s.Paths) > 0 {
		ref.File = s.Paths[0]
	}
	return ref
}

// File is the run's main file.
func (r *Run) File() string {
	if len(r.Sources) == 0 || len(r.Sources[0].Paths) == 0 {
		return ""
	}
	return r.Sources[0].Paths[0]
}

// Start is the time of the run's first dated event, End that of its last;
// zero when it has none. Order in a file is by position, so both are the
// extremes, not the first and last lines.
func (r *Run) Start() time.Time {
	var first time.Time
	for i := range r.Events {
		if at := r.Events[i].At; !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// began is the time of the first event that the run does not carry from
// another one: history that a fork or a resumed session repeats may keep its
// time. A run that carries all it has began when that did.
func (r *Run) began() time.Time {
	var first time.Time
	for i := range r.Events {
		e := &r.Events[i]
		if r.units[e.Unit].unit.Carries == "" && !e.At.IsZero() && (first.IsZero() || e.At.Before(first)) {
			first = e.At
		}
	}
	if first.IsZero() {
		return r.Start()
	}
	return first
}

// End is the latest time of any event; see Start.
func (r *Run) End() time.Time {
	var last time.Time
	for i := range r.Events {
		if at := r.Events[i].At; at.After(last) {
			last = at
		}
	}
	return last
}
