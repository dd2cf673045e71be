package decode

import (
	"errors"
	"io"
)

// TextLines decodes a file whose units are lines of text, with JSON in some of
// them. Blank lines are none. F adds the events of a line; an error from
// Skipped skips it, any other quarantines it.
func (w *Writer) TextLines(in *Input, f func(u *Unit) error) error {
	return w.eachLine(in, func(raw []byte, at linePlace) error { return w.textLine(raw, at, f) })
}

func (w *Writer) textLine(raw []byte, at linePlace, f func(u *Unit) error) error {
	if raw, at = trimLine(raw, at, " \t\r"); len(raw) == 0 {
		return nil
	}
	u := w.cut(raw, at)
	err := f(u)
	if err != nil && !errors.Is(err, ErrSkip) {
		if plain := WithoutConstants(raw); plain != nil {
			raw = plain
			u = w.cut(raw, at)
			err = f(u)
		}
	}
	kind := "invalid-json"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		kind = "truncated"
	}
	return w.end(u, raw, kind, err)
}
