package otlp

import (
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/faultline-dev/faultline/ingest/span"
)

// pairOf cuts a KeyValue; some write the value first.
func pairOf(message []byte) (key, value []byte, ok bool) {
	f, values := fields{rest: message}, 0
	for f.next() {
		switch f.n {
		case 1:
			key = f.val
			f.is(protowire.BytesType)
		case 2:
			value = f.val
			f.is(protowire.BytesType)
			values++
		case 3:
			f.is(protowire.VarintType)
		}
	}
	return key, value, !f.odd && values < 2
}

// wireDepth is how deep values are read here; the library goes on a little
// further before it refuses them.
const wireDepth = 32

// value appends what an AnyValue holds.
func (r *renderer) value(b []byte, key string, message []byte, depth int) ([]byte, bool) {
	f := fields{rest: message}
	held := fields{}
	for f.next() {
		if f.n <= 8 && held.n != 0 {
			return b, false
		} else if f.n <= 8 {
			held = f
		}
	}
	if f.odd || depth > wireDepth {
		return b, false
	}
	if held.n != 0 && !held.is(valueTypes[held.n]) {
		return b, false
	}
	switch held.n {
	case 1:
		return span.Text(b, key, held.val), true
	case 2:
		return strconv.AppendBool(b, held.num != 0), true
	case 3:
		return strconv.AppendInt(b, int64(held.num), 10), true
	case 4:
		return span.Float(b, math.Float64frombits(held.fixed())), true
	case 5:
		return r.values(b, held.val, depth+1)
	case 6:
		return r.pairs(b, held.val, depth+1)
	case 7:
		return span.Bytes(b, key, held.val), true
	}
	return append(b, "null"...), true
}

var valueTypes = [...]protowire.Type{1: 2, 2: 0, 3: 0, 4: 1, 5: 2, 6: 2, 7: 2, 8: 0}

// values appends an ArrayValue, pairs a KeyValueList.
func (r *renderer) values(b, message []byte, depth int) (_ []byte, ok bool) {
	f := fields{rest: message}
	b = append(b, '[')
	for first := true; f.next(); {
		if f.n != 1 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if !f.is(protowire.BytesType) {
			break
		}
		if b, ok = r.value(b, textKey, f.val, depth); !ok {
			return b, false
		}
	}
	return append(b, ']'), !f.odd
}

func (r *renderer) pairs(b, message []byte, depth int) (_ []byte, ok bool) {
	f := fields{rest: message}
	b = append(b, '{')
	for first := true; f.next(); {
		if f.n != 1 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		key, value, whole := pairOf(f.val)
		if !f.is(protowire.BytesType) || !whole {
			return b, false
		}
		if b, ok = r.value(append(span.Quote(b, key), ':'), textKey, value, depth); !ok {
			return b, false
		}
	}
	return append(b, '}'), !f.odd
}
