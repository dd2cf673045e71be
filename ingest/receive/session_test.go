package receive_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/receive"
)

// TestAlone: who sends one request finds the store free when it is answered.
func TestAlone(t *testing.T) {
	b := start(t, receive.Options{})
	for i := range 3 {
		resp, _ := post(t, b.url, proto(t, spans(byte(i+1), 2)))
		require.Equal(t, http.StatusOK, resp.StatusCode)
		b.locked(func() { assert.Zero(t, b.open) })
		time.Sleep(100 * time.Millisecond)
	}
}

// TestRelease: while requests come without end the store stays open for many of
// them, and yet others get their turn every few seconds. Batches are told of when
// it is free.
func TestRelease(t *testing.T) {
	b := start(t, receive.Options{})
	body := proto(t, spans(1, 2))
	end := time.Now().Add(5 * time.Second)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for time.Now().Before(end) {
				resp, _ := post(t, b.url, body)
				assert.Equal(t, http.StatusOK, resp.StatusCode)
			}
		})
	}
	clients.Wait()
	require.Equal(t, 2, b.units(t))
	b.Close()
	b.locked(func() {
		assert.Greater(t, b.opened, 1)
		assert.Greater(t, len(b.batches), 5*b.opened)
		assert.Zero(t, b.early)
	})
}
