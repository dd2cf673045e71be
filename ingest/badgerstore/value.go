package badgerstore

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

const (
	// chunkSize keeps a value below Badger's value threshold of 1 MiB.
	chunkSize = 768 << 10
	// rawLimit bounds one value before compression, so that a corrupt length
	// cannot allocate at will.
	rawLimit = 1 << 30
	// smallValue is what is not worth compressing: receipts and paths.
	smallValue = 512
	// maxRatio is what zstd can reach at most: a block of 128 KB from 4 bytes.
	maxRatio = 128 << 10 / 4
)

// A packed value is method, raw and packed length (four bytes each, big-endian)
// and the packed bytes. It is stored in chunks; the head is in the first one.
const (
	methodRaw  = 1
	methodZstd = 2
	headSize   = 9
)

// packer compresses and decompresses; it is safe for concurrent use.
type packer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newPacker() (packer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return packer{}, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(rawLimit), zstd.WithDecoderConcurrency(0))
	return packer{enc, dec}, err
}

func (p packer) close() {
	p.dec.Close()
	_ = p.enc.Close() // nothing is buffered between EncodeAll calls
}

// pack appends the packed value to dst, which is empty.
func (p packer) pack(dst, raw []byte) ([]byte, error) {
	if len(raw) > rawLimit {
		return nil, fmt.Errorf("value of %d bytes is larger than %d", len(raw), rawLimit)
	}
	out := append(dst, make([]byte, headSize)...)
	if len(raw) < smallValue {
		out[0] = methodRaw
		out = append(out, raw...)
	} else {
		out[0] = methodZstd
		out = p.enc.EncodeAll(raw, out)
	}
	binary.BigEndian.PutUint32(out[1:], uint32(len(raw)))
	binary.BigEndian.PutUint32(out[5:], uint32(len(out)-headSize))
	return out, nil
}

// packedSize reads from a first chunk how long the packed value is.
func packedSize(first []byte) (int, error) {
	if len(first) < headSize {
		return 0, fmt.Errorf("%w: head of %d bytes", errCorrupt, len(first))
	}
	size := headSize + int64(binary.BigEndian.Uint32(first[5:]))
	if size > 2*rawLimit || size < int64(len(first)) {
		return 0, fmt.Errorf("%w: length %d", errCorrupt, size)
	}
	return int(size), nil
}

// unpack returns the raw value in memory of its own.
func (p packer) unpack(packed []byte) ([]byte, error) {
	if size, err := packedSize(packed); err != nil {
		return nil, err
	} else if size != len(packed) {
		return nil, fmt.Errorf("%w: %d bytes of %d", errCorrupt, len(packed), size)
	}
	length, body := int(binary.BigEndian.Uint32(packed[1:])), packed[headSize:]
	var raw []byte
	var err error
	switch packed[0] {
	case methodRaw:
		raw = append(make([]byte, 0, len(body)), body...)
	case methodZstd:
		raw, err = p.decompress(body, length)
	default:
		err = fmt.Errorf("method %d", packed[0])
	}
	if err == nil && len(raw) != length {
		err = fmt.Errorf("%d raw bytes of %d", len(raw), length)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return raw, nil
}

// decompress believes a length only when the frame says the same and zstd can
// reach it.
func (p packer) decompress(body []byte, length int) ([]byte, error) {
	var head zstd.Header
	if err := head.Decode(body); err != nil {
		return nil, err
	}
	if !head.HasFCS || head.FrameContentSize != uint64(length) || length > rawLimit || length > (len(body)+1)*maxRatio {
		return nil, fmt.Errorf("raw length %d in %d bytes, frame says %d", length, len(body), head.FrameContentSize)
	}
	return p.dec.DecodeAll(body, make([]byte, 0, length))
}
