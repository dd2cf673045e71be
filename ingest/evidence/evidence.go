package evidence

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
)

// item is one fact of a file, with its place.
type item struct {
	commit    string
	check     *record.Check     // of the commit
	operation *record.Operation // of a key
	place
}

// place is where an item stands in its file.
type place struct {
	line           int
	offset, length int64
}

// document is a file that is held whole. It finds places fast in their order.
type document struct {
	data     []byte
	base     int64 // length of the byte order mark
	at, line int   // what was asked for last
}

func (d *document) place(off, length int) place {
	if off < d.at {
		d.at, d.line = 0, 0
	}
	d.line += bytes.Count(d.data[d.at:off], []byte("\n"))
	d.at = off
	return place{line: 1 + d.line, offset: d.base + int64(off), length: int64(length)}
}

// whole reads a file that is one document.
func whole(in *decode.Input) (*document, error) {
	if in.Size > decode.MaxUnit {
		return nil, fmt.Errorf("read report: %d bytes, limit %d", in.Size, decode.MaxUnit)
	}
	data := make([]byte, in.Size)
	n, err := in.ReadAt(data, 0)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read report: %w", err)
	}
	bare := bytes.TrimPrefix(data[:n], []byte("\xef\xbb\xbf"))
	return &document{data: bare, base: int64(n - len(bare))}, nil
}

// reader reads one kind of evidence. It returns an error for what cannot be
// read; what came before it counts only if the reader handed it on.
type reader struct {
	name   string
	detect func(head []byte) bool
	read   func(in *decode.Input, add func(item)) error
}

var readers = []reader{
	{"junit-xml", isJUnit, readJUnit},
	{"ctrf", isCTRF, readCTRF},
	{"github-checks", isGitHub, readGitHub},
	{"ci-log", isLog, readLog},
}

// Detect reports that the head of a file shows evidence of a known kind.
func Detect(head []byte) bool {
	_, ok := readerOf(head)
	return ok
}

func readerOf(head []byte) (reader, bool) {
	if order := order(head); order != nil {
		head = fromUTF16(head, order)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, r := range readers {
		if r.detect(head) {
			return r, true
		}
	}
	return reader{}, false
}

// The states of a check, as records name them.
const (
	passed    = "passed"
	failed    = "failed"
	skipped   = "skipped"
	cancelled = "cancelled"
	timedOut  = "timed_out"
	pending   = "pending"
)

// isHex reports that s is at least seven hex digits, as commits are written.
func isHex(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// isCommit is isHex for a word that might be a number or a name: it needs a
// digit and a letter, or a commit's full length.
func isCommit(s string) bool {
	if !isHex(s) {
		return false
	}
	digit, letter := false, false
	for i := range len(s) {
		if s[i] <= '9' {
			digit = true
		} else {
			letter = true
		}
	}
	return digit && letter || len(s) == 40
}

// timeOf reads a time; zero when there is none.
func timeOf(s string) time.Time {
	at, _ := decode.ParseTime(s)
	return at
}
