package otlp

import (
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// wrapped is a span as a document of its own. The buffer is used again: spans
// keep nothing of it.
func (f *protoFile) wrapped(raw []byte) []byte {
	inner := protowire.SizeTag(fieldSpans) + protowire.SizeBytes(len(raw))
	outer := protowire.SizeTag(fieldScopeSpans) + protowire.SizeBytes(inner)
	b := protowire.AppendTag(f.buf[:0], fieldResourceSpans, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(outer))
	b = protowire.AppendTag(b, fieldScopeSpans, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(inner))
	b = protowire.AppendTag(b, fieldSpans, protowire.BytesType)
	f.buf = protowire.AppendBytes(b, raw)
	return f.buf
}

func (f *protoFile) uvarint() (uint64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		c, err := f.readByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		f.at++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%w: number of more than 64 bits", errWire)
}

func (f *protoFile) readByte() (byte, error) {
	switch {
	case f.held == nil:
		return f.r.ReadByte()
	case f.at >= int64(len(f.held)):
		return 0, io.EOF
	}
	return f.held[f.at], nil
}

func (f *protoFile) read(b []byte) error {
	if f.held != nil && f.at <= int64(len(f.held)) {
		n := copy(b, f.held[f.at:])
		if f.at += int64(n); n < len(b) {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
	n, err := io.ReadFull(f.r, b)
	f.at += int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// bytes reads up to end; nil, passed over, when that is too large to hold. They
// are valid until the next call.
func (f *protoFile) bytes(end int64) ([]byte, error) {
	if end-f.at > decode.MaxUnit {
		return nil, f.skip(end)
	}
	if f.held != nil && end <= int64(len(f.held)) {
		b := f.held[f.at:end:end]
		f.at = end
		return b, nil
	}
	n := int(end - f.at)
	f.raw = slices.Grow(f.raw[:0], n)[:n]
	return f.raw, f.read(f.raw)
}

func (f *protoFile) skip(end int64) error {
	if end > f.in.Size {
		f.at = f.in.Size
		return io.ErrUnexpectedEOF
	}
	if f.held != nil {
		f.at = end
		return nil
	}
	if n := end - f.at; n > int64(f.r.Buffered()) {
		f.r.Reset(io.NewSectionReader(f.in, end, f.in.Size-end))
	} else if _, err := f.r.Discard(int(n)); err != nil {
		return err
	}
	f.at = end
	return nil
}

// broken quarantines the rest of the file from where it makes no sense.
func (f *protoFile) broken(cause error) error {
	kind := "invalid-protobuf"
	if cause == io.ErrUnexpectedEOF {
		kind = "truncated"
	}
	at := min(f.at, f.in.Size)
	rest := make([]byte, min(f.in.Size-at, 64<<10))
	n, err := f.in.ReadAt(rest, at)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", f.in.Path, err)
	}
	f.w.QuarantineRest(rest[:n], f.in.Size-at, 1, at, kind, cause)
	return nil
}

// framing is how messages follow each other in a file.
type framing int

const (
	unframed  framing = iota
	varint            // each behind its length as a varint
	bigEndian         // each behind its length in four bytes
)

// framingOf tells the framing from the beginning of a file; see isProto.
func framingOf(head []byte) framing {
	switch {
	case holdsSpan(head, messageDepth):
		return unframed
	case len(head) > 4 && holdsSpan(head[4:], messageDepth):
		return bigEndian
	}
	return varint
}
