package decode

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Documents calls f for each JSON document of a file that holds several: the
// elements of one list, or one value after another. Units of a document keep
// their place in the file. What follows a broken document is one quarantined
// unit.
func (w *Writer) Documents(in *Input, f func(*Input) error) error {
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	_, base := trimBOM(head)
	lines := &newlines{r: io.NewSectionReader(in, base, in.Size-base)}
	dec := jsontext.NewDecoder(lines, jsonOptions...)
	p := &docWalk{in: in, w: w, dec: dec, lines: lines, base: base}
	if dec.PeekKind() == '[' {
		_, err = dec.ReadToken()
	}
	for err == nil {
		kind := dec.PeekKind()
		if kind == ']' {
			_, err = dec.ReadToken()
			continue
		}
		off := p.next()
		if err = dec.SkipValue(); err != nil {
			break
		}
		at := p.place(off)
		part := &Input{Path: in.Path, Size: dec.InputOffset() - off, Base: at.offset, Lines: at.line - 1,
			ReaderAt: io.NewSectionReader(in, base+off, dec.InputOffset()-off)}
		if err := f(part); err != nil {
			return err
		}
	}
	if lines.err != nil {
		return fmt.Errorf("read %s: %w", in.Path, lines.err)
	}
	if err == io.EOF {
		return nil
	}
	return p.broken(err)
}
