package otlp

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
)

// fields walks the fields of a message.
type fields struct {
	rest []byte
	n    uint64 // number of the field in hand
	typ  protowire.Type
	num  uint64 // its value, or
	val  []byte // its bytes
	odd  bool   // it stopped at something that is out of the ordinary
}

func (f *fields) next() bool {
	if len(f.rest) == 0 || f.odd {
		return false
	}
	tag, ok := f.varint()
	f.n, f.typ = tag>>3, protowire.Type(tag&7)
	if !ok || f.n == 0 || f.n > uint64(protowire.MaxValidNumber) {
		return f.stop()
	}
	size := uint64(0)
	switch f.typ {
	case protowire.VarintType:
		if f.num, ok = f.varint(); !ok {
			return f.stop()
		}
		return true
	case protowire.BytesType:
		if size, ok = f.varint(); !ok {
			return f.stop()
		}
	case protowire.Fixed64Type:
		size = 8
	case protowire.Fixed32Type:
		size = 4
	default:
		return f.stop()
	}
	if size > uint64(len(f.rest)) {
		return f.stop()
	}
	f.val, f.rest = f.rest[:size:size], f.rest[size:]
	return true
}

func (f *fields) stop() bool {
	f.odd = true
	return false
}

func (f *fields) varint() (v uint64, ok bool) {
	if len(f.rest) > 0 && f.rest[0] < 0x80 {
		v, f.rest = uint64(f.rest[0]), f.rest[1:]
		return v, true
	}
	v, n := protowire.ConsumeVarint(f.rest)
	if n < 0 {
		return 0, false
	}
	f.rest = f.rest[n:]
	return v, true
}

// is reports that the field is of a type, and else stops.
func (f *fields) is(t protowire.Type) bool {
	f.odd = f.odd || f.typ != t
	return !f.odd
}

// fixed is the number in a field of 32 or 64 bits.
func (f *fields) fixed() uint64 {
	if f.typ == protowire.Fixed32Type {
		return uint64(binary.LittleEndian.Uint32(f.val))
	}
	return binary.LittleEndian.Uint64(f.val)
}

// each calls g for the fields of a message whose types are known.
func each(message []byte, types []protowire.Type, g func(f *fields) bool) bool {
	f := fields{rest: message}
	for f.next() {
		if f.n < uint64(len(types)) && (!f.is(types[f.n]) || !g(&f)) {
			return false
		}
	}
	return !f.odd
}
