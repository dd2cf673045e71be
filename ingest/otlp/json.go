package otlp

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/span"
)

// jsonFile is a file of JSON under way.
type jsonFile struct {
	sink
	in     *decode.Input
	s      *scanner
	r      *renderer
	c      decode.Cursor
	wrap   []byte
	units  int
	dump   bool  // spans stand outside of resourceSpans
	strict bool  // what is in the place of spans and is none is a fault
	last   bool  // a further break ends the file
	spent  int64 // bytes read in vain up to breaks
}

// patience bounds how much is read in vain, in times of the file: what is cut off
// may have to be read to the end of the file before that is known.
const patience = 16

// decodeJSON reads documents, one after another, to the end of the file. After
// a document that breaks off, the next one is looked for at the start of a line.
func decodeJSON(in *decode.Input, w *decode.Writer, dump bool) error {
	f := &jsonFile{in: in, r: &renderer{}, sink: sink{w: w, d: span.NewDecoder(w)}, dump: dump}
	defer f.d.Close()
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	start, line := int64(len(head)-len(bytes.TrimPrefix(head, bom))), 0
	for {
		f.last = f.spent > patience*in.Size
		next, err := f.documents(start, line)
		if err != nil || next.offset < 0 {
			return err
		}
		start, line = next.offset, next.line
	}
}

var bom = []byte("\xef\xbb\xbf")

// place is an offset of the file and how many newlines stand before it.
type place struct {
	offset int64
	line   int
}

// documents reads from an offset up to the end, or to a break. It returns where
// to go on, a negative offset at the end.
func (f *jsonFile) documents(start int64, line int) (place, error) {
	f.s = newScanner(io.NewSectionReader(f.in, start, f.in.Size-start))
	f.s.base, f.s.line = start, line
	for {
		c := f.s.peek()
		at := place{f.s.offset(), f.s.line}
		var err error
		switch {
		case c == 0 && (f.s.err != nil || at.offset >= f.in.Size):
			return place{offset: -1}, f.reading(nil)
		case c == ',':
			f.s.pos++
			continue
		case c == '{' || c == '[':
			units := f.units
			f.s.begin()
			err = f.document(0)
			if f.s.inside = false; err == nil && f.units == units {
				f.units++
				f.w.SkipAt(at.line+1, at.offset, "no-spans", "")
			}
		default:
			err = errShape
		}
		if err == nil {
			continue
		}
		var fatal fatalError
		if errors.As(err, &fatal) {
			return place{}, fatal.error
		}
		if rerr := f.reading(nil); rerr != nil {
			return place{}, rerr
		}
		return f.resume(at, err)
	}
}

// fatalError carries an error of the store through the walk.
type fatalError struct{ error }

func (f *jsonFile) reading(err error) error {
	if f.s.err != nil {
		return fmt.Errorf("read %s: %w", f.in.Path, f.s.err)
	}
	return err
}

// resume quarantines what is broken, from the last byte that was understood to
// the next line that begins like a document, and returns where that stands.
func (f *jsonFile) resume(document place, cause error) (place, error) {
	from := place{f.s.offset(), f.s.line}
	f.spent += max(f.s.passed-from.offset, 0)
	next := place{offset: -1}
	if !f.last {
		var err error
		if next, err = f.nextDocument(document, from); err != nil {
			return place{}, err
		}
	}
	length := f.in.Size - from.offset
	if next.offset >= 0 {
		length = next.offset - from.offset
	}
	rest := make([]byte, min(length, 64<<10))
	n, err := f.in.ReadAt(rest, from.offset)
	if err != nil && err != io.EOF {
		return place{}, fmt.Errorf("read %s: %w", f.in.Path, err)
	}
	kind := "invalid-json"
	if errors.Is(cause, errCut) {
		kind = "truncated"
	}
	f.w.QuarantineRest(rest[:n], length, from.line+1, from.offset, kind, cause)
	return next, nil
}

// nextDocument finds a line behind a place that begins with an object. The broken
// document is none.
func (f *jsonFile) nextDocument(broken, from place) (place, error) {
	buf := make([]byte, minBuffer)
	at := from
	newline := from.offset > broken.offset // the place may be the start of a line
	if newline {
		if _, err := f.in.ReadAt(buf[:1], from.offset-1); err != nil && err != io.EOF {
			return place{}, fmt.Errorf("read %s: %w", f.in.Path, err)
		}
		newline = buf[0] == '\n'
	}
	for {
		n, err := f.in.ReadAt(buf, at.offset)
		for _, c := range buf[:n] {
			if newline && c == '{' {
				return at, nil
			}
			at.offset++
			if newline = c == '\n'; newline {
				at.line++
			}
		}
		if err == io.EOF || n == 0 {
			return place{offset: -1}, nil
		}
		if err != nil {
			return place{}, fmt.Errorf("read %s: %w", f.in.Path, err)
		}
	}
}

// maxWraps bounds the objects around the spans of a document.
const maxWraps = 4

// document reads a value that holds spans: an OTLP request, a list of spans, an
// object around either, or a span.
func (f *jsonFile) document(depth int) error {
	switch {
	case f.s.peek() == '[' && depth < maxWraps && !f.strict:
		return f.s.elements(func() error { return f.element(depth + 1) })
	case f.s.peek() != '{' || depth >= maxWraps:
		return f.other('{')
	case f.dump && f.shape() == oneSpan:
		return f.one(f.flat)
	}
	return f.s.members(func(name string) error {
		list := f.s.peek() == '['
		switch {
		case resourceLists[name] && (list || f.strict):
			return f.list(f.resource)
		case wrappers[name] && (list || f.shape() == container), f.dump && list && !spanMembers[name]:
			return f.document(depth + 1)
		}
		return f.s.skip()
	})
}

