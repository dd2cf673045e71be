package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
)

// MaxDepth is the deepest nesting of JSON that is accepted. The JSON library
// has the same bound; stating it here keeps the cause readable.
const MaxDepth = 10_000

var errTail = errors.New("bytes after the JSON value")

// Cursor walks one JSON value once and yields spans into it. Keys are exact;
// of duplicate names the last wins; invalid UTF-8 is accepted and kept.
type Cursor struct {
	raw []byte
	buf *bytes.Buffer
	dec *jsontext.Decoder
}

var jsonOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// Reset points the cursor at raw, which must not change while it is walked.
func (c *Cursor) Reset(raw []byte) {
	c.raw = raw
	if c.dec == nil {
		c.buf = bytes.NewBuffer(raw)
		c.dec = jsontext.NewDecoder(c.buf, jsonOptions...)
		return
	}
	*c.buf = *bytes.NewBuffer(raw)
	c.dec.Reset(c.buf, jsonOptions...)
}

// Object calls f for each member of the object at the cursor. F must consume
// the value: with Object, Array, Span or one of the scalar methods. A value of
// another kind is consumed and f is not called.
func (c *Cursor) Object(f func(name []byte) error) error {
	if c.dec.PeekKind() != '{' {
		return c.Skip()
	}
	if _, err := c.dec.ReadToken(); err != nil {
		return err
	}
	for c.dec.PeekKind() == '"' {
		name, err := c.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := f(unquoteName(name)); err != nil {
			return err
		}
	}
	_, err := c.dec.ReadToken()
	return err
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
	if c.dec.PeekKind() != '[' {
		return c.Skip()
	}
	if _, err := c.dec.ReadToken(); err != nil {
		return err
	}
	for {
		switch c.dec.PeekKind() {
		case ']':
			_, err := c.dec.ReadToken()
			return err
		case 0:
			_, err := c.dec.ReadToken()
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
}

// Kind is the kind of the value at the cursor: '{', '[', '"', '0', 't', 'f',
// 'n', or 0 at the end or on an error.
func (c *Cursor) Kind() byte { return byte(c.dec.PeekKind()) }

// Skip consumes the value at the cursor. The value is read whole, which is
// faster than skipping its tokens: the unit is in memory anyway.
func (c *Cursor) Skip() error {
	_, err := c.dec.ReadValue()
	return err
}

// Bytes consumes the value and returns a string without its quotes, else nil.
// The bytes are valid as long as the unit is.
func (c *Cursor) Bytes() ([]byte, error) {
	if c.dec.PeekKind() != '"' {
		return nil, c.Skip()
	}
	v, err := c.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	return unquoteName(v), nil
}

// Span consumes the value at the cursor and returns where it stands. A null
// gives the zero span.
func (c *Cursor) Span() (ingest.Span, error) {
	null := c.dec.PeekKind() == 'n'
	v, err := c.dec.ReadValue()
	if err != nil || null {
		return ingest.Span{}, err
	}
	end := c.dec.InputOffset()
	return ingest.Span{Off: uint32(end - int64(len(v))), Len: uint32(len(v))}, nil
}

// String consumes the value and returns it if it is a string, else "".
func (c *Cursor) String() (string, error) {
	if c.dec.PeekKind() != '"' {
		return "", c.Skip()
	}
	tok, err := c.dec.ReadToken()
	if err != nil {
		return "", err
	}
	return tok.String(), nil
}

// ID consumes the value and returns a string or a number as text, else "".
func (c *Cursor) ID() (string, error) {
	if k := c.dec.PeekKind(); k != '"' && k != '0' {
		return "", c.Skip()
	}
	tok, err := c.dec.ReadToken()
	if err != nil {
		return "", err
	}
	return tok.String(), nil
}

// Int consumes the value and returns it if it is a number, or a string that
// holds one; ok tells whether it was.
func (c *Cursor) Int() (n int64, ok bool, err error) {
	f, ok, err := c.Float()
	if !ok || f != f || f > 1<<62 || f < -(1<<62) {
		return 0, false, err
	}
	return int64(f), true, err
}

// Float consumes the value; see Int.
func (c *Cursor) Float() (f float64, ok bool, err error) {
	k := c.dec.PeekKind()
	if k != '0' && k != '"' {
		return 0, false, c.Skip()
	}
	tok, err := c.dec.ReadToken()
	if err != nil {
		return 0, false, err
	}
	f, perr := strconv.ParseFloat(tok.String(), 64)
	return f, perr == nil, nil
}

// Bool consumes the value and returns it if it is true or false.
func (c *Cursor) Bool() (b, ok bool, err error) {
	switch c.dec.PeekKind() {
	case 't', 'f':
		tok, err := c.dec.ReadToken()
		if err != nil {
			return false, false, err
		}
		return tok.Bool(), true, nil
	}
	return false, false, c.Skip()
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
	c.dec.PeekKind()
	off := int(c.dec.InputOffset())
	return off + len(c.raw[off:]) - len(bytes.TrimLeft(c.raw[off:], " \t\r\n,:"))
}

// Since is the span from a mark to the cursor: the value that was consumed in
// parts.
func (c *Cursor) Since(mark int) ingest.Span {
	end := int(c.dec.InputOffset())
	if end <= mark {
		return ingest.Span{}
	}
	return ingest.Span{Off: uint32(mark), Len: uint32(end - mark)}
}

// Done checks that nothing but white space follows the value.
func (c *Cursor) Done() error {
	rest := bytes.TrimLeft(c.raw[c.dec.InputOffset():], " \t\r\n")
	if len(rest) > 0 {
		return fmt.Errorf("%w at byte %d", errTail, len(c.raw)-len(rest))
	}
	return nil
}
