package decode

import (
	"io"
	"io/fs"

	"github.com/faultline-dev/faultline/ingest"
)

// Format is one trace format. Formats are values in an explicit slice
// (package formats).
type Format struct {
	// Name is public: it stands in receipts.
	Name string
	// Version of the decoder; raised when events of old units would change. It
	// begins at 1. Files that are met again are then decoded again.
	Version int
	// Grade is what the format can record at all. A decoder may add to it.
	Grade ingest.Evidence
	// Detect reports whether the first bytes of a file (up to HeadSize) look
	// like this format. It goes by content, never by name.
	Detect func(head []byte) bool
	// Decode cuts the input into units. It returns an error only for I/O;
	// what it cannot decode goes into quarantine.
	Decode func(in *Input, w *Writer) error
	// Beside lists the endings of files that belong to a file of this format
	// and lie beside it ("-wal"): their content counts with the file's.
	Beside []string
	// Aside lists the endings of files that lie beside one of this format too, but
	// hold nothing of their own ("-shm").
	Aside []string
	// IsBeside reports whether the first bytes of a file are those of a file of
	// Beside or Aside. May be nil.
	IsBeside func(head []byte) bool
	// Derives says that units are not slices of the file: a row of a database,
	// a compressed member, a message in a binary encoding. See Writer.Derived.
	Derives bool
	// Stored decodes a content again from the units that the store holds of it,
	// for when its file is gone: the input has one unit a line, in file order,
	// without what was skipped or quarantined. For a format of lines it is Decode
	// itself; nil where units alone do not tell.
	Stored func(in *Input, w *Writer) error
}

// HeadSize is how many leading bytes Detect is shown.
const HeadSize = 64 << 10

// MaxUnit is the largest unit that is decoded, in bytes. A larger one is
// skipped with its place and length.
const MaxUnit = 32 << 20

// Input is one file to decode. Reading it twice is allowed.
type Input struct {
	Path string
	Size int64
	io.ReaderAt

	// Base and Lines are how many bytes and newlines of the file stand before
	// the input, when it is one document of several; see Writer.Documents.
	Base  int64
	Lines int

	// Held is the whole input, where it is in memory anyway; else nil. It is
	// not to be changed.
	Held []byte
	// Taken, when not nil, are the stored units that the input is made of, each
	// followed by a newline; see Format.Stored.
	Taken []Taken

	wait func() (io.Reader, error) // for more of it, where it is followed; see Writer.Grow
}

// Taken is a stored unit with its place in the file that it was taken from.
// Events tells of the reading that stored it.
type Taken struct {
	ingest.Place
	Size int // of its redacted data
}

// Reader reads the input from its start.
func (in *Input) Reader() io.Reader { return io.NewSectionReader(in, 0, in.Size) }

// Head returns the first HeadSize bytes.
func (in *Input) Head() ([]byte, error) {
	head := make([]byte, min(in.Size, HeadSize))
	n, err := in.ReadAt(head, 0)
	if err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// Folder is a format whose runs are directories.
type Folder struct {
	Name string
	// Claim looks at a directory and returns the trials in it: one, or where a
	// harness keeps its sessions as folders of small files, all of these. Paths
	// of members are slash-separated and relative to dir.
	Claim func(dir fs.FS) ([]*Trial, error)
}

// One makes what a Claim returns of at most one trial.
func One(t *Trial, err error) ([]*Trial, error) {
	if t == nil || err != nil {
		return nil, err
	}
	return []*Trial{t}, nil
}

// Trial is one run made of several files.
type Trial struct {
	Format  string
	Native  string // what names the trial in its own result file
	Members []Member
	// Session marks a plain session that is kept in several files: no grader
	// was to judge it, and its run is named as a single file's would be.
	Session bool
}

// Member is one file of a trial, decoded into the trial's run. Files of the
// directory that no member names are receipted as skipped.
type Member struct {
	Path    string
	Role    int // 0 is the main file; events follow the order of roles
	Format  string
	Version int             // of the decoder, as Format.Version; 0 is 1
	Grade   ingest.Evidence // what this member can record
	Decode  func(in *Input, w *Writer) error
}
