package otlp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/span"
)

// The fields of TracesData and ExportTraceServiceRequest, which are alike, and
// of what they hold.
const (
	fieldResourceSpans protowire.Number = 1
	fieldResource      protowire.Number = 1
	fieldScopeSpans    protowire.Number = 2
	fieldScope         protowire.Number = 1
	fieldSpans         protowire.Number = 2
)

// protoFile is a file of messages under way. It reads the heads of fields and
// passes over what is no span, so that no message is held whole.
type protoFile struct {
	sink
	in   *decode.Input
	held []byte        // the whole input, or
	r    *bufio.Reader // what reads it
	at   int64
	ren  *renderer
	buf  []byte
	raw  []byte // the last bytes that were read
}

// newProtoFile reads the input from an offset on, up to another.
func newProtoFile(in *decode.Input, k sink, from, to int64, buffer int) *protoFile {
	f := &protoFile{in: in, sink: k, at: from, ren: &renderer{}}
	if int64(len(in.Held)) == in.Size && in.Size > 0 {
		f.held = in.Held
	} else {
		f.r = bufio.NewReaderSize(io.NewSectionReader(in, from, to-from), buffer)
	}
	return f
}

func decodeProto(in *decode.Input, w *decode.Writer) error {
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	f := newProtoFile(in, sink{w: w, d: span.NewDecoder(w)}, 0, in.Size, 256<<10)
	defer f.d.Close()
	err = f.messages(framingOf(head))
	var fatal fatalError
	switch {
	case err == nil || err == io.EOF:
		return nil
	case errors.As(err, &fatal):
		return fatal.error
	case errors.Is(err, errWire) || errors.Is(err, io.ErrUnexpectedEOF):
		return f.broken(err)
	}
	return fmt.Errorf("read %s: %w", in.Path, err)
}

var errWire = errors.New("not the protobuf of spans")

