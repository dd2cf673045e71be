package receive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/receive"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// bench is a server on a port of its own with a store that can be held back or
// made to fail.
type bench struct {
	*receive.Server
	store *memstore.Store
	url   string
	addr  string

	mu      sync.Mutex
	open    int
	opened  int   // how often it was
	early   int   // batches that were told of while it was open
	fail    error // of Sync
	openErr error
	hold    chan struct{} // when not nil, opening waits for it
	held    int           // how often it did
	batches []*receive.Batch
	failed  []error
}

func start(t *testing.T, o receive.Options) *bench {
	t.Helper()
	b := &bench{store: memstore.New()}
	o.Open = b.openStore
	o.Stored = func(batch *receive.Batch) {
		b.locked(func() { b.batches, b.early = append(b.batches, batch), b.early+b.open })
	}
	o.Failed = func(err error) { b.locked(func() { b.failed = append(b.failed, err) }) }
	b.Server = receive.New(o)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := b.HTTPServer()
	go server.Serve(ln)
	b.addr, b.url = ln.Addr().String(), "http://"+ln.Addr().String()+"/v1/traces"
	t.Cleanup(func() {
		server.Close()
		b.Close()
	})
	return b
}

func (b *bench) locked(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

// waits until a batch stands before the store that is held back.
func (b *bench) waits(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.held > 0
	}, 20*time.Second, time.Millisecond)
}

// stored waits for n batches and returns them.
func (b *bench) stored(t *testing.T, n int) (out []*receive.Batch) {
	t.Helper()
	require.Eventually(t, func() bool {
		b.locked(func() { out = b.batches })
		return len(out) == n
	}, 20*time.Second, time.Millisecond)
	return out
}

func (b *bench) openStore() (ingest.Store, *redact.Redactor, error) {
	b.mu.Lock()
	hold := b.hold
	if hold != nil {
		b.held++
	}
	b.mu.Unlock()
	if hold != nil {
		<-hold
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.openErr != nil {
		return nil, nil, b.openErr
	}
	b.open++
	b.opened++
	return &view{b.store, b}, redact.New(redact.Key{}), nil
}

// view is the store as one batch sees it.
type view struct {
	*memstore.Store
	b *bench
}

func (v *view) Sync() error {
	v.b.mu.Lock()
	defer v.b.mu.Unlock()
	return errors.Join(v.b.fail, v.Store.Sync())
}

func (v *view) Close() error {
	v.b.locked(func() { v.b.open-- })
	return nil
}

// spans is a request of n spans in the trace of a number.
func spans(trace byte, n int) ptraceotlp.ExportRequest {
	td := ptrace.NewTraces()
	ss := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	for i := range n {
		s := ss.Spans().AppendEmpty()
		s.SetTraceID(pcommon.TraceID{15: trace})
		var id pcommon.SpanID
		binary.BigEndian.PutUint64(id[:], uint64(i+1))
		s.SetSpanID(id)
		if i > 0 {
			s.SetParentSpanID(pcommon.SpanID{7: 1})
		}
		s.SetName("execute_tool shell")
		s.Attributes().PutStr("gen_ai.operation.name", "execute_tool")
		s.Attributes().PutStr("gen_ai.tool.name", "shell")
		s.SetStartTimestamp(pcommon.Timestamp(1_770_000_000_000_000_000 + i))
		s.SetEndTimestamp(pcommon.Timestamp(1_770_000_001_000_000_000 + i))
	}
	return ptraceotlp.NewExportRequestFromTraces(td)
}

func proto(t *testing.T, r ptraceotlp.ExportRequest) []byte {
	t.Helper()
	body, err := r.MarshalProto()
	require.NoError(t, err)
	return body
}

func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, err := z.Write(body)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return buf.Bytes()
}

// post sends a body and returns status, headers and answer.
func post(t *testing.T, url string, body []byte, headers ...string) (*http.Response, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-protobuf")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, answer
}

// units counts the stored units of all runs, when the store is closed again.
func (b *bench) units(t *testing.T) (n int) {
	t.Helper()
	require.Eventually(t, func() (closed bool) {
		b.locked(func() { closed = b.open == 0 })
		return closed
	}, time.Second, time.Millisecond, "the store is closed when nothing comes")
	for id, err := range b.store.Runs() {
		require.NoError(t, err)
		run, err := ingest.Load(b.store, id, nil)
		require.NoError(t, err)
		seen := map[ingest.UnitID]bool{}
		for i := range run.Events {
			unit, _ := run.UnitOf(&run.Events[i])
			seen[unit] = true
		}
		n += len(seen)
	}
	return n
}
