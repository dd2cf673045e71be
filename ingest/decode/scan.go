package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/quote"
)

// The grammar of JSON, for a value that is in memory as a whole. It takes what
// jsontext takes when told to accept invalid UTF-8 and duplicate names, which a
// fuzz test holds it to; a stream's decoder spends more on a byte.

var errDepth = fmt.Errorf("nested deeper than %d", MaxDepth)

// white skips white space.
func (c *Cursor) white() {
	for c.pos < len(c.raw) {
		switch c.raw[c.pos] {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return
		}
	}
}

// unexpected is the error of a value that ends, or goes on wrongly, at the
// cursor.
func (c *Cursor) unexpected(want string) error {
	if c.pos >= len(c.raw) {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("invalid character %q at byte %d, want %s", c.raw[c.pos], c.pos, want)
}

// open enters an object or array, whose first byte is at the cursor.
func (c *Cursor) open() error {
	if c.depth++; c.depth > MaxDepth {
		return errDepth
	}
	c.pos++
	c.white()
	return nil
}

// more tells, behind an element, whether another follows; at the end it leaves
// what end closes.
func (c *Cursor) more(end byte) (bool, error) {
	c.white()
	if c.pos < len(c.raw) {
		switch c.raw[c.pos] {
		case ',':
			c.pos++
			c.white()
			return true, nil
		case end:
			c.close()
			return false, nil
		}
	}
	return false, c.unexpected("a comma or the end")
}

// at reports whether b is at the cursor.
func (c *Cursor) at(b byte) bool { return c.pos < len(c.raw) && c.raw[c.pos] == b }

func (c *Cursor) close() {
	c.pos++
	c.depth--
}

// name reads a member's name, in its quotes, and the colon.
func (c *Cursor) name() ([]byte, error) {
	if !c.at('"') {
		return nil, c.unexpected("a name")
	}
	from := c.pos
	if err := c.str(); err != nil {
		return nil, err
	}
	name := c.raw[from:c.pos]
	c.white()
	if !c.at(':') {
		return nil, c.unexpected("a colon")
	}
	c.pos++
	return name, nil
}

// value passes the value at the cursor.
func (c *Cursor) value() error {
	switch c.Kind() {
	case '"':
		return c.str()
	case '0':
		return c.number()
	case 't':
		return c.literal("true")
	case 'f':
		return c.literal("false")
	case 'n':
		return c.literal("null")
	case '{':
		return c.object()
	case '[':
		return c.array()
	}
	return c.unexpected("a value")
}

func (c *Cursor) object() error {
	if err := c.open(); err != nil {
		return err
	}
	if c.at('}') {
		c.close()
		return nil
	}
	for {
		if _, err := c.name(); err != nil {
			return err
		}
		if err := c.value(); err != nil {
			return err
		}
		if more, err := c.more('}'); !more {
			return err
		}
	}
}

func (c *Cursor) array() error {
	if err := c.open(); err != nil {
		return err
	}
	if c.at(']') {
		c.close()
		return nil
	}
	for {
		if err := c.value(); err != nil {
			return err
		}
		if more, err := c.more(']'); !more {
			return err
		}
	}
}

func (c *Cursor) literal(word string) error {
	for i := range len(word) {
		if !c.at(word[i]) {
			return c.unexpected(word)
		}
		c.pos++
	}
	return nil
}

func (c *Cursor) number() error {
	if c.at('-') {
		c.pos++
	}
	if c.at('0') {
		c.pos++
	} else if err := c.digits(); err != nil {
		return err
	}
	if c.at('.') {
		c.pos++
		if err := c.digits(); err != nil {
			return err
		}
	}
	if !c.at('e') && !c.at('E') {
		return nil
	}
	c.pos++
	if c.at('+') || c.at('-') {
		c.pos++
	}
	return c.digits()
}

// digits passes one digit or more.
func (c *Cursor) digits() error {
	from := c.pos
	for c.pos < len(c.raw) && '0' <= c.raw[c.pos] && c.raw[c.pos] <= '9' {
		c.pos++
	}
	if c.pos == from {
		return c.unexpected("a digit")
	}
	return nil
}

// str passes the string at the cursor.
func (c *Cursor) str() error {
	c.pos++
	if c.sound {
		return c.end()
	}
	for {
		c.pos += quote.Plain(c.raw[c.pos:])
		switch {
		case c.at('"'):
			c.pos++
			return nil
		case !c.at('\\'):
			return c.unexpected("no control character in a string")
		}
		c.pos++
		if err := c.escape(); err != nil {
			return err
		}
	}
}

// end passes the rest of a string that is known to be one.
func (c *Cursor) end() error {
	from := c.pos
	for {
		n := bytes.IndexByte(c.raw[c.pos:], '"')
		if n < 0 {
			return io.ErrUnexpectedEOF
		}
		c.pos += n + 1
		back := c.pos - 1 // of the backslashes before the quote
		for back > from && c.raw[back-1] == '\\' {
			back--
		}
		if (c.pos-1-back)%2 == 0 {
			return nil
		}
	}
}

// escape passes what follows a backslash.
func (c *Cursor) escape() error {
	if c.pos >= len(c.raw) {
		return io.ErrUnexpectedEOF
	}
	switch c.raw[c.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.pos++
		return nil
	case 'u':
		c.pos++
	default:
		return c.unexpected("an escape")
	}
	for range 4 {
		if c.pos >= len(c.raw) || !isHexDigit(c.raw[c.pos]) {
			return c.unexpected("a hexadecimal digit")
		}
		c.pos++
	}
	return nil
}

func isHexDigit(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f'
}

// Valid reports whether raw is one JSON value in UTF-8 that nests no deeper than
// depth levels. Names may stand twice.
func Valid(raw []byte, depth int) bool {
	c := Cursor{raw: raw, depth: MaxDepth - depth}
	switch {
	case c.value() != nil || c.Done() != nil || !utf8.Valid(raw):
		return false
	case bytes.Contains(raw, []byte(`\u`)): // may be half of a pair of surrogates
		return jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(false))
	}
	return true
}

var errTail = errors.New("bytes after the JSON value")
