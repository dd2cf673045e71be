//go:build unix

package receive_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/gentrace"
	"github.com/faultline-dev/faultline/ingest/receive"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// BenchmarkReceive compares taking requests of 512 spans over HTTP from the handler
// to a store on disk, which is synced for each batch, with a loop that decodes the
// same bodies and writes one zstd file of them. x-of-flat is the ratio of their
// speeds; nothing may be lost.
func BenchmarkReceive(b *testing.B) { benchmark(b, send) }

// BenchmarkReceiveGRPC is the same over gRPC.
func BenchmarkReceiveGRPC(b *testing.B) { benchmark(b, sendGRPC) }

// sender hands a body to a server and tells whether it was acknowledged.
type sender func(s *receive.Server, body []byte) bool

func benchmark(b *testing.B, send sender) {
	bodies, spans, size := requests(b)
	mb := float64(size) / 1e6
	for b.Loop() {
		flat := cpuOf(func() { decodeFlat(b, bodies, filepath.Join(b.TempDir(), "flat.zst")) })
		var stored, batches int
		ours := cpuOf(func() { stored, batches = flood(b, send, bodies, filepath.Join(b.TempDir(), "store")) })
		require.Equal(b, spans, stored, "spans stored")
		b.ReportMetric(flat/ours, "x-of-flat")
		b.ReportMetric(mb/flat, "flat-MB/cpu-s")
		b.ReportMetric(mb/ours, "MB/cpu-s")
		b.ReportMetric(float64(batches), "batches")
	}
}

// requests are protobuf bodies of 512 spans each, of the size of a benchmark.
func requests(b *testing.B) (bodies [][]byte, spans int, size int64) {
	for seed := uint64(1); size < gentrace.BenchMB(b)*1e6; seed++ {
		var lines bytes.Buffer
		require.NoError(b, gentrace.Spans(&lines, seed, 512))
		all := ptrace.NewTraces()
		for line := range bytes.Lines(lines.Bytes()) {
			td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(line)
			require.NoError(b, err)
			td.ResourceSpans().MoveAndAppendTo(all.ResourceSpans())
		}
		spans += all.SpanCount()
		body, err := ptraceotlp.NewExportRequestFromTraces(all).MarshalProto()
		require.NoError(b, err)
		bodies, size = append(bodies, body), size+int64(len(body))
	}
	return bodies, spans, size
}

func decodeFlat(b *testing.B, bodies [][]byte, path string) {
	out, err := os.Create(path)
	require.NoError(b, err)
	enc, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	require.NoError(b, err)
	for _, body := range bodies {
		require.NoError(b, ptraceotlp.NewExportRequest().UnmarshalProto(body))
		_, err = enc.Write(body)
		require.NoError(b, err)
	}
	require.NoError(b, enc.Close())
	require.NoError(b, out.Sync())
	require.NoError(b, out.Close())
}

// flood sends all bodies by 32 clients at once, and again what was refused,
// and tells how many units were stored in how many batches.
func flood(b *testing.B, send sender, bodies [][]byte, dir string) (stored, batches int) {
	s := receive.New(receive.Options{
		Open: func() (ingest.Store, *redact.Redactor, error) {
			s, err := badgerstore.Open(dir, badgerstore.Options{})
			if err != nil {
				return nil, nil, err
			}
			return s, redact.New(redact.Key(s.Key())), nil
		},
		Stored: func(batch *receive.Batch) { stored, batches = stored+batch.Receipt.Stored, batches+1 },
		Failed: func(err error) { b.Error(err) },
	})
	queue := make(chan []byte)
	var clients sync.WaitGroup
	for range 32 {
		clients.Go(func() {
			for body := range queue {
				for !send(s, body) {
				}
			}
		})
	}
	for _, body := range bodies {
		queue <- body
	}
	close(queue)
	clients.Wait()
	require.NoError(b, s.Close())
	return stored, batches
}

func send(s *receive.Server, body []byte) bool {
	r := httptest.NewRequest(http.MethodPost, "/v1/traces", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/x-protobuf")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code == http.StatusOK
}

func sendGRPC(s *receive.Server, body []byte) bool {
	head := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body)))
	r := httptest.NewRequest(http.MethodPost, "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
		io.MultiReader(bytes.NewReader(head), bytes.NewReader(body)))
	r.Header.Set("Content-Type", "application/grpc")
	r.ProtoMajor, r.ContentLength = 2, -1
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Header().Get(http.TrailerPrefix+"Grpc-Status") == "0"
}

// cpuOf is the user and system time in seconds that the process spends in f.
func cpuOf(f func()) float64 {
	spent := func() int64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return u.Utime.Nano() + u.Stime.Nano()
	}
	start := spent()
	f()
	return float64(spent()-start) / 1e9
}
