package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Document says how to decode a file that is one JSON value with a list of
// units in it.
type Document struct {
	// Lists names the members whose elements are units, in the order of
	// preference; "" stands for a document that is itself the list.
	Lists []string
	// Member is given the redacted value of every other top-level member, in
	// file order, and may fill in the run's Meta. It is no unit of its own.
	Member func(name string, value []byte) error
	// Unit decodes one element of a list.
	Unit LineDecoder
	// Under is the member in which the lists are looked for when they are not
	// at the top, "" for none.
	Under string
	// Heads limits Member to these names; nil means every name. Other members
	// are passed over without being held.
	Heads []string
	// Aside names lists whose elements are units that are skipped, with the
	// reason.
	Aside map[string]string
	// Whole names top-level members that are each one unit, unless they are
	// null. Outline passes over them unless Heads names them too.
	Whole map[string]LineDecoder
	// Parts names lists whose elements are documents of their own. Outline
	// passes over them.
	Parts map[string]func(*Input) error
	// Look is shown the first elements of a list, with the content id that
	// each will have, by Outline only; it returns false when it has seen
	// enough.
	Look func(u *Unit, id string) bool
}

// Decode walks the document once, front to back, and never holds more than one
// element. A document that breaks off keeps the elements before the break; the
// rest is one quarantined unit.
func (d *Document) Decode(in *Input, w *Writer) error {
	p, err := newWalk(in, w)
	if err != nil {
		return err
	}
	p.doc = d
	err = p.top(d.Under == "")
	if err == nil {
		if _, err = p.dec.ReadToken(); err == io.EOF {
			return nil
		} else if err == nil {
			err = errTail
		}
	}
	if p.lines.err != nil {
		return fmt.Errorf("read %s: %w", in.Path, p.lines.err)
	}
	var fatal fatalError
	if errors.As(err, &fatal) {
		return fatal.error
	}
	return p.broken(err, p.in.Size-p.base)
}

type docWalk struct {
	doc   *Document
	in    *Input
	w     *Writer
	dec   *jsontext.Decoder
	lines *newlines
	c     Cursor
	found bool
	base  int64 // length of the byte order mark

	inList bool // documents are the elements of a list
}

// newWalk stands before the first value of the input.
func newWalk(in *Input, w *Writer) (*docWalk, error) {
	head, err := in.Head()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", in.Path, err)
	}
	_, base := trimBOM(head)
	lines := &newlines{r: &constantsReader{in: io.NewSectionReader(in, base, in.Size-base), size: in.Size - base}}
	lines.dec = jsontext.NewDecoder(lines, jsonOptions...)
	return &docWalk{in: in, w: w, dec: lines.dec, lines: lines, base: base}, nil
}

// fatalError carries an error of the store or a hook through the walk.
type fatalError struct{ error }

// next is where the next value begins, once its kind was peeked at.
func (p *docWalk) next() int64 {
	rest := p.dec.UnreadBuffer()
	return p.dec.InputOffset() + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,")))
}

// place is where an offset of the document stands in the file; offsets must
// not go down.
func (p *docWalk) place(off int64) linePlace {
	return linePlace{line: p.in.Lines + p.lines.line(off), offset: p.in.Base + p.base + off}
}

// broken quarantines what follows the last good value, up to an offset. Behind a
// value that is too large to hold nothing is read.
func (p *docWalk) broken(cause error, end int64) error {
	if p.lines.over {
		at := p.place(p.next())
		p.w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("more than %d bytes; nothing behind it was read", MaxUnit))
		return nil
	}
	off := p.dec.InputOffset()
	kind := "invalid-json"
	if errors.Is(cause, io.ErrUnexpectedEOF) || errors.Is(cause, io.EOF) {
		kind, cause = "truncated", io.ErrUnexpectedEOF
	}
	length := end - off
	rest := make([]byte, min(length, maxQuarantine))
	n, err := p.in.ReadAt(rest, p.base+off)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", p.in.Path, err)
	}
	at := p.place(off)
	p.w.lose(rest[:n], length, at, kind, cause)
	return nil
}

