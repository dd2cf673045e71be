package decode

import (
	"errors"
	"fmt"
	"io"
)

// resumed walks over a file of values one after another. Where walk says that
// one is broken, or that the input ends, what follows is looked for: a line that
// begins with an object.
func (w *Writer) resumed(in *Input, walk func(p *docWalk) (broken, err error)) error {
	const patience = 16 // how often, at most, a byte is read in vain
	for spent := int64(0); ; {
		p, err := newWalk(in, w)
		if err != nil {
			return err
		}
		cause, err := walk(p)
		switch {
		case err != nil:
			return err
		case p.lines.err != nil:
			return fmt.Errorf("read %s: %w", in.Path, p.lines.err)
		case errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF):
			return nil
		}
		end, rest := in.Size-p.base, (*Input)(nil)
		if spent += p.lines.read - p.dec.InputOffset(); spent < patience*in.Size && !p.lines.over && !p.inList {
			if rest, err = p.rest(); err != nil {
				return err
			}
		}
		if rest != nil {
			end -= rest.Size
		}
		if err := p.broken(cause, end); err != nil {
			return err
		}
		if in = rest; in == nil {
			return nil
		}
	}
}

// rest is the input from the next line on that begins with an object, behind the
// first byte of what is broken; nil if there is none.
func (p *docWalk) rest() (*Input, error) {
	at, begin := p.dec.InputOffset(), p.next()
	line := p.in.Lines + p.lines.line(at) - 1
	buf := make([]byte, 32<<10)
	newline := false
	for {
		n, err := p.in.ReadAt(buf, p.base+at)
		for i, c := range buf[:n] {
			if newline && c == '{' && at+int64(i) > begin {
				from := p.base + at + int64(i)
				return &Input{Path: p.in.Path, Size: p.in.Size - from, Base: p.in.Base + from, Lines: line,
					ReaderAt: io.NewSectionReader(p.in, from, p.in.Size-from)}, nil
			}
			if newline = c == '\n'; newline {
				line++
			}
		}
		at += int64(n)
		if err == io.EOF || n == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", p.in.Path, err)
		}
	}
}
