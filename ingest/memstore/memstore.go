package memstore

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/grown"
)

// Store is an ingest.Store in memory. New makes one.
type Store struct {
	mu        sync.RWMutex
	blocks    map[string]map[string]*ingest.Block
	manifests map[string][]*ingest.Manifest // per run, in key order
	receipts  map[string]*entry
	cache     map[string][]byte
	seen      map[string]string
}

// entry is what is known about one file content, by its newest reading.
type entry struct {
	receipt    *ingest.Receipt
	quarantine []ingest.Quarantined
	again      bool     // there was another reading before
	paths      []string // sorted
}

var _ ingest.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{
		blocks:    map[string]map[string]*ingest.Block{},
		manifests: map[string][]*ingest.Manifest{},
		receipts:  map[string]*entry{},
		cache:     map[string][]byte{},
		seen:      map[string]string{},
	}
}

// PutBlock keeps a copy of b unless a block of the same units is there.
func (s *Store) PutBlock(b *ingest.Block) error {
	key := blockKey(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocks[b.Run] == nil {
		s.blocks[b.Run] = map[string]*ingest.Block{}
	}
	if s.blocks[b.Run][key] == nil {
		s.blocks[b.Run][key] = cloneBlock(b)
	}
	return nil
}

// PutManifest keeps a copy of m unless one of the same content, role and
// reading is there.
func (s *Store) PutManifest(m *ingest.Manifest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, found := slices.BinarySearchFunc(s.manifests[m.Run], m, compareManifests)
	if !found {
		s.manifests[m.Run] = slices.Insert(s.manifests[m.Run], i, s.behind(m))
	}
	return nil
}

// behind clones a manifest without the places that are kept already.
func (s *Store) behind(m *ingest.Manifest) *ingest.Manifest {
	out := *m
	if out.Kept > 0 {
		base := out
		base.Digest = m.Grown[len(m.Grown)-1]
		if _, found := slices.BinarySearchFunc(s.manifests[m.Run], &base, compareManifests); !found {
			out.Kept = 0
		}
	}
	out.Places = out.Places[out.Kept:]
	return cloneManifest(&out)
}

// PutReceipt keeps the first receipt of a content's newest reading with its
// quarantined units, and every path.
func (s *Store) PutReceipt(r *ingest.Receipt, q []ingest.Quarantined) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.receipts[r.Digest]
	switch {
	case e == nil:
		e = &entry{receipt: cloneReceipt(r), quarantine: cloneQuarantine(q)}
		s.receipts[r.Digest] = e
	case e.receipt.Reading() != r.Reading():
		e.receipt, e.quarantine, e.again = cloneReceipt(r), cloneQuarantine(q), true
	}
	if i, found := slices.BinarySearch(e.paths, r.Source); !found {
		e.paths = slices.Insert(e.paths, i, r.Source)
	}
	return nil
}

// PutCache keeps a copy of value.
func (s *Store) PutCache(key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache[key] = bytes.Clone(value)
	return nil
}

// Sync does nothing: memory is as durable as this store gets.
func (s *Store) Sync() error { return nil }

// Close does nothing.
func (s *Store) Close() error { return nil }

// Receipt returns the receipt of a content's newest reading.
func (s *Store) Receipt(digest string) (*ingest.Receipt, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e := s.receipts[digest]
	if e == nil {
		return nil, fmt.Errorf("receipt of %s: %w", digest, ingest.ErrNotFound)
	}
	return cloneReceipt(e.receipt), nil
}

// Paths lists the paths of a content.
func (s *Store) Paths(digest string) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e := s.receipts[digest]; e != nil {
		return slices.Clone(e.paths), nil
	}
	return nil, nil
}

// Receipts yields the receipts that were there when the iteration began.
func (s *Store) Receipts() iter.Seq2[*ingest.Receipt, error] {
	return func(yield func(*ingest.Receipt, error) bool) {
		for _, digest := range s.sortedDigests() {
			r, err := s.Receipt(digest)
			if !yield(r, err) {
				return
			}
		}
	}
}

func (s *Store) sortedDigests() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.receipts))
}

// Quarantine returns the quarantined units of a content's newest reading.
func (s *Store) Quarantine(digest string) ([]ingest.Quarantined, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e := s.receipts[digest]; e != nil {
		return cloneQuarantine(e.quarantine), nil
	}
	return nil, nil
}

// Runs yields the runs that were there when the iteration began.
func (s *Store) Runs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, run := range s.sortedRuns() {
			if !yield(run, nil) {
				return
			}
		}
	}
}

func (s *Store) sortedRuns() (runs []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for run, ms := range s.manifests {
		if slices.ContainsFunc(ms, s.counts) {
			runs = append(runs, run)
		}
	}
	slices.Sort(runs)
	return runs
}

// Manifests returns the manifests of a run that count, by digest and role.
func (s *Store) Manifests(run string) ([]*ingest.Manifest, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]*ingest.Manifest, 0, len(s.manifests[run]))
	for _, m := range s.manifests[run] {
		all = append(all, cloneManifest(m))
	}
	return slices.DeleteFunc(grown.Unfold(all), func(m *ingest.Manifest) bool { return !s.counts(m) }), nil
}

// Contents counts the manifests of a run.
func (s *Store) Contents(run string) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.manifests[run]), nil
}

// counts reports that the manifest is of its content's newest reading.
func (s *Store) counts(m *ingest.Manifest) bool {
	e := s.receipts[m.Digest]
	if e != nil && !e.again { // a reading may be under way, whose receipt comes last
		other := func(o *ingest.Manifest) bool { return o.Digest == m.Digest && o.Reading() != m.Reading() }
		return m.Reading() == e.receipt.Reading() || !slices.ContainsFunc(s.manifests[m.Run], other)
	}
	return e == nil || m.Reading() == e.receipt.Reading()
}

// Blocks yields the blocks that were there when the iteration began.
func (s *Store) Blocks(run string) iter.Seq2[*ingest.Block, error] {
	return func(yield func(*ingest.Block, error) bool) {
		for _, b := range s.sortedBlocks(run) {
			if !yield(cloneBlock(b), nil) {
				return
			}
		}
	}
}

func (s *Store) sortedBlocks(run string) []*ingest.Block {
	s.mu.RLock()
	defer s.mu.RUnlock()
	blocks := make([]*ingest.Block, 0, len(s.blocks[run]))
	for _, key := range slices.Sorted(maps.Keys(s.blocks[run])) {
		blocks = append(blocks, s.blocks[run][key])
	}
	return blocks
}

// Cache returns a copy of a cached value.
func (s *Store) Cache(key string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	value, found := s.cache[key]
	if !found {
		return nil, fmt.Errorf("cached value %q: %w", key, ingest.ErrNotFound)
	}
	return bytes.Clone(value), nil
}

func compareManifests(a, b *ingest.Manifest) int {
	return cmp.Or(cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.Role, b.Role),
		cmp.Compare(a.Version, b.Version), cmp.Compare(a.Format, b.Format))
}

// blockKey names a block by its reading and the ids and bodies in it, which are
// of fixed width.
func blockKey(b *ingest.Block) string {
	var key []byte
	for i := range b.Units {
		key = append(key, b.Units[i].ID[:]...)
		key = append(key, b.Units[i].Body[:]...)
	}
	return fmt.Sprintf("%s%d/%s", key, b.Reading.Version, b.Reading.Format)
}
