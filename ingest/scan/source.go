package scan

import (
	"bytes"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// source is an open file that remembers how reading went.
type source struct {
	*os.File
	info  fs.FileInfo // when it was opened
	key   string      // under which its content is remembered
	state string      // when it was opened, see stateOf
	err   error       // first error of a read
	held  []byte      // the whole content, of a file that is not large
	sum   hash.Hash   // of the content that was hashed last
}

func newSource(f *os.File, path string, now time.Time) (*source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &source{File: f, info: info, key: seenAs(path), state: stateOf(info, now)}, nil
}

// holdLimit is up to which size, in bytes, a file is read once and held.
const holdLimit = 4 << 20

// hold reads a file that is not large, so that it need not be read once for
// its digest and again for its units. Memory is used where it is enough.
func (s *source) hold(memory []byte) ([]byte, error) {
	size := s.info.Size()
	if size > holdLimit {
		return memory, nil
	}
	memory = slices.Grow(memory[:0], int(size))[:size]
	n, err := s.File.ReadAt(memory, 0)
	if err != nil && err != io.EOF {
		return memory, err
	}
	s.held = memory[:n]
	return memory, nil
}

func (s *source) ReadAt(b []byte, off int64) (int, error) {
	if s.held != nil {
		return bytes.NewReader(s.held).ReadAt(b, off)
	}
	n, err := s.File.ReadAt(b, off)
	if err != nil && err != io.EOF && s.err == nil {
		s.err = err
	}
	return n, err
}

// touched reports whether the file was written to since it was opened.
func (s *source) touched() bool {
	now, err := s.Stat()
	return err != nil || now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime())
}
