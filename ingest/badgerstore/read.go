package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/grown"
)

// Receipt returns the receipt of a content's newest reading.
func (s *Store) Receipt(digest string) (*ingest.Receipt, error) {
	key := receiptKey(digest)
	if n := s.newest.of(digest).n; n > 0 {
		key = againKey(digest, n)
	}
	raw, err := s.get(key)
	if err != nil {
		return nil, fmt.Errorf("receipt of %s: %w", digest, err)
	}
	r, err := decodeReceipt(raw)
	return r, wrap(err, "receipt of %s", digest)
}

// Paths lists the paths of a content.
func (s *Store) Paths(digest string) ([]string, error) {
	var paths []string
	for raw, err := range s.scan(prefix(kindPath, digest)) {
		if err != nil {
			return nil, fmt.Errorf("paths of %s: %w", digest, err)
		}
		paths = append(paths, string(raw))
	}
	slices.Sort(paths)
	return paths, nil
}

// Receipts yields one receipt per content, as of the start of the iteration.
func (s *Store) Receipts() iter.Seq2[*ingest.Receipt, error] {
	return decoded(s.scan([]byte{kindReceipt}), "receipts", func(raw []byte) (*ingest.Receipt, error) {
		r, err := decodeReceipt(raw)
		if err == nil && s.newest.of(r.Digest).n > 0 {
			return s.Receipt(r.Digest)
		}
		return r, err
	})
}

// Quarantine returns the quarantined units of a content's newest reading.
func (s *Store) Quarantine(digest string) ([]ingest.Quarantined, error) {
	key := quarantineKey(digest)
	if n := s.newest.of(digest).n; n > 0 {
		key = lostKey(digest, n)
	}
	raw, err := s.get(key)
	if errors.Is(err, ingest.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("quarantine of %s: %w", digest, err)
	}
	units, err := decodeQuarantine(raw)
	return units, wrap(err, "quarantine of %s", digest)
}

// Runs yields the runs that have a manifest which counts.
func (s *Store) Runs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		stopped := false
		err := s.each([]byte{kindRun}, func(item *badger.Item) (bool, error) {
			run := string(item.Key()[1:])
			if counts, err := s.isRun(run); !counts || err != nil {
				return err == nil, err
			}
			stopped = !yield(run, nil)
			return !stopped, nil
		})
		if err != nil && !stopped {
			yield("", fmt.Errorf("runs: %w", err))
		}
	}
}

// Manifests returns the manifests of a run that count.
func (s *Store) Manifests(run string) ([]*ingest.Manifest, error) {
	var out []*ingest.Manifest
	decode := func(raw []byte) (*ingest.Manifest, error) { return decodeManifest(run, raw) }
	for m, err := range decoded(s.scan(prefix(kindManifest, run)), "manifests of run "+run, decode) {
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return s.counting(grown.Unfold(out))
}

// Contents counts the manifests of a run.
func (s *Store) Contents(run string) (n int, err error) {
	err = s.each(prefix(kindManifest, run), func(item *badger.Item) (bool, error) {
		if bytes.HasSuffix(item.Key(), []byte{0, 0}) { // the first chunk
			n++
		}
		return true, nil
	})
	return n, wrap(err, "count contents of run %s", run)
}

// Blocks yields the blocks of a run, as of the start of the iteration.
func (s *Store) Blocks(run string) iter.Seq2[*ingest.Block, error] {
	decode := func(raw []byte) (*ingest.Block, error) { return decodeBlock(run, raw) }
	return decoded(s.scan(prefix(kindBlock, run)), "blocks of run "+run, decode)
}

// Cache returns a cached value.
func (s *Store) Cache(key string) ([]byte, error) {
	raw, err := s.get(cacheKey(key))
	return raw, wrap(err, "cached value %q", key)
}

// decoded turns raw values into what they encode and stops at an error.
func decoded[T any](raws iter.Seq2[[]byte, error], what string, decode func([]byte) (*T, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for raw, err := range raws {
			var v *T
			if err == nil {
				v, err = decode(raw)
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", what, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// get returns a raw value, or ErrNotFound.
func (s *Store) get(key []byte) ([]byte, error) {
	var raw []byte
	err := s.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(chunkKey(key, 0))
		if err != nil {
			return err
		}
		return item.Value(func(first []byte) error {
			if err := readable(first); err != nil {
				return err
			}
			size, err := packedSize(first)
			if err != nil {
				return err
			}
			s.logs.touched(s.dir, size)
			packed, err := rest(txn, key, first, size)
			if err != nil {
				return err
			}
			raw, err = s.pack.unpack(packed)
			return err
		})
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		err = ingest.ErrNotFound
	}
	return raw, err
}

// rest adds the other chunks of a value to its first one.
func rest(txn *badger.Txn, key, first []byte, size int) ([]byte, error) {
	if len(first) == size {
		return first, nil
	}
	packed := append(make([]byte, 0, min(size, 64*chunkSize)), first...)
	for i := 1; len(packed) < size; i++ {
		item, err := txn.Get(chunkKey(key, i))
		if err != nil {
			return nil, err
		}
		if err := item.Value(func(v []byte) error { packed = append(packed, v...); return readable(v) }); err != nil {
			return nil, err
		}
	}
	return packed, nil
}

// each calls visit with every item under a prefix until it returns false.
func (s *Store) each(prefix []byte, visit func(*badger.Item) (bool, error)) error {
	return s.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if more, err := visit(it.Item()); !more || err != nil {
				return err
			}
		}
		return nil
	})
}

// scan yields the raw values under a prefix in key order. The chunks of a
// value follow each other; a value without all of them was never acknowledged
// and is passed over.
func (s *Store) scan(prefix []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		stopped := false
		var parts assembly
		err := s.each(prefix, func(item *badger.Item) (bool, error) {
			var raw []byte
			err := item.Value(func(v []byte) error {
				s.logs.touched(s.dir, len(v))
				packed, err := parts.add(item.Key(), v)
				if packed == nil || err != nil {
					return err
				}
				raw, err = s.pack.unpack(packed)
				return err
			})
			if err != nil || raw == nil {
				return err == nil, err
			}
			stopped = !yield(raw, nil)
			return !stopped, nil
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}