// messages reads the messages of the file. Without a frame there is one, or
// several that add up to one.
func (f *protoFile) messages(frame framing) error {
	for f.at < f.in.Size {
		length := f.in.Size - f.at
		switch frame {
		case varint:
			n, err := f.uvarint()
			if err != nil {
				return err
			}
			length = int64(min(n, 1<<62))
		case bigEndian:
			var b [4]byte
			if err := f.read(b[:]); err != nil {
				return err
			}
			length = int64(binary.BigEndian.Uint32(b[:]))
		}
		if f.at+length > f.in.Size {
			return io.ErrUnexpectedEOF
		}
		err := f.fields(f.at+length, func(n protowire.Number, end int64) error {
			if n != fieldResourceSpans {
				return f.skip(end)
			}
			return f.resource(end)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fields calls g for each field with a length up to end; g consumes it. Other
// fields are passed over.
func (f *protoFile) fields(end int64, g func(n protowire.Number, end int64) error) error {
	for f.at < end {
		tag, err := f.uvarint()
		if err != nil {
			return err
		}
		n, typ := protowire.DecodeTag(tag)
		if !n.IsValid() {
			return fmt.Errorf("%w: field number %d", errWire, n)
		}
		switch typ {
		case protowire.BytesType:
			length, err := f.uvarint()
			if err != nil {
				return err
			}
			if length > uint64(end-f.at) || f.at > end {
				return io.ErrUnexpectedEOF
			}
			if err := g(n, f.at+int64(length)); err != nil {
				return err
			}
		case protowire.VarintType:
			_, err = f.uvarint()
		case protowire.Fixed64Type:
			err = f.skip(f.at + 8)
		case protowire.Fixed32Type:
			err = f.skip(f.at + 4)
		default:
			err = fmt.Errorf("%w: wire type %d", errWire, typ)
		}
		if err != nil {
			return err
		}
	}
	if f.at > end {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (f *protoFile) resource(end int64) error {
	at := f.at
	var resource []byte
	known := f.dry
	return f.fields(end, func(n protowire.Number, stop int64) error {
		switch n {
		case fieldResource:
			if f.dry {
				return f.skip(stop)
			}
			b, err := f.bytes(stop)
			resource, known = f.common(fieldResource, b), true
			return err
		case fieldScopeSpans:
			if !known {
				b, err := f.find(at, end, fieldResource)
				if err != nil {
					return err
				}
				resource, known = f.common(fieldResource, b), true
			}
			return f.scope(stop, resource)
		}
		return f.skip(stop)
	})
}

func (f *protoFile) scope(end int64, resource []byte) error {
	at := f.at
	var scope []byte
	known := f.dry
	return f.fields(end, func(n protowire.Number, stop int64) error {
		switch n {
		case fieldScope:
			if f.dry {
				return f.skip(stop)
			}
			b, err := f.bytes(stop)
			scope, known = f.common(fieldScopeSpans, embed(fieldScope, b)), true
			return err
		case fieldSpans:
			if !known {
				b, err := f.find(at, end, fieldScope)
				if err != nil {
					return err
				}
				scope, known = f.common(fieldScopeSpans, embed(fieldScope, b)), true
			}
			return f.span(stop, resource, scope)
		}
		return f.skip(stop)
	})
}

// find looks for a field that stands behind the spans it is about.
func (f *protoFile) find(at, end int64, want protowire.Number) ([]byte, error) {
	ahead := newProtoFile(f.in, sink{}, at, end, 4<<10)
	var found []byte
	err := ahead.fields(end, func(n protowire.Number, stop int64) (err error) {
		if n == want && found == nil {
			found, err = ahead.bytes(stop)
			return err
		}
		return ahead.skip(stop)
	})
	if errors.Is(err, errWire) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // met again on the way
	}
	return found, err
}

func embed(n protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
}

// common renders what spans have in common; see jsonFile.common.
func (f *protoFile) common(n protowire.Number, b []byte) []byte {
	kind := scopeSpans
	if n == fieldResource {
		kind = resourceMessage
	}
	if partsOf(b, kind) > maxParts {
		return nil
	}
	td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(embed(fieldResourceSpans, embed(n, b)))
	switch {
	case err != nil || td.ResourceSpans().Len() != 1:
		return nil
	case n == fieldResource:
		return f.ren.resourceOf(td.ResourceSpans().At(0).Resource(), "")
	case td.ResourceSpans().At(0).ScopeSpans().Len() != 1:
		return nil
	}
	return f.ren.scopeOf(td.ResourceSpans().At(0).ScopeSpans().At(0).Scope())
}

// span reads one span as the collector does. One that is at fault is quarantined
// as it is rendered, where it could be read: in that its secrets can be told by
// the names that they stand under.
func (f *protoFile) span(end int64, resource, scope []byte) error {
	if f.dry {
		return f.skip(end)
	}
	at := f.at
	raw, err := f.bytes(end)
	if err != nil {
		return err
	}
	if raw == nil {
		f.pass(1, at, end-at)
		return nil
	}
	if len(raw) > 2*maxParts && partsOf(raw, spanMessage) > maxParts { // a part has two bytes or more
		f.refuse(raw, 1, at, errParts)
		return nil
	}
	if s, ok := f.ren.wire(raw, resource, scope); ok {
		return f.hand(s, at, end)
	}
	td, fault := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(f.wrapped(raw))
	if fault == nil {
		fault = errWire
		if s, ok := only(td); ok {
			return f.hand(f.ren.of(s, resource, scope), at, end)
		}
	}
	f.refuse(raw, 1, at, fault)
	return nil
}

// hand hands on a span that could be read.
func (f *protoFile) hand(s *span.Span, at, end int64) error {
	fault, err := f.take(s, 1, at, end-at)
	if err != nil {
		return fatalError{err}
	}
	if fault != nil {
		f.refuse(s.Append(nil), 1, at, fault)
	}
	return nil
}
