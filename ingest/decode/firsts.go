package decode

import (
	"encoding/binary"

	"github.com/faultline-dev/faultline/ingest"
)

// firsts finds the first of the places that hold a unit. Places say themselves
// what they hold, so that all it keeps are their numbers: a few bytes a unit.
type firsts struct {
	slots []int32 // number of a place from 1, 0 for none
	n     int     // slots taken
}

// few is up to how many places are looked through one by one.
const few = 8

// find returns the first place of the unit. Of a unit that has none the next
// place will be the first.
func (f *firsts) find(places []ingest.Place, id ingest.UnitID) (at int, met bool) {
	if f.slots == nil && len(places) < few {
		for i := range places {
			if places[i].ID == id {
				return i, true
			}
		}
		return 0, false
	}
	if 4*(f.n+1) > 3*len(f.slots) {
		f.grow(places)
	}
	slot := f.slot(places, id)
	if n := f.slots[slot]; n != 0 {
		return int(n) - 1, true
	}
	f.slots[slot] = int32(len(places)) + 1
	f.n++
	return 0, false
}

// slot is where the unit's place is noted, or will be.
func (f *firsts) slot(places []ingest.Place, id ingest.UnitID) int {
	mask := len(f.slots) - 1
	for i := int(binary.LittleEndian.Uint64(id[:])) & mask; ; i = (i + 1) & mask {
		if n := f.slots[i]; n == 0 || places[n-1].ID == id {
			return i
		}
	}
}

// grow makes room for twice as many and notes all places again.
func (f *firsts) grow(places []ingest.Place) {
	f.slots, f.n = make([]int32, max(4*few, 2*len(f.slots))), 0
	for i := range places {
		if slot := f.slot(places, places[i].ID); f.slots[slot] == 0 {
			f.slots[slot] = int32(i) + 1
			f.n++
		}
	}
}
