package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
)

// iterationStops breaks out of every iterator and writes inside a loop, which
// a store that holds a lock while it yields would not survive.
func iterationStops(t *testing.T, s ingest.Store) {
	r := seeded(31)
	for i := range 5 {
		b := RandomBlock(r, someRun, 2)
		require.NoError(t, s.PutBlock(b))
		require.NoError(t, s.PutManifest(RandomManifest(r, RandomBlock(r, fmt.Sprintf("run%d", i), 1))))
		require.NoError(t, s.PutReceipt(fullReceipt(fmt.Sprint(i)), nil))
	}
	for range s.Blocks(someRun) {
		require.NoError(t, s.PutBlock(RandomBlock(r, someRun, 1)))
		break
	}
	for range s.Runs() {
		require.NoError(t, s.PutManifest(RandomManifest(r, RandomBlock(r, "later", 1))))
		break
	}
	for range s.Receipts() {
		require.NoError(t, s.PutReceipt(fullReceipt("later"), nil))
		break
	}
	require.Len(t, collect(t, s.Blocks(someRun)), 6)
	require.Len(t, collect(t, s.Runs()), 6)
	require.Len(t, collect(t, s.Receipts()), 6)
}

// concurrent lets writers put the same and unlike things while readers read;
// under the race detector it also finds shared memory.
func concurrent(t *testing.T, s ingest.Store) {
	const writers, each = 4, 25
	shared := RandomBlock(seeded(32), someRun, 3)
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			r := seeded(uint64(100 + w))
			for i := range each {
				b := RandomBlock(r, someRun, 5)
				receipt := fullReceipt(fmt.Sprint(i))
				receipt.Source = fmt.Sprintf("writer%d", w)
				assert.NoError(t, s.PutBlock(b))
				assert.NoError(t, s.PutBlock(shared))
				assert.NoError(t, s.PutManifest(RandomManifest(r, b)))
				assert.NoError(t, s.PutReceipt(receipt, someQuarantine()))
				assert.NoError(t, s.PutCache("key", []byte("value")))
				if i%8 == 0 {
					assert.NoError(t, s.Sync())
				}
			}
		})
	}
	for range 2 {
		reading.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					readAll(t, s)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	require.Len(t, collect(t, s.Blocks(someRun)), writers*each+1)
	require.Len(t, collect(t, s.Receipts()), each)
	manifests, err := s.Manifests(someRun)
	require.NoError(t, err)
	require.Len(t, manifests, writers*each)
	for i := range each {
		paths, err := s.Paths(digestOf(fmt.Sprint(i)))
		require.NoError(t, err)
		require.Len(t, paths, writers)
	}
}

func readAll(t *testing.T, s ingest.Store) {
	for b, err := range s.Blocks(someRun) {
		assert.NoError(t, err)
		assert.NotEmpty(t, b.Units)
	}
	for r, err := range s.Receipts() {
		assert.NoError(t, err)
		q, err := s.Quarantine(r.Digest)
		assert.NoError(t, err)
		assert.Len(t, q, 3)
	}
	_, err := s.Manifests(someRun)
	assert.NoError(t, err)
}
