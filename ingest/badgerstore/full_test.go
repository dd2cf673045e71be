package badgerstore_test

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/storetest"
)

// TestDiskFull fills FAULTLINE_SMALL_DISK, an empty file system of 32 to 512
// MB, which takes root to make. A put must say ENOSPC, the store must close,
// and what was acknowledged must be there.
func TestDiskFull(t *testing.T) {
	disk := os.Getenv("FAULTLINE_SMALL_DISK")
	if disk == "" {
		t.Skip("FAULTLINE_SMALL_DISK is not set")
	}
	dir, err := os.MkdirTemp(disk, "store")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	s, err := badgerstore.Open(dir, badgerstore.Options{})
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(8, 9))
	var kept []string
	for err == nil {
		b := storetest.RandomBlock(r, "run", 200)
		m := storetest.RandomManifest(r, b)
		if err = s.PutBlock(b); err == nil {
			err = s.PutManifest(m)
		}
		if err == nil {
			err = s.PutReceipt(&ingest.Receipt{Digest: m.Digest}, nil)
		}
		if err == nil && s.Sync() == nil {
			kept = append(kept, m.Digest)
		}
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, "put ")
	require.NoError(t, s.Close())
	require.Greater(t, len(kept), 5)

	s, err = badgerstore.Open(dir, badgerstore.Options{ReadOnly: true})
	require.NoError(t, err)
	for _, digest := range kept {
		_, err := s.Receipt(digest)
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
}
