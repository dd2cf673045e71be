package decode

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// runs remembers from file to file what a store holds of runs, so that a run
// which is spread over many files need not be read again for each.
type runs struct {
	stocks map[stockKey]*stock
	units  int // in all stocks, about
	turn   int // counts uses
	open   int // counts how often the store was opened
}

type stockKey struct {
	run     string
	reading ingest.Reading
}

// stock is what a store holds of one run.
type stock struct {
	given    map[ingest.UnitID]int // occurrences of a unit in one content, the most
	bodies   map[bodyKey]bool      // stored as the stock's reading makes them
	added    []*runState           // put since, and not yet all among the above
	units    int                   // of given and added
	contents int                   // of the store, which were counted
	last     string                // digest of one of them, "" where there is none
	open     int                   // when that was found so
	used     int                   // when it was last asked for
	shared   bool                  // several contents were asked about it
}

// maxStock bounds the units that are remembered: of about 100 bytes each.
const maxStock = 1 << 17

// stockHead is what a stock takes beside its units, as so many of them.
const stockHead = 8

// of returns what the store holds of a run.
func (r *runs) of(s ingest.Store, key stockKey) (*stock, error) {
	r.turn++
	st, ok := r.stocks[key]
	if ok {
		same, err := r.holds(s, key.run, st)
		if err != nil {
			return nil, err
		}
		if same {
			st.used, st.shared = r.turn, true
			st.take()
			return st, nil
		}
		r.forget(key)
	}
	st, err := readStock(s, key)
	if err != nil {
		return nil, err
	}
	st.open, st.used = r.open, r.turn
	r.keep(key, st)
	return st, nil
}

// holds reports that a stock is still what the store has.
func (r *runs) holds(s ingest.Store, run string, st *stock) (bool, error) {
	if st.open == r.open {
		return true, nil
	}
	n, err := s.Contents(run)
	if err != nil {
		return false, fmt.Errorf("count contents of run %s: %w", run, err)
	}
	if n != st.contents {
		return false, nil
	}
	if st.last != "" { // the store may have been made anew
		if _, err := s.Receipt(st.last); errors.Is(err, ingest.ErrNotFound) {
			return false, nil
		} else if err != nil {
			return false, fmt.Errorf("look up receipt of a content of run %s: %w", run, err)
		}
	}
	st.open = r.open
	return true, nil
}

func (r *runs) keep(key stockKey, st *stock) {
	if r.stocks == nil {
		r.stocks = map[stockKey]*stock{}
	}
	r.stocks[key] = st
	r.units += st.units
}

func (r *runs) forget(key stockKey) {
	r.units -= r.stocks[key].units
	delete(r.stocks, key)
}

// put notes that a file's manifest of the run was put.
func (r *runs) put(st *runState, digest string) {
	s := st.stock
	s.contents++
	s.last = digest
	if !st.listed {
		s.added, st.listed = append(s.added, st), true
	}
	more := len(st.places) - st.put
	s.units += more
	if r.stocks[stockKey{st.id, st.reading}] != s {
		return
	}
	r.units += more
	if r.units > maxStock {
		r.trim()
	}
}

// trim forgets the half that was used least recently, but not a run in hand that
// several files share, however large: to read that again for each of them would
// cost the square of it.
func (r *runs) trim() {
	keys := slices.SortedFunc(maps.Keys(r.stocks), func(a, b stockKey) int { return cmp.Compare(r.stocks[a].used, r.stocks[b].used) })
	for i, key := range keys {
		if r.units <= maxStock/2 || i == len(keys)-1 && r.stocks[key].shared {
			return
		}
		r.forget(key)
	}
}

// readStock reads which units of a run are stored. Of most runs none are: a file
// may hold a hundred thousand of these, so that such a stock has no maps.
func readStock(s ingest.Store, key stockKey) (st *stock, err error) {
	st = &stock{units: stockHead}
	if st.contents, err = s.Contents(key.run); err != nil {
		return nil, fmt.Errorf("count contents of run %s: %w", key.run, err)
	}
	if st.contents == 0 {
		return st, nil
	}
	manifests, err := s.Manifests(key.run)
	if err != nil {
		return nil, fmt.Errorf("read manifests of run %s: %w", key.run, err)
	}
	st.makeMaps()
	for _, m := range manifests {
		st.last = m.Digest
		n := map[ingest.UnitID]int{}
		for _, p := range m.Places {
			n[p.ID]++
			st.given[p.ID] = max(st.given[p.ID], n[p.ID])
			if m.Reading() == key.reading {
				st.bodies[bodyKey{p.ID, p.Body}] = true
			}
		}
	}
	st.units += len(st.given)
	return st, nil
}

func (s *stock) makeMaps() {
	if s.given == nil {
		s.given, s.bodies = map[ingest.UnitID]int{}, map[bodyKey]bool{}
	}
}

// take counts in what was put since.
func (s *stock) take() {
	for _, st := range s.added {
		s.makeMaps()
		for _, p := range st.places[st.taken:] {
			s.given[p.ID] = max(s.given[p.ID], 1+st.more[p.ID])
			s.bodies[bodyKey{p.ID, p.Body}] = true
		}
		st.taken = len(st.places)
	}
	s.added = slices.DeleteFunc(s.added, func(st *runState) bool { return st.closed })
}

// goesOn reports that what a state knows of its run is what the store has.
func (r *runs) goesOn(s ingest.Store, st *runState) (bool, error) {
	key := stockKey{st.id, st.reading}
	now, ok := r.stocks[key]
	if ok && now != st.stock {
		return false, nil
	}
	same, err := r.holds(s, st.id, st.stock)
	if same && !ok {
		r.keep(key, st.stock)
	}
	return same, err
}
