package badgerstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/faultline-dev/faultline/ingest"
)

// layoutVersion is what the layout of keys and values is called; see the package
// documentation.
const layoutVersion = 2

// Sizes of Badger's parts in bytes. Only keys and small values pass through
// tables in memory and are merged; blocks are appended to the value log once.
const (
	memTableSize = 4 << 20
	logFileSize  = 16 << 20
	inTables     = 1 << 10 // values above this lie in the value log
)

// Options say how a store is opened.
type Options struct {
	// ReadOnly opens beside other readers and creates nothing.
	ReadOnly bool
	// Existing opens no store that is not there yet.
	Existing bool
	// Key is the redaction key to use. A new store keeps it; nil lets a new
	// store make a random one.
	Key *[32]byte
	// Rules says what is redacted beside secrets, as a text of the caller's. A
	// new store keeps it; nil takes the store's own.
	Rules *string
}

// Store is an ingest.Store in a folder. Open makes one.
type Store struct {
	dir      string
	readOnly bool
	db       *badger.DB
	pack     packer
	key      [32]byte
	rules    string
	disk     *disk
	lock     *dirLock     // nil where Badger's own is used
	layout   int          // as it was when the store was opened
	step     func(string) // told of each step of Replace; nil outside of tests
	writing  sync.Mutex   // makes looking for a key and putting it one step
	// accounting makes looking for a receipt and putting it one step.
	accounting sync.Mutex
	scratch    sync.Pool // of *scratch
	logs       valueLogs
	newest     readings
	values     room // under writing, as tables
	tables     room
	closed     atomic.Bool
}

var _ ingest.Store = (*Store)(nil)

