package receive_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/receive"
	"github.com/faultline-dev/faultline/ingest/span"
)

// The clients of the flood on each transport, how many traces each sends, and how
// many spans these have.
const clients, traces, perTrace = 6, 4, 40

// soon is when everything must have got through.
const soon = 60 * time.Second

// TestFlood: while some clients stall in the middle of a body and others are gone
// before they are answered, on both transports and with little room, every trace
// that was acknowledged is in the store as a whole, and no other is there in part.
func TestFlood(t *testing.T) {
	size := int64(len(proto(t, spans(1, perTrace))))
	b := start(t, receive.Options{MaxRequest: 2 * size, Budget: 8 * size, ReadTimeout: 5 * time.Second})
	var wg sync.WaitGroup
	f := &flooding{bench: b, acked: map[byte]bool{}}
	for i := range byte(clients) {
		wg.Go(func() { f.overHTTP(t, 10+10*i) })
		wg.Go(func() { f.overGRPC(t, 110+10*i) })
		wg.Go(func() { f.broken(t, 200+4*i) })
	}
	wg.Wait()
	require.NoError(t, b.Close())
	assert.GreaterOrEqual(t, len(f.acked), 2*clients*traces, "who sends again gets through")
	for id := range f.acked {
		assert.Equal(t, perTrace, b.trace(t, id), "trace %d was acknowledged", id)
	}
	for id := range byte(255) {
		if n := b.trace(t, id); n != 0 {
			assert.Equal(t, perTrace, n, "trace %d is there as a whole", id)
		}
	}
	for id, err := range b.store.Runs() {
		require.NoError(t, err)
		manifests, err := b.store.Manifests(id)
		require.NoError(t, err)
		for _, m := range manifests {
			receipt, err := b.store.Receipt(m.Digest)
			require.NoError(t, err, "what is stored is accounted for")
			assert.Zero(t, receipt.Quarantined)
		}
	}
}

// flooding is what the clients know.
type flooding struct {
	*bench
	mu    sync.Mutex
	acked map[byte]bool
}

func (f *flooding) ack(id byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.acked[id] = true
}

// overHTTP sends traces, each until it is acknowledged.
func (f *flooding) overHTTP(t *testing.T, first byte) {
	for id := first; id < first+traces; id++ {
		body := proto(t, spans(id, perTrace))
		for deadline := time.Now().Add(soon); time.Now().Before(deadline); {
			resp, err := http.Post(f.url, "application/x-protobuf", bytes.NewReader(body))
			if err != nil {
				continue
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				f.ack(id)
				break
			}
			assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		}
	}
}

func (f *flooding) overGRPC(t *testing.T, first byte) {
	c := client(t, f.bench)
	for id := first; id < first+traces; id++ {
		for deadline := time.Now().Add(soon); time.Now().Before(deadline); {
			if _, err := c.Export(limited(t), spans(id, perTrace)); err == nil {
				f.ack(id)
				break
			} else {
				assert.NotNil(t, retryInfo(err), "%v", err)
			}
		}
	}
}

// broken stalls in a body, goes away in one, and goes away before the answer, over
// HTTP/1 and over gRPC.
func (f *flooding) broken(t *testing.T, id byte) {
	body := proto(t, spans(id, perTrace))
	head := fmt.Sprintf("POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: %d\r\n\r\n", len(body))
	stalled := f.dial(t, head, body[:len(body)/2])
	defer stalled.Close()
	f.dial(t, head, body[:len(body)-1]).Close()
	f.dial(t, head, body).Close()

	message := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))), body...)
	for _, part := range [][]byte{message[:len(message)/2], message[:len(message)-1], message} {
		f.half(part)
	}
	c := client(t, f.bench)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := c.Export(ctx, spans(id+1, perTrace)); err == nil {
		f.ack(id + 1)
	}
}

func (f *flooding) dial(t *testing.T, head string, body []byte) net.Conn {
	conn, err := net.Dial("tcp", f.addr)
	require.NoError(t, err)
	_, err = conn.Write(append([]byte(head), body...))
	assert.NoError(t, err)
	return conn
}

// half begins a call over gRPC, sends a part of its body and goes away.
func (f *flooding) half(part []byte) {
	protocols := &http.Protocols{}
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	body, out := io.Pipe()
	go func() {
		_, _ = out.Write(part) // fails when the call is over first
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+f.addr+"/opentelemetry.proto.collector.trace.v1.TraceService/Export", body)
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", "application/grpc")
	if resp, err := transport.RoundTrip(req); err == nil {
		resp.Body.Close()
	}
	body.Close()
}

// trace counts the stored spans of the trace of a number.
func (b *bench) trace(t *testing.T, id byte) int {
	t.Helper()
	run := ingest.RunID(span.Family, fmt.Sprintf("%032x", id))
	manifests, err := b.store.Manifests(run)
	require.NoError(t, err)
	if len(manifests) == 0 {
		return 0
	}
	loaded, err := ingest.Load(b.store, run, nil)
	require.NoError(t, err)
	seen := map[ingest.UnitID]bool{}
	for i := range loaded.Events {
		unit, _ := loaded.UnitOf(&loaded.Events[i])
		seen[unit] = true
	}
	return len(seen)
}
