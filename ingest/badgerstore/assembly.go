package badgerstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// assembly puts the chunks of packed values together as they come in key
// order.
type assembly struct {
	key  []byte // of the value under way, without chunk number
	buf  []byte
	size int
	next uint16
}

// add takes one chunk and returns a packed value when it is complete. The
// value may be the chunk itself, which is the caller's.
func (a *assembly) add(key, chunk []byte) ([]byte, error) {
	if len(key) < 2 {
		return nil, fmt.Errorf("%w: key of %d bytes", errCorrupt, len(key))
	}
	name, n := key[:len(key)-2], binary.BigEndian.Uint16(key[len(key)-2:])
	if readable(chunk) != nil {
		a.next = 0
		return nil, nil
	}
	if n == 0 {
		size, err := packedSize(chunk)
		if err != nil || size == len(chunk) {
			return chunk, err
		}
		a.key, a.size, a.next = append(a.key[:0], name...), size, 1
		a.buf = append(make([]byte, 0, min(size, 64*chunkSize)), chunk...)
		return nil, nil
	}
	if n != a.next || !bytes.Equal(name, a.key) {
		a.next = 0 // a chunk is missing: none of the rest will fit
		return nil, nil
	}
	a.buf, a.next = append(a.buf, chunk...), n+1
	if len(a.buf) < a.size {
		return nil, nil
	}
	packed := a.buf
	a.buf, a.next = nil, 0
	return packed, nil
}
