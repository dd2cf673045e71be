package badgerstore

import (
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/faultline-dev/faultline/ingest"
)

// entry is one key and value as Badger gets it.
type entry struct{ key, value []byte }

// chunksPerCommit keeps a transaction below Badger's limit of 15 % of a table
// in memory.
const chunksPerCommit = 2

// PutBlock keeps b unless a block of the same units is there.
func (s *Store) PutBlock(b *ingest.Block) error {
	err := checkParts(b.Run, b.Reading.Format)
	if err == nil {
		err = s.put(blockKey(b), func(w *writer, dst []byte) []byte { return w.block(dst, b) })
	}
	return wrap(err, "put block of run %s", b.Run)
}

// PutManifest keeps m unless one of the same run, content, role and reading is
// there.
func (s *Store) PutManifest(m *ingest.Manifest) error {
	err := checkParts(m.Run, m.Digest, m.Format)
	behind := false
	if err == nil && m.Kept > 0 {
		base := *m
		base.Digest = m.Grown[len(m.Grown)-1]
		behind, err = s.has(manifestKey(&base))
	}
	if err == nil {
		err = s.put(manifestKey(m), func(w *writer, dst []byte) []byte { return w.manifest(dst, m, behind) }, entry{key: runKey(m.Run)})
	}
	return wrap(err, "put manifest of run %s", m.Run)
}

// PutReceipt keeps the first receipt of a reading with its quarantined units,
// and every path.
func (s *Store) PutReceipt(r *ingest.Receipt, q []ingest.Quarantined) error {
	err := checkParts(r.Digest, r.Format)
	if err == nil {
		err = s.put(pathKey(r.Digest, r.Source), func(_ *writer, dst []byte) []byte { return append(dst, r.Source...) })
	}
	if err == nil {
		err = s.account(r, q)
	}
	return wrap(err, "put receipt of %s", r.Source)
}

// PutCache keeps a value unless there is one.
func (s *Store) PutCache(key string, value []byte) error {
	err := s.put(cacheKey(key), func(_ *writer, dst []byte) []byte { return append(dst, value...) })
	return wrap(err, "put cached value %q", key)
}

func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// put stores an encoded value under key, and also what belongs to it in the
// same commit, unless the key is there. Encoding and compression run beside
// other writers.
func (s *Store) put(key []byte, encode func(w *writer, dst []byte) []byte, also ...entry) error {
	if s.readOnly {
		return ingest.ErrReadOnly
	}
	if found, err := s.has(key); found || err != nil {
		return err
	}
	buf := s.take()
	defer s.give(buf)
	buf.raw = encode(&buf.w, buf.raw[:0])
	packed, err := s.pack.pack(buf.packed[:0], buf.raw)
	if err != nil {
		return err
	}
	buf.packed = packed
	s.writing.Lock()
	defer s.writing.Unlock()
	if found, err := s.has(key); found || err != nil {
		return err
	}
	if err := s.makeRoom(key, packed, also); err != nil {
		return err
	}
	s.logs.touched(s.dir, len(packed))
	return s.commitChunks(key, packed, also)
}

// perEntry is what an entry takes in a log or table beside key and value, at
// most.
const perEntry = 64

// makeRoom makes sure that there is room for a value.
func (s *Store) makeRoom(key, packed []byte, also []entry) error {
	chunks := int64(1 + len(packed)/chunkSize)
	values, tables := int64(0), (chunks+1)*int64(len(key)+perEntry)
	if len(packed) > inTables {
		values = int64(len(packed)) + chunks*int64(len(key)+perEntry)
	} else {
		tables += int64(len(packed))
	}
	for _, e := range also {
		tables += int64(len(e.key) + len(e.value) + perEntry)
	}
	err := s.disk.reserve(values, tables)
	if err == nil {
		err = s.values.take(s.dir, values)
	}
	if err == nil {
		err = s.tables.take(s.dir, tables)
	}
	return err
}

// commitChunks puts the first chunk last, so that a value which can be seen is
// there as a whole.
func (s *Store) commitChunks(key, packed []byte, also []entry) error {
	first := packed[:min(chunkSize, len(packed))]
	var batch []entry
	for i, off := 1, len(first); off < len(packed); i, off = i+1, off+chunkSize {
		batch = append(batch, entry{chunkKey(key, i), packed[off:min(off+chunkSize, len(packed))]})
		if len(batch) == chunksPerCommit {
			if err := s.commit(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := s.commit(batch); err != nil {
		return err
	}
	return s.commit(append([]entry{{chunkKey(key, 0), first}}, also...))
}

func (s *Store) commit(entries []entry) error {
	if len(entries) == 0 {
		return nil
	}
	return s.db.Update(func(txn *badger.Txn) error {
		for _, e := range entries {
			if err := txn.Set(e.key, e.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// readable reports a value that Badger could not read: it gives none, and no
// error. No stored value is empty.
func readable(v []byte) error {
	if len(v) == 0 {
		return badger.ErrKeyNotFound
	}
	return nil
}

// has tells whether the whole value is there. After a power cut a value that
// was not acknowledged may be there in part; it is put again.
func (s *Store) has(key []byte) (bool, error) {
	found := false
	err := s.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(chunkKey(key, 0))
		if err != nil {
			return err
		}
		size := 0
		whole := item.Value(func(v []byte) error { size, err = packedSize(v); return err }) == nil
		for i := 1; whole && i*chunkSize < size; i++ {
			if item, err = txn.Get(chunkKey(key, i)); err != nil {
				return err
			}
			whole = item.Value(func(v []byte) error { return readable(v) }) == nil
		}
		found = whole
		return nil
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return false, nil
	}
	return found, err
}

// scratch is memory for encoding and compressing a value: Badger has copied
// the value when a commit returns, so it is used again.
type scratch struct {
	w           writer
	raw, packed []byte
}

// scratchLimit keeps the memory of one huge value from staying.
const scratchLimit = 4 << 20

func (s *Store) take() *scratch {
	if buf, ok := s.scratch.Get().(*scratch); ok {
		return buf
	}
	return &scratch{}
}

func (s *Store) give(buf *scratch) {
	if cap(buf.raw)+cap(buf.packed) <= scratchLimit {
		s.scratch.Put(buf)
	}
}
