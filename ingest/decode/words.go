package decode

import (
	"github.com/faultline-dev/faultline/ingest/quote"
)

// Words makes strings of bytes, and the same string of bytes that come again, as
// names, roles and models do from unit to unit. What it holds is bounded. The
// zero Words is ready for use by one goroutine.
type Words struct{ known map[string]string }

// The most words that are held, and the bytes of the longest.
const (
	maxWords = 1 << 10
	maxWord  = 96
)

// Of returns b as a string.
func (w *Words) Of(b []byte) string {
	if s, ok := w.known[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(w.known) < maxWords && len(s) <= maxWord {
		if w.known == nil {
			w.known = map[string]string{}
		}
		w.known[s] = s
	}
	return s
}

// Text returns what the JSON string v says; ok is false where v is none or not
// in UTF-8.
func (w *Words) Text(v []byte) (s string, ok bool) {
	if n := len(v) - 2; n >= 0 && n <= maxWord && quote.IsPlain(v) {
		return w.Of(v[1 : n+1]), true
	}
	return quote.Text(v)
}

// Word is String for a value that comes again from unit to unit.
func (c *Cursor) Word(w *Words) (string, error) {
	if c.Kind() != '"' {
		return "", c.Skip()
	}
	from := c.pos
	if err := c.value(); err != nil {
		return "", err
	}
	if s, ok := w.Text(c.raw[from:c.pos]); ok {
		return s, nil
	}
	c.pos = from
	return c.text()
}

// Seek puts the cursor at an offset of the value, where another one begins.
func (c *Cursor) Seek(offset int) { c.pos = offset }
