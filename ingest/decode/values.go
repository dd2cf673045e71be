package decode

import (
	"errors"
	"fmt"
	"io"
)

// Values decodes a file of JSON values that need not keep to lines: one
// pretty-printed document, or several after another. What follows a broken
// value is one quarantined unit.
func (w *Writer) Values(in *Input, decode LineDecoder) error {
	p, err := newWalk(in, w)
	if err != nil {
		return err
	}
	for {
		v, err := p.dec.ReadValue()
		switch {
		case p.lines.err != nil:
			return fmt.Errorf("read %s: %w", in.Path, p.lines.err)
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return p.broken(err)
		}
		at := p.place(p.dec.InputOffset() - int64(len(v)))
		if len(v) > MaxUnit {
			w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("%d bytes, limit %d", len(v), MaxUnit))
		} else if err := w.value(&p.c, v, at, decode); err != nil {
			return err
		}
	}
}
