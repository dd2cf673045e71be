package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Key turns secrets into pseudonyms. Two stores join on pseudonyms only when
// they share a key; nothing that is printed and no id depends on it. A store
// draws the 32 bytes of its key at random, keeps them as they are and copies
// them back.
type Key [32]byte

const (
	minKeyFile = 16      // bytes; less can be guessed
	maxKeyFile = 1 << 20 // bytes; more is surely the wrong file
)

// LoadKey derives a key from a file that the user chose: any content from
// 16 bytes to 1 MiB, which is hashed. The same content gives the same key.
func LoadKey(path string) (Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return Key{}, fmt.Errorf("load redaction key: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return Key{}, fmt.Errorf("load redaction key %s: %w", path, err)
	}
	if len(b) < minKeyFile || len(b) > maxKeyFile {
		return Key{}, fmt.Errorf("load redaction key %s: %d bytes or more, want %d to %d",
			path, len(b), minKeyFile, maxKeyFile)
	}
	return sha256.Sum256(append([]byte("faultline redact key\x00"), b...)), nil
}

// ID returns the public name of the key: 16 hex digits of a hash, equal for
// equal keys. It may be printed and compared; it does not give the key away.
func (k Key) ID() string {
	sum := sha256.Sum256(append([]byte("faultline redact key id\x00"), k[:]...))
	return hex.EncodeToString(sum[:8])
}

// appendPseudonym appends «kind:HHHHHHHHHHHH» for the secret.
func (k *Key) appendPseudonym(dst []byte, kind string, secret []byte) []byte {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte(kind))
	mac.Write([]byte{0})
	mac.Write(secret)
	dst = append(dst, open...)
	dst = append(dst, kind...)
	dst = append(dst, ':')
	dst = hex.AppendEncode(dst, mac.Sum(nil)[:hexDigits/2])
	return append(dst, shut...)
}
