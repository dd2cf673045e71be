package ingest

import (
	"errors"
	"iter"
)

// Errors of a Store. They are wrapped with what was being done on what.
var (
	ErrNoStore  = errors.New("no store")
	ErrLocked   = errors.New("store is locked by another process")
	ErrNewer    = errors.New("store was written by a newer version")
	ErrUnclean  = errors.New("store was not closed cleanly and must be repaired by a writing open")
	ErrReadOnly = errors.New("store is open for reading only")
	ErrNotFound = errors.New("not found")
)

// UnitID identifies a unit inside its run: a hash of the native id that the
// format guarantees, else of the content with secrets replaced by their kind.
type UnitID [16]byte

// Unit is one stored unit.
type Unit struct {
	ID      UnitID
	Body    [8]byte // prefix of the content hash; tells unlike contents under one ID apart
	Native  bool    // ID rests on a native id, so the unit can be a copy across runs
	Carries string  // native session id that the unit itself carries, when not its run's
	State   string  // what Body covers beside Data, see decode.Unit; mostly empty
	Node    string  // native id in a tree of units, such as a span's; else ""
	Under   string  // Node of the unit that it stands under
	Open    bool    // what the unit tells of had not ended when it was written
	Data    []byte  // redacted bytes
	Events  []Event // Source, Seq and Unit are unset
}

// Reading names what one version of one decoder made of contents. Events and
// units differ between readings, the bytes do not. It is zero in blocks of old
// stores, which serve every reading.
type Reading struct {
	Format  string
	Version int
}

// Block is a group of units of one run, about 1 MB of data, as one reading
// made them. Its key is derived from the reading and the ids in it: writing it
// twice changes nothing.
type Block struct {
	Run     string
	Reading Reading
	Units   []Unit
}

// Place is where a unit stands in a file, or in a member of it: a file of an
// archive, a table of a database. Line and Offset count in the member; the
// offset of a row is its row id.
type Place struct {
	ID     UnitID
	Body   [8]byte
	Member string
	Line   int
	Offset int64
	Length int64
	Events int // how many of the unit's events count here: all, or none where the file supersedes it
}

// Manifest describes one file content as a source of one run.
type Manifest struct {
	Run     string
	Source  string // hash of run, role and first unit: stable while the file grows
	Digest  string // SHA-256 of the file, hex
	Role    int    // order of the members of a trial; 0 is the main file
	Format  string
	Version int // of the decoder
	Grade   Evidence
	Meta    Meta
	Places  []Place
	// Grown lists the contents that this one grew from, oldest first. All that
	// they hold in the run stands at its beginning, as it stood in them.
	Grown []string
	// Kept is how many of the places are those of the last of Grown, so that a
	// store need not keep them again; 0 where that is not to be looked at. What a
	// store gives does not tell it.
	Kept int
}

// Reading is what made the manifest.
func (m *Manifest) Reading() Reading { return Reading{m.Format, m.Version} }

// Quarantined is a unit that could not be decoded, kept redacted.
type Quarantined struct {
	Position
	Length int64
	Data   []byte
}

// Store keeps what ingest found. All keys are content-derived; nothing is
// changed or deleted but for advice (PutSeen). A Store is safe for concurrent use by one process.
//
// A content may be read again, by a newer decoder or in another format. The
// reading of its newest receipt is then the one that counts: manifests of others
// are not given any more, and a run that has no other is none.
//
// Put methods do not keep what they are given and may buffer: data is durable when Sync has returned nil. They
// return ErrReadOnly on a store opened for reading. Iterators yield in key
// order and stop at the first error.
type Store interface {
	PutBlock(*Block) error
	PutManifest(*Manifest) error
	// PutReceipt keeps the receipt of a file content and the path it was met
	// under. The first receipt of a reading stays, and further paths are added;
	// that of another reading makes this the one that counts.
	PutReceipt(*Receipt, []Quarantined) error
	// PutCache keeps a derived value under a key that covers all its inputs.
	PutCache(key string, value []byte) error
	// PutSeen remembers what was last seen under each key, in place of what was
	// remembered before. It is advice, the one thing that is replaced: losing it
	// costs time only.
	PutSeen(map[string]string) error
	Sync() error

	// Receipt returns the receipt of the content's newest reading, or
	// ErrNotFound.
	Receipt(digest string) (*Receipt, error)
	// Paths lists every path that the content was met under, sorted.
	Paths(digest string) ([]string, error)
	// Receipts yields one receipt per content.
	Receipts() iter.Seq2[*Receipt, error]
	// Quarantine returns the quarantined units of a content's newest reading in
	// file order.
	Quarantine(digest string) ([]Quarantined, error)
	// Runs yields every run id that has a manifest which counts, once.
	Runs() iter.Seq2[string, error]
	// Manifests returns the manifests of a run that count, in key order: one for
	// each content and role, but for contents of which another one grew. None is
	// no error.
	Manifests(run string) ([]*Manifest, error)
	// Contents counts the manifests that were put of a run, whether or not they
	// count. It tells whether there are new ones.
	Contents(run string) (int, error)
	// Blocks yields the blocks of a run, of whatever reading. A block and its
	// data belong to the caller.
	Blocks(run string) iter.Seq2[*Block, error]
	// Cache returns a value put by PutCache, or ErrNotFound.
	Cache(key string) ([]byte, error)
	// Seen returns what PutSeen remembers under a key, "" when nothing.
	Seen(key string) (string, error)

	Close() error
}
