package decode

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/faultline-dev/faultline/ingest"
)

// lineReader cuts a stream at newlines. A line longer than MaxUnit is passed
// over without being held. The buffer is reused.
type lineReader struct {
	r    io.Reader
	buf  []byte
	pos  int   // start of the unread part of buf
	base int64 // file offset of buf[0]
	line int
	eof  bool
	open bool // the last line that was returned had no newline behind it

	taken []Taken // stored units that are the lines, else nil
}

type linePlace struct {
	line    int
	offset  int64
	tooLong int64         // length, when the line was not held
	origin  *ingest.Place // where the unit stood, when the input was made of stored ones
}

// next returns a line without its newline; io.EOF after the last one.
func (l *lineReader) next() ([]byte, linePlace, error) {
	if l.taken != nil {
		return l.unit()
	}
	scanned := 0
	for {
		if i := bytes.IndexByte(l.buf[l.pos+scanned:], '\n'); i >= 0 {
			return l.cut(scanned+i, 1)
		}
		scanned = len(l.buf) - l.pos
		if l.eof {
			if scanned == 0 {
				return nil, linePlace{}, io.EOF
			}
			return l.cut(scanned, 0)
		}
		if scanned > MaxUnit {
			return l.passOver()
		}
		if err := l.fill(); err != nil {
			return nil, linePlace{}, err
		}
	}
}

// unit returns the next stored unit, which may hold newlines, at the place in
// its own file.
func (l *lineReader) unit() ([]byte, linePlace, error) {
	if l.line == len(l.taken) {
		return nil, linePlace{}, io.EOF
	}
	t := &l.taken[l.line]
	for len(l.buf)-l.pos <= t.Size {
		if l.eof {
			return nil, linePlace{}, io.ErrUnexpectedEOF
		}
		if err := l.fill(); err != nil {
			return nil, linePlace{}, err
		}
	}
	raw, at, err := l.cut(t.Size, 1)
	at.line, at.offset, at.origin = t.Line, t.Offset, &t.Place
	return raw, at, err
}

// cut takes n bytes as a line and skips the newline after them.
func (l *lineReader) cut(n, newline int) ([]byte, linePlace, error) {
	if !l.open {
		l.line++
	}
	l.open = newline == 0
	at := linePlace{line: l.line, offset: l.base + int64(l.pos)}
	raw := l.buf[l.pos : l.pos+n]
	l.pos += n + newline
	if n > MaxUnit {
		at.tooLong = int64(n)
	}
	return raw, at, nil
}

// passOver drops what is buffered of an over-long line and reads to its end.
func (l *lineReader) passOver() ([]byte, linePlace, error) {
	l.line++
	at := linePlace{line: l.line, offset: l.base + int64(l.pos)}
	for {
		rest := l.buf[l.pos:]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			at.tooLong += int64(i)
			l.pos += i + 1
			return nil, at, nil
		}
		at.tooLong += int64(len(rest))
		l.pos = len(l.buf)
		if l.eof {
			return nil, at, nil
		}
		if err := l.fill(); err != nil {
			return nil, at, err
		}
	}
}

// fill moves the unread part to the front and reads more behind it, growing
// the buffer only when a line fills it.
func (l *lineReader) fill() error {
	n := copy(l.buf, l.buf[l.pos:])
	l.base += int64(l.pos)
	l.buf, l.pos = l.buf[:n], 0
	if n == cap(l.buf) {
		grown := make([]byte, n, min(2*n, MaxUnit+1<<10)) // a longer line is passed over
		copy(grown, l.buf)
		l.buf = grown
	}
	m, err := io.ReadFull(l.r, l.buf[n:cap(l.buf)])
	l.buf = l.buf[:n+m]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		l.eof = true
		err = nil
	}
	return err
}

// ReadLine appends the next line to buf. A line above MaxUnit, which is
// no unit, comes back cut and therefore as no JSON.
func ReadLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(buf) <= MaxUnit {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, err
		}
	}
}
