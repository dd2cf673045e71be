package decode

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// MaxDepth is the deepest nesting of JSON that is accepted. The JSON library
// has the same bound; stating it here keeps the cause readable.
const MaxDepth = 10_000

// Cursor walks one JSON value once and yields spans into it. Keys are exact;
// of duplicate names the last wins; invalid UTF-8 is accepted and kept.
type Cursor struct {
	raw   []byte
	pos   int
	depth int
	sound bool // raw was walked before
}

var jsonOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// Reset points the cursor at raw, which must not change while it is walked.
func (c *Cursor) Reset(raw []byte) { *c = Cursor{raw: raw} }

// ResetSound is Reset to JSON that was walked before: the ends of strings are found
// without a look at what is in them.
func (c *Cursor) ResetSound(raw []byte) { *c = Cursor{raw: raw, sound: true} }

// Object calls f for each member of the object at the cursor. F must consume
// the value: with Object, Array, Span or one of the scalar methods. A value of
// another kind is consumed and f is not called.
func (c *Cursor) Object(f func(name []byte) error) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	if err := c.open(); err != nil {
		return err
	}
	if c.at('}') {
		c.close()
		return nil
	}
	for {
		name, err := c.name()
		if err != nil {
			return err
		}
		if err := f(unquoteName(name)); err != nil {
			return err
		}
		if more, err := c.more('}'); !more {
			return err
		}
	}
}

// unquoteName strips the quotes; a name with escapes, which no known format
// writes, is unquoted properly.
func unquoteName(v []byte) []byte {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return v
	}
	return s
}

// Array calls f for each element of the array at the cursor; see Object.
func (c *Cursor) Array(f func() error) error {
	if c.Kind() != '[' {
		return c.Skip()
	}
	if err := c.open(); err != nil {
		return err
	}
	if c.at(']') {
		c.close()
		return nil
	}
	for {
		if err := f(); err != nil {
			return err
		}
		if more, err := c.more(']'); !more {
			return err
		}
	}
}

// Kind is the kind of the value at the cursor: '{', '[', '"', '0', 't', 'f',
// 'n', or 0 at the end or on an error.
func (c *Cursor) Kind() byte {
	c.white()
	if c.pos >= len(c.raw) {
		return 0
	}
	switch b := c.raw[c.pos]; b {
	case '{', '[', '"', 't', 'f', 'n':
		return b
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}

// Skip consumes the value at the cursor.
func (c *Cursor) Skip() error {
	_, err := c.read()
	return err
}

// read consumes the value at the cursor and returns its bytes.
func (c *Cursor) read() ([]byte, error) {
	c.white()
	from := c.pos
	if err := c.value(); err != nil {
		return nil, err
	}
	return c.raw[from:c.pos], nil
}

// Bytes consumes the value and returns a string without its quotes, else nil.
// The bytes are valid as long as the unit is.
func (c *Cursor) Bytes() ([]byte, error) {
	if c.Kind() != '"' {
		return nil, c.Skip()
	}
	v, err := c.read()
	if err != nil {
		return nil, err
	}
	return unquoteName(v), nil
}

// Span consumes the value at the cursor and returns where it stands. A null
// gives the zero span.
func (c *Cursor) Span() (ingest.Span, error) {
	null := c.Kind() == 'n'
	v, err := c.read()
	if err != nil || null {
		return ingest.Span{}, err
	}
	return ingest.Span{Off: uint32(c.pos - len(v)), Len: uint32(len(v))}, nil
}

// String consumes the value and returns it if it is a string, else "".
func (c *Cursor) String() (string, error) {
	if c.Kind() != '"' {
		return "", c.Skip()
	}
	return c.text()
}

// ID consumes the value and returns a string or a number as text, else "".
func (c *Cursor) ID() (string, error) {
	if k := c.Kind(); k != '"' && k != '0' {
		return "", c.Skip()
	}
	return c.text()
}

// text consumes a string or a number.
func (c *Cursor) text() (string, error) {
	v, err := c.read()
	if err != nil {
		return "", err
	}
	if v[0] != '"' {
		return string(v), nil
	}
	if s, ok := quote.Text(v); ok {
		return s, nil
	}
	s, _ := jsontext.AppendUnquote(nil, v) // with U+FFFD in place of what is no UTF-8
	return string(s), nil
}

// Int consumes the value and returns it if it is a number, or a string that
// holds one; ok tells whether it was.
func (c *Cursor) Int() (n int64, ok bool, err error) {
	if k := c.Kind(); k != '0' && k != '"' {
		return 0, false, c.Skip()
	}
	text, err := c.text()
	if err != nil {
		return 0, false, err
	}
	if n, perr := strconv.ParseInt(text, 10, 64); perr == nil {
		return n, true, nil
	}
	f, ok := number(text)
	if !ok || f > 1<<62 || f < -(1<<62) {
		return 0, false, nil
	}
	return int64(f), true, nil
}

// Float consumes the value; see Int.
func (c *Cursor) Float() (f float64, ok bool, err error) {
	if k := c.Kind(); k != '0' && k != '"' {
		return 0, false, c.Skip()
	}
	text, err := c.text()
	if err != nil {
		return 0, false, err
	}
	f, ok = number(text)
	return f, ok, nil
}

// number reads what JSON calls a number: not NaN and not infinite.
func number(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Bool consumes the value and returns it if it is true or false.
func (c *Cursor) Bool() (b, ok bool, err error) {
	k := c.Kind()
	if err := c.Skip(); err != nil {
		return false, false, err
	}
	return k == 't', k == 't' || k == 'f', nil
}

// Time consumes the value and parses it; see ParseTime.
func (c *Cursor) Time() (time.Time, ingest.TimeQuality, error) {
	s, err := c.ID()
	if err != nil {
		return time.Time{}, ingest.NoTime, err
	}
	at, q := ParseTime(s)
	return at, q, nil
}

// Mark remembers where the value at the cursor begins, for Since.
func (c *Cursor) Mark() int {
	c.white()
	return c.pos
}

// Since is the span from a mark to the cursor: the value that was consumed in
// parts.
func (c *Cursor) Since(mark int) ingest.Span {
	if c.pos <= mark {
		return ingest.Span{}
	}
	return ingest.Span{Off: uint32(mark), Len: uint32(c.pos - mark)}
}

// Done checks that nothing but white space follows the value.
func (c *Cursor) Done() error {
	c.white()
	if c.pos < len(c.raw) {
		return fmt.Errorf("%w at byte %d", errTail, c.pos)
	}
	return nil
}

// Word is String for a value that comes again from unit to unit.
func (c *Cursor) Word(w *quote.Words) (string, error) {
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
