package badgerstore_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/storetest"
)

var reading = badgerstore.Options{ReadOnly: true}

// filled makes a closed store that holds one block, manifest and receipt.
func filled(t *testing.T) (dir string, block *ingest.Block, digest string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "state", "store")
	r := rand.New(rand.NewPCG(1, 2))
	block = storetest.RandomBlock(r, "run", 40)
	manifest := storetest.RandomManifest(r, block)
	s, err := badgerstore.Open(dir, badgerstore.Options{})
	require.NoError(t, err)
	require.NoError(t, s.PutBlock(block))
	require.NoError(t, s.PutManifest(manifest))
	require.NoError(t, s.PutReceipt(&ingest.Receipt{Source: "a.jsonl", Digest: manifest.Digest}, nil))
	require.NoError(t, s.Sync())
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing twice is harmless")
	return dir, block, manifest.Digest
}

func requireWhole(t *testing.T, s ingest.Store, want *ingest.Block, digest string) {
	t.Helper()
	for got, err := range s.Blocks(want.Run) {
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()))
	}
	_, err := s.Receipt(digest)
	require.NoError(t, err)
	_, err = ingest.Load(s, want.Run, nil)
	require.NoError(t, err)
}

func TestReopen(t *testing.T) {
	dir, block, digest := filled(t)
	first := openIn(t, dir, reading)
	second := openIn(t, dir, reading)
	requireWhole(t, first, block, digest)
	requireWhole(t, second, block, digest)
	require.ErrorIs(t, first.PutBlock(block), ingest.ErrReadOnly)
	require.ErrorIs(t, first.PutReceipt(&ingest.Receipt{}, nil), ingest.ErrReadOnly)
	require.ErrorIs(t, first.PutCache("k", nil), ingest.ErrReadOnly)
	require.NoError(t, first.Sync())

	_, err := badgerstore.Open(dir, badgerstore.Options{})
	require.ErrorIs(t, err, ingest.ErrLocked, "a writer meets readers")
}

func TestLockNamesTheWriter(t *testing.T) {
	dir, _, _ := filled(t)
	openIn(t, dir, badgerstore.Options{})
	for _, o := range []badgerstore.Options{{}, reading} {
		_, err := badgerstore.Open(dir, o)
		require.ErrorIs(t, err, ingest.ErrLocked)
		require.ErrorContains(t, err, fmt.Sprint("process ", os.Getpid()))
	}
}

// TestUnbornLogs: a process that ended between making a log and giving it a
// size does not cost the store.
func TestUnbornLogs(t *testing.T) {
	for _, o := range []badgerstore.Options{{}, reading} {
		for _, name := range []string{"00007.mem", "000099.vlog"} {
			dir, block, digest := filled(t)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
			requireWhole(t, openIn(t, dir, o), block, digest)
		}
	}
}

func TestNoStore(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Join(dir, "missing")} {
		_, err := badgerstore.Open(d, reading)
		require.ErrorIs(t, err, ingest.ErrNoStore)
	}
	require.NoDirExists(t, filepath.Join(dir, "missing"))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("x"), 0o644))
	_, err := badgerstore.Open(dir, badgerstore.Options{})
	require.Error(t, err, "a folder with other things in it is no place for a store")
}

func TestNewerLayout(t *testing.T) {
	dir, _, _ := filled(t)
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil))
	require.NoError(t, err)
	require.NoError(t, db.Update(func(txn *badger.Txn) error { return txn.Set([]byte{0}, []byte{99}) }))
	require.NoError(t, db.Close())
	for _, o := range []badgerstore.Options{{}, reading} {
		_, err := badgerstore.Open(dir, o)
		require.ErrorIs(t, err, ingest.ErrNewer)
	}
}

func TestPrivate(t *testing.T) {
	dir, _, _ := filled(t)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)
		return nil
	})
	require.NoError(t, err)
}

func TestKey(t *testing.T) {
	dir, _, _ := filled(t)
	key := openIn(t, dir, reading).Key()
	require.NotZero(t, key)
	other, _, _ := filled(t)
	require.NotEqual(t, key, openIn(t, other, reading).Key(), "every store has its own")

	given := [32]byte{1, 2, 3}
	fresh := filepath.Join(t.TempDir(), "store")
	s, err := badgerstore.Open(fresh, badgerstore.Options{Key: &given})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Equal(t, given, openIn(t, fresh, reading).Key(), "a given key stays with the store")
	_, err = badgerstore.Open(dir, badgerstore.Options{ReadOnly: true, Key: &given})
	require.ErrorContains(t, err, "redaction key")
}

// TestInterruptedBirth: what a first open left that was killed before Badger
// wrote its manifest is no foreign folder.
func TestInterruptedBirth(t *testing.T) {
	for _, name := range []string{"LOCK", "BALLAST", "MANIFEST-REWRITE", "REWRITE-KEYREGISTRY"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		s, err := badgerstore.Open(dir, badgerstore.Options{})
		require.NoError(t, err, name)
		require.NoError(t, s.Close())
	}
}

// TestBornAtOnce: of processes that open a new store at the same time one gets
// it, and the others are told that it is in use.
func TestBornAtOnce(t *testing.T) {
	for range 5 {
		dir := filepath.Join(t.TempDir(), "store")
		errs := make(chan error)
		for range 6 {
			go func() {
				s, err := badgerstore.Open(dir, badgerstore.Options{})
				if err == nil {
					err = s.Close()
				}
				errs <- err
			}()
		}
		for range 6 {
			if err := <-errs; err != nil {
				require.ErrorIs(t, err, ingest.ErrLocked)
			}
		}
	}
}
