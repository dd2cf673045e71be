package decode

import (
	"bytes"
	"io"

	"github.com/faultline-dev/faultline/ingest/quote"
)

// What Python writes where JSON has no word is read as no number at all, in as
// many bytes, so that places stay what they are.
var constants = []struct{ word, instead string }{
	{"NaN", `"" `}, {"Infinity", "null    "}, {"-Infinity", "null     "},
}

// inText says whether a place in JSON is within a string.
type inText struct{ text, escaped bool }

// replace puts what JSON has in place of the constants in b, which goes on from
// where the state is. It reports whether there were any.
func (s *inText) replace(b []byte) (found bool) {
	for i := 0; i < len(b); i++ {
		switch {
		case s.escaped:
			s.escaped = false
		case s.text:
			i += quote.Plain(b[i:])
			if i < len(b) {
				s.escaped, s.text = b[i] == '\\', b[i] != '"'
			}
		case b[i] == '"':
			s.text = true
		case b[i] == 'N', b[i] == 'I', b[i] == '-':
			if n := constantAt(b, i); n > 0 {
				found = true
				i += n - 1
			}
		}
	}
	return found
}

// constantAt replaces the constant at i and returns its length, 0 for none.
func constantAt(b []byte, i int) int {
	for _, c := range constants {
		end := i + len(c.word)
		if bytes.HasPrefix(b[i:], []byte(c.word)) && (end == len(b) || bytes.IndexByte([]byte(",]} \t\r\n"), b[end]) >= 0) {
			return copy(b[i:], c.instead)
		}
	}
	return 0
}

// WithoutConstants is a copy of raw, which begins outside of a string, in which
// NaN, Infinity and -Infinity are no numbers but valid JSON, of equal length; nil
// if it has none of them. Python writes them.
func WithoutConstants(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("NaN")) && !bytes.Contains(raw, []byte("Infinity")) {
		return nil
	}
	out := bytes.Clone(raw)
	if !new(inText).replace(out) {
		return nil
	}
	return out
}

// constantsReader reads the first size bytes of in without the constants. What
// is a string is found out from the beginning, once that matters.
type constantsReader struct {
	in   io.ReaderAt
	size int64
	off  int64  // of what is read next
	mem  []byte // room for buf
	buf  []byte // was read and not handed on
	on   bool
	at   inText // at off
}

// Read hands on what was read in pieces that no constant is cut by.
func (r *constantsReader) Read(b []byte) (int, error) {
	if len(r.buf) == 0 {
		if r.off == r.size {
			return 0, io.EOF
		}
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(b, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}

const constantsAhead = 32 << 10

func (r *constantsReader) fill() error {
	if r.mem == nil {
		r.mem = make([]byte, min(constantsAhead, r.size))
	}
	n, err := r.in.ReadAt(r.mem[:min(int64(len(r.mem)), r.size-r.off)], r.off)
	if n == 0 {
		return err
	}
	b := r.mem[:n]
	if r.off+int64(n) < r.size {
		b = b[:n-begun(b)]
	}
	if !r.on && (bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Infinity"))) {
		if err := r.catchUp(b); err != nil {
			return err
		}
	} else if r.on {
		r.at.replace(b)
	}
	r.buf = b
	r.off += int64(len(b))
	return nil
}

// catchUp finds out whether b begins in a string, by what stands before it.
func (r *constantsReader) catchUp(b []byte) error {
	r.on = true
	part := make([]byte, constantsAhead)
	for off := int64(0); off < r.off; {
		n, err := r.in.ReadAt(part[:min(constantsAhead, r.off-off)], off)
		if n == 0 {
			return err
		}
		r.at.replace(part[:n])
		off += int64(n)
	}
	r.at.replace(b)
	return nil
}

// begun counts the bytes at the end of b that a constant may begin with, with
// one more so that what follows a constant is seen.
func begun(b []byte) int {
	for n := min(len(b)-1, len("-Infinity")); n > 0; n-- {
		for _, c := range constants {
			if bytes.HasPrefix([]byte(c.word), b[len(b)-n:]) {
				return n
			}
		}
	}
	return 0
}