func (p *docWalk) top(here bool) error {
	switch p.dec.PeekKind() {
	case '[':
		if p.isList("") {
			return p.list()
		}
		return p.dec.SkipValue()
	case '{':
		return p.object(here)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	return errors.New("not a JSON object or list")
}

func (p *docWalk) isList(name string) bool { return slices.Contains(p.doc.Lists, name) }

func (p *docWalk) object(here bool) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() == '"' {
		tok, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := p.member(tok.String(), here); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

func (p *docWalk) member(name string, here bool) error {
	kind := p.dec.PeekKind()
	switch {
	case kind == '[' && here && !p.found && p.isList(name):
		return p.list()
	case kind == '{' && !here && name == p.doc.Under:
		return p.object(true)
	}
	if kind == '[' && p.doc.Aside[name] != "" {
		return p.aside(p.doc.Aside[name])
	}
	if f := p.doc.Parts[name]; f != nil && kind == '[' {
		return p.parts(f)
	}
	if f := p.doc.Whole[name]; f != nil && kind != 'n' {
		return p.element(f)
	}
	return p.head(name)
}

// head gives a member that is no list of units to the hook.
func (p *docWalk) head(name string) error {
	if p.doc.Member == nil || p.doc.Heads != nil && !slices.Contains(p.doc.Heads, name) {
		return p.dec.SkipValue()
	}
	v, err := p.dec.ReadValue()
	if err != nil {
		return err
	}
	redacted, _ := p.w.redact.Unit(nil, v)
	if err := p.doc.Member(name, redacted); err != nil {
		return fatalError{err}
	}
	return nil
}

func (p *docWalk) list() error {
	p.found = true
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != ']' {
		if err := p.element(p.doc.Unit); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// element decodes the value at the cursor as a unit.
func (p *docWalk) element(decode LineDecoder) error {
	v, err := p.dec.ReadValue()
	if err != nil {
		return err
	}
	at := p.place(p.dec.InputOffset() - int64(len(v)))
	if len(v) > MaxUnit {
		p.w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("%d bytes, limit %d", len(v), MaxUnit))
		return nil
	}
	if err := p.w.value(&p.c, v, at, decode); err != nil {
		return fatalError{err}
	}
	return nil
}

// parts hands each element of a list on as a document of its own.
func (p *docWalk) parts(f func(*Input) error) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != ']' {
		part, err := p.part()
		if err != nil {
			return err
		}
		if err := f(part); err != nil {
			return fatalError{err}
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// part passes over the value at the cursor and returns it as an input.
func (p *docWalk) part() (*Input, error) {
	off := p.next()
	at := p.place(off)
	if err := p.dec.SkipValue(); err != nil {
		return nil, err
	}
	size := p.dec.InputOffset() - off
	return &Input{Path: p.in.Path, Size: size, Base: at.offset, Lines: at.line - 1,
		ReaderAt: io.NewSectionReader(p.in, p.base+off, size)}, nil
}

// aside skips the elements of a list, each with its place.
func (p *docWalk) aside(reason string) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != ']' {
		at := p.place(p.next())
		if err := p.dec.SkipValue(); err != nil {
			return err
		}
		p.w.SkipAt(at.line, at.offset, reason, "")
	}
	_, err := p.dec.ReadToken()
	return err
}

// newlines counts lines for a decoder that reads ahead: it keeps where the
// newlines stand that were read but not yet passed. It also bounds how far the
// decoder reads ahead, which is how much of one value it holds.
type newlines struct {
	r     io.Reader
	dec   *jsontext.Decoder
	read  int64
	ahead []int64
	head  int // first element of ahead that was not passed
	count int
	over  bool // a value is larger than MaxUnit
	err   error
}

var errOver = errors.New("value is too large to hold")

func (n *newlines) Read(b []byte) (int, error) {
	done := n.dec.InputOffset() // what is asked about lies behind it
	left := MaxUnit + 1 - (n.read - done)
	if left <= 0 {
		n.over = true
		return 0, errOver
	}
	b = b[:min(int64(len(b)), left)] // so that the decoder's buffer stays small
	n.line(done)
	if n.head > len(n.ahead)/2 {
		n.ahead = append(n.ahead[:0], n.ahead[n.head:]...)
		n.head = 0
	}
	m, err := n.r.Read(b)
	for at := 0; ; at++ {
		i := bytes.IndexByte(b[at:m], '\n')
		if i < 0 {
			break
		}
		at += i
		n.ahead = append(n.ahead, n.read+int64(at))
	}
	n.read += int64(m)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return m, err
}

// line returns the line of an offset; offsets must not go down, nor lie before
// what the decoder consumed when it last read.
func (n *newlines) line(off int64) int {
	for n.head < len(n.ahead) && n.ahead[n.head] < off {
		n.head++
		n.count++
	}
	return n.count + 1
}
