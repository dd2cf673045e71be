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
	// Look is shown the first elements of a list, with the content id that
	// each will have, by Outline only; it returns false when it has seen
	// enough.
	Look func(u *Unit, id string) bool
}

// Decode walks the document once, front to back, and never holds more than one
// element. A document that breaks off keeps the elements before the break; the
// rest is one quarantined unit.
func (d *Document) Decode(in *Input, w *Writer) error {
	p := &docWalk{doc: d, in: in, w: w}
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	_, p.base = trimBOM(head)
	p.lines = &newlines{r: io.NewSectionReader(in, p.base, in.Size-p.base)}
	p.dec = jsontext.NewDecoder(p.lines, jsonOptions...)
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
	return p.broken(err)
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

// broken quarantines what follows the last good value.
func (p *docWalk) broken(cause error) error {
	off := p.dec.InputOffset()
	kind := "invalid-json"
	if errors.Is(cause, io.ErrUnexpectedEOF) || errors.Is(cause, io.EOF) {
		kind, cause = "truncated", io.ErrUnexpectedEOF
	}
	rest := make([]byte, min(p.in.Size-p.base-off, maxQuarantine))
	n, err := p.in.ReadAt(rest, p.base+off)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", p.in.Path, err)
	}
	at := p.place(off)
	p.w.Quarantine(rest[:n], at.line, at.offset, kind, cause)
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
		v, err := p.dec.ReadValue()
		if err != nil {
			return err
		}
		off := p.dec.InputOffset() - int64(len(v))
		at := p.place(off)
		if len(v) > MaxUnit {
			p.w.SkipAt(at.line, at.offset, "oversized", fmt.Sprintf("%d bytes, limit %d", len(v), MaxUnit))
			continue
		}
		if err := p.w.value(&p.c, v, at, p.doc.Unit); err != nil {
			return fatalError{err}
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// aside skips the elements of a list, each with its place.
func (p *docWalk) aside(reason string) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != ']' {
		off := p.next()
		if err := p.dec.SkipValue(); err != nil {
			return err
		}
		at := p.place(off)
		p.w.SkipAt(at.line, at.offset, reason, "")
	}
	_, err := p.dec.ReadToken()
	return err
}

// newlines counts lines for a decoder that reads ahead: it keeps where the
// newlines stand that were read but not yet asked about.
type newlines struct {
	r     io.Reader
	read  int64
	ahead []int64
	head  int // first element of ahead that was not passed
	count int
	err   error
}

func (n *newlines) Read(b []byte) (int, error) {
	if n.head > len(n.ahead)/2 {
		n.ahead = append(n.ahead[:0], n.ahead[n.head:]...)
		n.head = 0
	}
	m, err := n.r.Read(b)
	for i, c := range b[:m] {
		if c == '\n' {
			n.ahead = append(n.ahead, n.read+int64(i))
		}
	}
	n.read += int64(m)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return m, err
}

// line returns the line of an offset; offsets must not go down.
func (n *newlines) line(off int64) int {
	for n.head < len(n.ahead) && n.ahead[n.head] < off {
		n.head++
		n.count++
	}
	return n.count + 1
}
