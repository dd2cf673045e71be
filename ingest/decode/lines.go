package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// LineDecoder reads one unit: it walks the value at the cursor to its end and
// adds events. An error from Skipped skips the unit; any other quarantines it.
type LineDecoder func(c *Cursor, u *Unit) error

var bom = []byte("\xef\xbb\xbf")

// Lines decodes a file of JSON values, one a line: it accepts a byte order
// mark, CRLF, blank lines, no newline at the end, values glued together on one
// line, and a value cut off and joined to the next one. What is no value goes
// into quarantine and the rest goes on.
func (w *Writer) Lines(in *Input, decode LineDecoder) error {
	var c Cursor
	return w.eachLine(in, func(raw []byte, at linePlace) error { return w.line(&c, raw, at, decode) })
}

// eachLine calls f with each line that can be held, and skips the others.
func (w *Writer) eachLine(in *Input, f func(raw []byte, at linePlace) error) error {
	return w.rawLines(in, func(raw []byte, at linePlace) error {
		if at.tooLong > 0 {
			w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("%d bytes, limit %d", at.tooLong, MaxUnit))
			return nil
		}
		return f(raw, at)
	})
}

func (w *Writer) rawLines(in *Input, f func(raw []byte, at linePlace) error) error {
	l := lineReader{buf: in.Held, eof: true, taken: in.Taken}
	if in.Held == nil {
		l = lineReader{r: in.Reader(), buf: w.mem.lineBuffer(in.Size), taken: in.Taken}
		defer func() { w.mem.lines = l.buf }()
	}
	for {
		raw, at, err := l.next()
		if err == io.EOF && w.settled && in.wait != nil {
			if err = w.await(in, &l); err == nil {
				continue
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", in.Path, err)
		}
		if err := f(raw, at); err != nil {
			return err
		}
	}
}

// await waits behind the last line for more, and gives up its buffer meanwhile.
func (w *Writer) await(in *Input, l *lineReader) (err error) {
	if l.r != nil {
		w.mem.lines = l.buf
	}
	l.base, l.buf, l.pos = l.base+int64(l.pos), nil, 0
	if l.r, err = in.wait(); err == nil {
		l.buf, l.eof = w.mem.lineBuffer(in.Size-l.base), false
	}
	return err
}

// Each calls f with each line of the input, its number and its offset, without
// making it a unit: for what must be known of a file before its first unit is
// decoded, and for units that are no JSON. A byte order mark is passed over; a
// line above MaxUnit is nil. The line is valid until the next call.
func (w *Writer) Each(in *Input, f func(line []byte, number int, offset int64) error) error {
	return w.rawLines(in, func(raw []byte, at linePlace) error {
		if at.offset == 0 {
			raw, at.offset = trimBOM(raw)
		}
		if at.tooLong > 0 {
			raw = nil
		}
		return f(raw, at.line, at.offset)
	})
}

// line handles the usual case, one value on the line, and falls back.
func (w *Writer) line(c *Cursor, raw []byte, at linePlace, decode LineDecoder) error {
	if raw, at = trimLine(raw, at, " \t"); len(raw) == 0 {
		return nil
	}
	u := w.cut(raw, at)
	c.Reset(u.Data)
	err := decode(c, u)
	if err == nil {
		if err = c.Done(); err == nil {
			return w.Keep(u)
		}
	}
	if errors.Is(err, ErrSkip) && c.drain() == nil {
		w.Skip(u, err.Error())
		return nil
	}
	return w.recover(c, raw, at, decode)
}

// trimLine takes the byte order mark of the file and the blanks around it off a
// line; left lists what counts as a blank before it.
func trimLine(raw []byte, at linePlace, left string) ([]byte, linePlace) {
	if at.offset == 0 {
		raw, at.offset = trimBOM(raw)
	}
	trimmed := bytes.TrimLeft(raw, left)
	at.offset += int64(len(raw) - len(trimmed))
	return bytes.TrimRight(trimmed, " \t\r"), at
}

func trimBOM(raw []byte) ([]byte, int64) {
	if bytes.HasPrefix(raw, bom) {
		return raw[len(bom):], int64(len(bom))
	}
	return raw, 0
}

// drain checks that the line holds exactly one value, whatever was consumed.
func (c *Cursor) drain() error {
	if !jsontext.Value(c.raw).IsValid(jsonOptions...) {
		return errors.New("not one JSON value")
	}
	return nil
}

// maxGlue bounds how many values, or tries at one, a line may need.
const maxGlue = 4096

// recover cuts a line that is not exactly one value: values glued together
// are units of their own, and after a broken one the next object is looked for.
func (w *Writer) recover(c *Cursor, raw []byte, at linePlace, decode LineDecoder) error {
	if plain := WithoutConstants(raw); plain != nil {
		raw = plain
	}
	for tries := 0; len(raw) > 0; tries++ {
		n, verr := firstValue(raw)
		if verr == nil {
			if err := w.value(c, raw[:n], at, decode); err != nil {
				return err
			}
		} else if n = nextGlue(raw, verr); n == 0 || tries >= maxGlue {
			n = len(raw)
		}
		if verr != nil {
			w.Quarantine(raw[:n], at.line, at.offset, quarantineKind(raw, n, verr), verr)
		}
		rest := bytes.TrimLeft(raw[n:], " \t\r,")
		at.offset += int64(len(raw) - len(rest))
		raw = rest
	}
	return nil
}

func quarantineKind(raw []byte, n int, err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) && n == len(raw) {
		return "truncated"
	}
	return "invalid-json"
}

