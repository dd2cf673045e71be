package decode

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Values decodes a file of JSON values that need not keep to lines: one
// pretty-printed document, or several after another. What follows a broken
// value is one quarantined unit.
func (w *Writer) Values(in *Input, decode LineDecoder) error {
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	_, base := trimBOM(head)
	lines := &newlines{r: io.NewSectionReader(in, base, in.Size-base)}
	dec := jsontext.NewDecoder(lines, jsonOptions...)
	var c Cursor
	for {
		v, err := dec.ReadValue()
		switch {
		case lines.err != nil:
			return fmt.Errorf("read %s: %w", in.Path, lines.err)
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			p := &docWalk{in: in, w: w, dec: dec, lines: lines, base: base}
			return p.broken(err)
		}
		off := dec.InputOffset() - int64(len(v))
		if err := w.value(&c, v, linePlace{line: lines.line(off), offset: base + off}, decode); err != nil {
			return err
		}
	}
}