// Open opens the store in dir, and makes one when there is none, unless for
// reading (ErrNoStore). A store that another process has open in a way that
// excludes this gives ErrLocked, with the pid of a live writer. A store that
// was not closed is repaired first.
func Open(dir string, o Options) (*Store, error) {
	s, err := open(dir, o)
	if errors.Is(err, ingest.ErrUnclean) {
		if err = repair(dir, o); err == nil {
			s, err = open(dir, o)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	return s, nil
}

// repair replays what an unclean end left, which takes the writer's lock.
func repair(dir string, o Options) error {
	o.ReadOnly = false
	s, err := open(dir, o)
	if err != nil {
		return err
	}
	return s.Close()
}

func open(dir string, o Options) (*Store, error) {
	if err := finishReplace(dir); err != nil {
		return nil, err
	}
	if err := prepare(dir, o.ReadOnly || o.Existing); err != nil {
		return nil, err
	}
	lock, err := lockDir(dir, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, readOnly: o.ReadOnly, disk: &disk{dir: dir}, lock: lock}
	if err := s.start(o); err != nil {
		return nil, errors.Join(err, lock.release(dir))
	}
	return s, nil
}

// start opens what lies in the folder, which is locked.
func (s *Store) start(o Options) (err error) {
	if !o.ReadOnly {
		if err := errors.Join(removeReplaced(s.dir), s.disk.reserve(0, 0), removeUnborn(s.dir), sealLog(s.dir), s.addBallast()); err != nil {
			return err
		}
	}
	options := badgerOptions(s.dir, o.ReadOnly, s.disk).WithBypassLockGuard(s.lock != nil)
	if s.db, err = openBadger(options); err != nil {
		return errors.Join(openError(s.dir, o.ReadOnly, err), s.dropBallast())
	}
	if s.pack, err = newPacker(); err == nil {
		err = errors.Join(s.checkLayout(), s.readRedaction(o))
	}
	if err == nil {
		err = s.readNewest()
	}
	if err != nil {
		return errors.Join(err, s.stop())
	}
	lsm, _ := s.db.Size()
	s.disk.tables.Store(lsm)
	s.values, s.tables = newRooms()
	return tighten(s.dir, o.ReadOnly)
}

// badgerOptions keep memory small and copies few: values are large and
// compressed already, so they go to the value log, where they stay as they were
// written. Its garbage collection, which has to be called by hand, is never
// needed because nothing is deleted. Values and tables have checksums: what a
// power cut left of a value that was not acknowledged must not pass for it, and
// Badger does not survive a damaged table that it believes.
func badgerOptions(dir string, readOnly bool, log badger.Logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithReadOnly(readOnly).
		WithLogger(log).
		WithSyncWrites(false).
		WithDetectConflicts(false).
		WithCompression(options.None).
		WithMemTableSize(memTableSize).
		WithNumMemtables(2).
		WithNumCompactors(2).
		WithBlockCacheSize(0).
		WithIndexCacheSize(4 << 20).
		WithValueThreshold(inTables).
		WithValueLogFileSize(logFileSize).
		WithVerifyValueChecksum(true).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithMetricsEnabled(false)
}

// prepare makes a private folder unless there is a store. A folder with other things in it is left
// alone: it was not meant.
func prepare(dir string, existing bool) error {
	_, err := os.Stat(filepath.Join(dir, badger.ManifestFilename))
	if err != nil && beingReplaced(dir) {
		return lockedError(dir + newBeside)
	} else if err != nil { // again, because it may have been replaced in this instant
		_, err = os.Stat(filepath.Join(dir, badger.ManifestFilename))
	}
	if err == nil || errors.Is(err, os.ErrPermission) {
		return err
	} else if existing {
		return ingest.ErrNoStore
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	found, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	foreign := slices.ContainsFunc(found, func(e os.DirEntry) bool { return !oursAtBirth(e.Name()) })
	if foreign && !exists(filepath.Join(dir, badger.ManifestFilename)) { // else another process made it since
		return fmt.Errorf("the folder is neither empty nor a store")
	}
	return os.Chmod(dir, 0o700)
}

// oursAtBirth tells what an interrupted first open leaves before there is a
// manifest.
func oursAtBirth(name string) bool {
	return slices.Contains([]string{
		lockFile, ballastFile, keyFile, rulesFile, "KEYREGISTRY", "REWRITE-KEYREGISTRY", badger.ManifestFilename, "MANIFEST-REWRITE",
	}, name)
}

// ours tells the files of a store.
func ours(name string) bool {
	return oursAtBirth(name) || name == "DISCARD" || strings.HasPrefix(name, "redact.") || slices.Contains([]string{".sst", logExt, memExt, ".tmp"}, filepath.Ext(name))
}

// tighten takes the files from other users; Badger makes them by the umask.
func tighten(dir string, readOnly bool) error {
	if readOnly {
		return nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() == 0o600 {
			continue // gone by compaction, or fine
		}
		if err := os.Chmod(filepath.Join(dir, f.Name()), 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *Store) checkLayout() error {
	var version byte
	err := s.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(layoutKey())
		if err != nil {
			return err
		}
		return item.Value(func(v []byte) error {
			if len(v) != 1 {
				return fmt.Errorf("layout version: %w", errCorrupt)
			}
			version = v[0]
			return nil
		})
	})
	s.layout = int(version)
	switch {
	case err != nil && !errors.Is(err, badger.ErrKeyNotFound):
		return err
	case version > layoutVersion:
		return fmt.Errorf("layout %d, known is %d: %w", version, layoutVersion, ingest.ErrNewer)
	case version < layoutVersion && !s.readOnly:
		return s.commit([]entry{{layoutKey(), []byte{layoutVersion}}})
	}
	return nil // not to be written to, or its first open was interrupted: nothing is in it
}

// Sync makes all that was put durable: it flushes the value log, then the logs
// of the tables in memory that point into it, oldest first. (badger.DB.Sync
// flushes only the newest of each.)
func (s *Store) Sync() error {
	if s.readOnly {
		return nil
	}
	err := s.disk.failure()
	if err == nil {
		err = s.logs.sync(s.dir)
	}
	if err == nil {
		err = syncFiles(s.dir, memExt, "")
	}
	if err == nil {
		err = syncFile(s.dir)
	}
	return wrap(err, "sync store %s", s.dir)
}

// syncFiles flushes the files of dir with an extension, beginning with the one
// named from, in the order of their age, which is that of their names.
func syncFiles(dir, ext, from string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) != ext || f.Name() < from {
			continue
		}
		if err := syncFile(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// syncFile flushes a file or folder; one that is gone has become a table,
// which Badger flushed before it removed the log.
func syncFile(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Close flushes everything and gives up the lock. A second Close does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return wrap(errors.Join(s.stop(), s.lock.release(s.dir)), "close store %s", s.dir)
}

// openBadger makes an error of what Badger cannot bear.
func openBadger(o badger.Options) (db *badger.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %.200v", errCorrupt, p)
		}
	}()
	return badger.Open(o)
}

// stop is start undone; the folder stays locked.
func (s *Store) stop() error {
	s.logs.close()
	err := errors.Join(s.dropBallast(), s.db.Close())
	s.pack.close()
	return errors.Join(err, tighten(s.dir, s.readOnly))
}

// Dir is the store's folder.
func (s *Store) Dir() string { return s.dir }
