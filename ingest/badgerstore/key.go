package badgerstore

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// keyFile holds the redaction key: 32 bytes.
const keyFile = "redact.key"

// Key is the key under which secrets are replaced by pseudonyms in this store.
// It is zero where a store for reading has none.
func (s *Store) Key() [32]byte { return s.key }

// readKey takes the store's key and makes one on the first open for writing.
// A given key must be the store's own, else equal secrets would no longer join.
func (s *Store) readKey(given *[32]byte) error {
	path := filepath.Join(s.dir, keyFile)
	stored, err := os.ReadFile(path)
	switch {
	case err == nil && len(stored) != len(s.key):
		return fmt.Errorf("%s: %d bytes, not %d", keyFile, len(stored), len(s.key))
	case err == nil:
		s.key = [32]byte(stored)
		if given != nil && *given != s.key {
			return errors.New("the given redaction key is not the one that the store was made with")
		}
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if given != nil {
		s.key = *given
	} else if !s.readOnly {
		_, _ = rand.Read(s.key[:]) // never fails (crypto/rand)
	}
	if s.readOnly {
		return nil
	}
	return writeKey(path, s.key)
}

// writeKey leaves the whole key or none: its caller holds the writer's lock.
func writeKey(path string, key [32]byte) error {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(key[:])
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(part, path)
}