// list calls g for each element of a list.
func (f *jsonFile) list(g func() error) error {
	if f.s.peek() != '[' {
		return f.other('[')
	}
	return f.s.elements(g)
}

// other passes over what stands where a value that begins with c belongs. A
// request may leave it out, but nothing else: what it holds would be lost.
func (f *jsonFile) other(c byte) error {
	if f.strict && f.s.peek() != 'n' {
		return f.s.next(c)
	}
	return f.s.skip()
}

// element reads an element of a list of a dump. An object that is neither a span
// nor around spans is read as one, so that it is accounted for.
func (f *jsonFile) element(depth int) error {
	if f.dump && f.s.peek() == '{' && f.shape() != container {
		return f.one(f.flat)
	}
	return f.document(depth)
}

// The names of OTLP/JSON, of its older versions and of the spelling that keeps
// the fields' names.
var (
	resourceLists = map[string]bool{"resourceSpans": true, "resource_spans": true, "batches": true}
	scopeLists    = map[string]bool{"scopeSpans": true, "scope_spans": true, "instrumentationLibrarySpans": true, "instrumentation_library_spans": true}
	scopes        = map[string]bool{"scope": true, "instrumentationLibrary": true, "instrumentation_library": true}
	wrappers      = map[string]bool{"data": true, "trace": true, "result": true, "spans": true, "items": true}
)

// resource reads an element of resourceSpans.
func (f *jsonFile) resource() error {
	if f.s.peek() != '{' {
		return f.other('{')
	}
	at := f.s.offset()
	var resource []byte
	known := f.dry
	return f.s.members(func(name string) error {
		switch {
		case name == "resource":
			v, err := f.s.take()
			resource, known = f.common(`{"resource":`, v), true
			return err
		case scopeLists[name]:
			if !known {
				resource, known = f.common(`{"resource":`, f.find(at, map[string]bool{"resource": true})), true
			}
			return f.list(func() error { return f.scope(resource) })
		}
		return f.s.skip()
	})
}

// scope reads an element of scopeSpans.
func (f *jsonFile) scope(resource []byte) error {
	if f.s.peek() != '{' {
		return f.other('{')
	}
	at := f.s.offset()
	var scope []byte
	known := f.dry
	return f.s.members(func(name string) error {
		switch {
		case scopes[name]:
			v, err := f.s.take()
			scope, known = f.common(`{"scopeSpans":[{"scope":`, v), true
			return err
		case name == "spans":
			if !known {
				scope, known = f.common(`{"scopeSpans":[{"scope":`, f.find(at, scopes)), true
			}
			return f.list(func() error {
				return f.one(func(v value) (fault, err error) { return f.span(v, resource, scope) })
			})
		}
		return f.s.skip()
	})
}

// find looks for a member of the object at an offset that stands behind the
// spans it is about.
func (f *jsonFile) find(at int64, names map[string]bool) (out value) {
	s := newScanner(io.NewSectionReader(f.in, at, f.in.Size-at))
	found := errors.New("found")
	err := s.members(func(name string) error {
		if !names[name] {
			return s.skip()
		}
		v, err := s.take()
		if err == nil {
			out, err = v, found
		}
		return err
	})
	if !errors.Is(err, found) {
		return value{} // whatever is broken is met again on the way
	}
	return out // of a scanner that reads no further
}

// common renders what spans have in common, as the collector reads it. What it
// cannot read is left out: no span is lost for that.
func (f *jsonFile) common(open string, v value) []byte {
	if f.dry || v.fault != nil || len(v.raw) == 0 || v.raw[0] != '{' {
		return nil
	}
	resource := open == `{"resource":`
	f.wrap = append(append(append(f.wrap[:0], `{"resourceSpans":[`...), open...), v.raw...)
	if !resource {
		f.wrap = append(f.wrap, "}]"...)
	}
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(append(f.wrap, "}]}"...))
	switch {
	case err != nil || td.ResourceSpans().Len() != 1:
		return nil
	case resource:
		return f.r.resourceOf(td.ResourceSpans().At(0).Resource(), "")
	case td.ResourceSpans().At(0).ScopeSpans().Len() != 1:
		return nil
	}
	return f.r.scopeOf(td.ResourceSpans().At(0).ScopeSpans().At(0).Scope())
}

// one hands on the span that is next, and quarantines it alone when it is at
// fault.
func (f *jsonFile) one(take func(v value) (fault, err error)) error {
	v, err := f.s.take()
	if err != nil {
		return err
	}
	f.units++
	switch {
	case f.dry:
		return nil
	case v.raw == nil:
		f.pass(v.line, v.offset, v.length)
		return nil
	case v.fault != nil:
		f.refuse(v.raw, v.line, v.offset, v.fault)
		return nil
	}
	fault, err := take(v)
	if err != nil {
		return fatalError{err}
	}
	if fault != nil {
		f.refuse(v.raw, v.line, v.offset, fault)
	}
	return nil
}

// span reads one span as the collector does. One that it refuses is read
// member by member.
func (f *jsonFile) span(v value, resource, scope []byte) (fault, err error) {
	f.wrap = append(append(f.wrap[:0], `{"resourceSpans":[{"scopeSpans":[{"spans":[`...), v.raw...)
	f.wrap = append(f.wrap, "]}]}]}"...)
	td, cause := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(f.wrap)
	if cause == nil {
		if s, ok := only(td); ok {
			return f.take(f.r.of(s, resource, scope), v.line, v.offset, v.length)
		}
		cause = errShape
	}
	return f.refused(v, resource, scope, cause)
}

// only is the span of a document that holds one.
func only(td ptrace.Traces) (s ptrace.Span, ok bool) {
	if td.SpanCount() != 1 {
		return s, false
	}
	return td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0), true
}
