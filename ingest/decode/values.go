package decode

import (
	"errors"
	"fmt"
)

// Values decodes a file of JSON values that need not keep to lines: one
// pretty-printed document, or several after another. A broken value ends where a
// line begins with an object.
func (w *Writer) Values(in *Input, decode LineDecoder) error {
	return w.resumed(in, func(p *docWalk) (broken, err error) {
		for {
			v, err := p.dec.ReadValue()
			if err != nil {
				return err, nil
			}
			at := p.place(p.dec.InputOffset() - int64(len(v)))
			if len(v) > MaxUnit {
				w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("%d bytes, limit %d", len(v), MaxUnit))
			} else if err := w.value(&p.c, v, at, decode); err != nil {
				return nil, err
			}
		}
	})
}

// Row decodes one JSON value that a row of a database holds. What is no value
// is quarantined.
func (w *Writer) Row(raw []byte, table string, row int64, decode LineDecoder) error {
	u, err := w.row(raw, table, row, decode)
	if err != nil && !errors.Is(err, ErrSkip) {
		if plain := WithoutConstants(raw); plain != nil {
			raw = plain
			u, err = w.row(raw, table, row, decode)
		}
	}
	if err != nil && !errors.Is(err, ErrSkip) {
		err = fmt.Errorf("%s: %w", table, err)
	}
	return w.end(u, raw, "undecodable", err)
}

func (w *Writer) row(raw []byte, table string, row int64, decode LineDecoder) (*Unit, error) {
	u := w.Derived(raw, table, 1, row, int64(len(raw)))
	var c Cursor
	c.Reset(u.Data)
	err := decode(&c, u)
	if err == nil {
		err = c.Done()
	}
	return u, err
}
