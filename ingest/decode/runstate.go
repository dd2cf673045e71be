package decode

import (
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
)

// runState is what a Writer knows of one run of its file.
type runState struct {
	id     string
	role   int // added to the file's own
	meta   ingest.Meta
	grade  ingest.Evidence
	places []ingest.Place

	loaded  bool
	reading ingest.Reading
	have    map[ingest.UnitID]int // occurrences that other contents gave, or another reading of this one
	first   firsts                // places of the first occurrences in this file
	more    map[ingest.UnitID]int // occurrences in this file beside the first
	bodies  map[bodyKey]bool      // stored as this reading makes them, but for those of first places; true when it occurred in this file
	muted   map[bodyKey]int       // superseded units and their places
	block   *pending
}

type bodyKey struct {
	id   ingest.UnitID
	body [8]byte
}

// load reads which units of the run are stored already.
func (st *runState) load(s ingest.Store, as ingest.Reading) error {
	if st.loaded {
		return nil
	}
	st.loaded, st.reading = true, as
	manifests, err := s.Manifests(st.id)
	if err != nil {
		return fmt.Errorf("read manifests of run %s: %w", st.id, err)
	}
	if len(manifests) > 0 {
		st.have, st.bodies = map[ingest.UnitID]int{}, map[bodyKey]bool{}
	}
	for _, m := range manifests {
		n := map[ingest.UnitID]int{}
		for _, p := range m.Places {
			n[p.ID]++
			st.have[p.ID] = max(st.have[p.ID], n[p.ID])
			if m.Reading() == as {
				st.bodies[bodyKey{p.ID, p.Body}] = false
			}
		}
	}
	return nil
}

// see accounts for one occurrence of a unit, whose place is added next unless it
// is there again. Again: the file holds the same native unit a second time,
// which is one unit. Fresh: no other content of the run gave this occurrence.
// Known: its body is stored already.
//
// Nearly all units occur once, in one body: their place says it all. A session
// of hundreds of thousands of units is in memory as a whole here. A file may
// also hold as many runs, so that a run of few units has no map.
func (st *runState) see(key bodyKey, native bool) (again, fresh, known bool) {
	here, known := st.bodies[key]
	at, met := st.first.find(st.places, key.id)
	if !met {
		return false, st.have[key.id] == 0, known
	}
	if st.places[at].Body == key.body {
		here, known = true, true
	}
	if native && here {
		return true, false, true
	}
	if st.more == nil {
		st.more = map[ingest.UnitID]int{}
	}
	if st.bodies == nil {
		st.bodies = map[bodyKey]bool{}
	}
	st.more[key.id]++
	st.bodies[key] = true
	return false, 1+st.more[key.id] > st.have[key.id], known
}

// done lets go of what only counting units needs: what is left is to be written.
func (st *runState) done() {
	st.have, st.bodies, st.more, st.muted, st.first = nil, nil, nil, nil, firsts{}
}

// mute remembers that the place to be added is superseded.
func (st *runState) mute(key bodyKey) {
	if st.muted == nil {
		st.muted = map[bodyKey]int{}
	}
	st.muted[key] = len(st.places)
}

// revive lets a superseded unit count after all: the file holds it again where
// nothing supersedes it.
func (st *runState) revive(key bodyKey, events int) {
	if at, ok := st.muted[key]; ok && events > 0 {
		st.places[at].Events = events
		delete(st.muted, key)
	}
}

// add puts a unit's body into the block in hand.
func (st *runState) add(s ingest.Store, m *Memory, u *Unit, key bodyKey) error {
	if st.block == nil {
		st.block = m.block()
	}
	st.block.add(u, key)
	if !st.block.full() {
		return nil
	}
	return st.flush(s, m)
}

// flush stores the block in hand and gives its memory back.
func (st *runState) flush(s ingest.Store, m *Memory) error {
	if st.block == nil {
		return nil
	}
	if err := s.PutBlock(&ingest.Block{Run: st.id, Reading: st.reading, Units: st.block.units}); err != nil {
		return fmt.Errorf("store units of run %s: %w", st.id, err)
	}
	st.block.reset()
	m.blocks, st.block = append(m.blocks, st.block), nil
	return nil
}
