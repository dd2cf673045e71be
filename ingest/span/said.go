package span

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/nest"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// said identifies what a message says, so that its repetition in a later request
// can be told. Lengths stand before the parts.
func (r *reading) said(parts ...[]byte) uint64 {
	b := r.scratch[:0]
	for _, p := range parts {
		b = append(strconv.AppendInt(b, int64(len(p)), 10), ':')
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	r.scratch = b
	return max(binary.LittleEndian.Uint64(sum[:]), 1)
}

// words is the text of a part of the unit without the white space around it,
// until the next call.
func (r *reading) words(at ingest.Span) []byte {
	raw := r.raw(at)
	if len(raw) > 0 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return bytes.TrimSpace(raw[1 : len(raw)-1])
	}
	if b, ok := quote.AppendText(r.spoken[:0], raw); ok {
		r.spoken = b
		return bytes.TrimSpace(b)
	}
	return bytes.TrimSpace([]byte(ingest.TextOf(raw)))
}

// canonical is a call's arguments as a word that does not depend on their
// spelling.
func (r *reading) canonical(args ingest.Span) []byte {
	return binary.LittleEndian.AppendUint64(nil, nest.Hash(r.raw(args)))
}
