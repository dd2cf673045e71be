package sqlitefile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Schema is what one program's databases look like.
type Schema struct {
	Name  string // of the format, in receipts
	Grade ingest.Evidence
	// Tables names tables and the columns that they must have.
	Tables map[string][]string
	// Decode reads an open database. A *Broken that it returns goes into
	// quarantine.
	Decode func(db *DB, w *decode.Writer) error
}

// Format is a SQLite database of one of the schemas, or of none.
func Format(known ...Schema) decode.Format {
	grade := ingest.Evidence(0)
	for _, s := range known {
		grade |= s.Grade
	}
	return decode.Format{
		Name: "sqlite", Version: 1, Grade: grade, Derives: true,
		Beside: []string{"-wal"}, Aside: []string{"-shm", "-journal"}, IsBeside: isBeside,
		Detect: func(head []byte) bool { return bytes.HasPrefix(head, magic) },
		Decode: func(in *decode.Input, w *decode.Writer) error { return run(in, w, known) },
	}
}

// isBeside knows the write-ahead log, its index, and the rollback journal.
func isBeside(head []byte) bool {
	for _, start := range []string{"\x37\x7f\x06\x82", "\x37\x7f\x06\x83", "\x18\xe2\x2d\x00", "\x00\x2d\xe2\x18", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return false
}

func run(in *decode.Input, w *decode.Writer, known []Schema) (err error) {
	db, err := Open(in, in.Size, in.Path, decode.MaxUnit)
	if err != nil {
		w.Quarantine(nil, 1, 0, "unreadable-database", err)
		return nil
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, s := range known {
		if !db.is(s) {
			continue
		}
		w.SetFormat(s.Name, s.Grade)
		return Settle(w, s.Decode(db, w))
	}
	w.SkipAt(1, 0, "unknown-database", fmt.Sprintf("tables: %s", db.names()))
	return nil
}

// Settle puts what SQLite found broken into quarantine, so that the rest of a
// database can be read; any other error stays one.
func Settle(w *decode.Writer, err error) error {
	var broken *Broken
	if !errors.As(err, &broken) {
		return err
	}
	w.Quarantine(nil, 1, 0, "unreadable-database", broken)
	return nil
}

func (d *DB) is(s Schema) bool {
	for table, columns := range s.Tables {
		for _, column := range columns {
			if !d.Has(table, column) {
				return false
			}
		}
	}
	return true
}

// Unit hands a text of a row to decode, as a unit in its table. A text that was
// too long to read is skipped.
func Unit(w *decode.Writer, table string, row, length int64, text []byte, f decode.LineDecoder) error {
	if text == nil && length > 0 {
		w.SkipAt(1, row, "oversized", fmt.Sprintf("%d bytes in %s, limit %d", length, table, decode.MaxUnit))
		return nil
	}
	return w.Row(text, table, row, f)
}
