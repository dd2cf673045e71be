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

	stock   *stock // what the store held before; nil until the first unit
	reading ingest.Reading
	first   firsts                // places of the first occurrences in this file
	more    map[ingest.UnitID]int // occurrences in this file beside the first
	bodies  map[bodyKey]bool      // of those
	muted   map[bodyKey]int       // superseded units and their places
	block   *pending

	put    int    // how many of the places were put, when the state was last put
	base   string // digest of the content that was put then, whose places these still are; else ""
	taken  int    // how many of the places are in the stock
	listed bool   // the stock knows of the state
	closed bool   // there will be no more
}

type bodyKey struct {
	id   ingest.UnitID
	body [8]byte
}

// load learns which units of the run are stored already.
func (st *runState) load(s ingest.Store, r *runs, as ingest.Reading) (err error) {
	if st.stock != nil {
		return nil
	}
	st.reading = as
	st.stock, err = r.of(s, stockKey{st.id, as})
	return err
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
	known = st.stock.bodies[key]
	at, met := st.first.find(st.places, key.id)
	if !met {
		return false, st.stock.given[key.id] == 0, known
	}
	here := st.bodies[key] || st.places[at].Body == key.body
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
	return false, 1+st.more[key.id] > st.stock.given[key.id], known || here
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
		if at < st.put {
			st.base = "" // what was put has it otherwise
		}
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

// close lets go of what only further units need, once the block in hand is stored.
func (st *runState) close() {
	st.closed, st.first, st.bodies, st.muted = true, firsts{}, nil, nil
}
