package badgerstore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
)

// The kinds of keys; see the table in the package documentation.
const (
	kindLayout     = 0x00
	kindBlock      = 0x10
	kindManifest   = 0x20
	kindRun        = 0x21
	kindReceipt    = 0x30
	kindPath       = 0x31
	kindQuarantine = 0x32
	kindCache      = 0x40
)

// maxPart bounds a run id or digest, so that a key stays below Badger's limit.
const maxPart = 4096

// prefix is a kind with variable parts, each with its length before it.
func prefix(kind byte, parts ...string) []byte {
	key := []byte{kind}
	for _, p := range parts {
		key = binary.BigEndian.AppendUint16(key, uint16(len(p)))
		key = append(key, p...)
	}
	return key
}

// checkParts refuses what prefix could not tell apart.
func checkParts(parts ...string) error {
	for _, p := range parts {
		if len(p) > maxPart {
			return fmt.Errorf("id of %d bytes is longer than %d", len(p), maxPart)
		}
	}
	return nil
}

func layoutKey() []byte          { return []byte{kindLayout} }
func runKey(run string) []byte   { return append([]byte{kindRun}, run...) }
func receiptKey(d string) []byte { return prefix(kindReceipt, d) }
func quarantineKey(d string) []byte {
	return prefix(kindQuarantine, d)
}

func blockKey(b *ingest.Block) []byte {
	h := sha256.New()
	for i := range b.Units {
		h.Write(b.Units[i].ID[:])
		h.Write(b.Units[i].Body[:])
	}
	return append(prefix(kindBlock, b.Run), h.Sum(nil)[:16]...)
}

func manifestKey(m *ingest.Manifest) []byte {
	return binary.BigEndian.AppendUint32(prefix(kindManifest, m.Run, m.Digest), uint32(m.Role))
}

func pathKey(digest, path string) []byte {
	sum := sha256.Sum256([]byte(path))
	return append(prefix(kindPath, digest), sum[:16]...)
}

func cacheKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return append([]byte{kindCache}, sum[:]...)
}

func chunkKey(key []byte, chunk int) []byte {
	return binary.BigEndian.AppendUint16(append(make([]byte, 0, len(key)+2), key...), uint16(chunk))
}