// value decodes one value that is known to be JSON.
func (w *Writer) value(c *Cursor, raw []byte, at linePlace, decode LineDecoder) error {
	u := w.cut(raw, at)
	c.Reset(u.Data)
	return w.end(u, raw, "undecodable", decode(c, u))
}

// end puts a unit, made of raw, where what its decoder said belongs.
func (w *Writer) end(u *Unit, raw []byte, kind string, said error) error {
	switch {
	case said == nil:
		return w.Keep(u)
	case errors.Is(said, ErrSkip):
		w.Skip(u, said.Error())
	default:
		w.Quarantine(raw, u.line, u.offset, kind, said)
	}
	return nil
}

// firstValue returns the length of the JSON value at the start of raw, which
// must be an object or an array: a bare number or word in a log is no unit.
func firstValue(raw []byte) (int, error) {
	if raw[0] != '{' && raw[0] != '[' {
		return 0, errors.New("not a JSON object")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsonOptions...)
	if err := dec.SkipValue(); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	return int(dec.InputOffset()), nil
}

// nextGlue returns where the next object may begin after a broken value.
func nextGlue(raw []byte, broken error) int {
	if i := joined(raw, broken); i > 0 {
		return i
	}
	if raw[0] != '{' { // text before an object
		return max(bytes.Index(raw, []byte(`{"`)), 0)
	}
	if i := bytes.Index(raw[1:], []byte(`}{"`)); i >= 0 {
		return i + 2
	}
	return 0
}

// joined finds an object that was written over the end of a value that was cut
// off. The cut value swallows its beginning, most often as the rest of a
// string, and breaks right behind it: {"a":"b{"type":… Only an object that is
// whole and last on the line, or followed by another, is one.
func joined(raw []byte, broken error) int {
	var syntax *jsontext.SyntacticError
	if !errors.As(broken, &syntax) || errors.Is(broken, io.ErrUnexpectedEOF) {
		return 0
	}
	end := min(int(syntax.ByteOffset)+len(`\{"`), len(raw))
	i := bytes.LastIndex(raw[:end], []byte(`{"`))
	if i <= 0 {
		return 0
	}
	n, err := firstValue(raw[i:])
	if rest := bytes.TrimLeft(raw[i+n:], " \t\r,"); err != nil || len(rest) > 0 && rest[0] != '{' {
		return 0
	}
	return i
}
