package claude

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// BenchmarkDecode compares decoding, without redaction and store, with a plain
// walk over the same bytes. Lengths are heavy-tailed, as in real transcripts.
func BenchmarkDecode(b *testing.B) {
	lines := generated(20 << 20)
	size := 0
	for _, l := range lines {
		size += len(l)
	}
	speed := func(f func()) float64 {
		best := 0.0
		for range 3 {
			start := cpu()
			f()
			best = max(best, float64(size)/1e6/(cpu()-start).Seconds())
		}
		return best
	}
	for b.Loop() {
		plain := speed(func() { skipAll(b, lines) })
		ours := speed(func() { decodeAll(b, lines) })
		b.ReportMetric(plain, "plain-MB/s")
		b.ReportMetric(ours, "decode-MB/s")
		b.ReportMetric(ours/plain, "ratio")
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func skipAll(b *testing.B, lines [][]byte) {
	opts := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	dec := jsontext.NewDecoder(bytes.NewBuffer(nil), opts...)
	for _, l := range lines {
		dec.Reset(bytes.NewBuffer(l), opts...)
		if err := dec.SkipValue(); err != nil && err != io.EOF {
			b.Fatal(err)
		}
	}
}

func decodeAll(b *testing.B, lines [][]byte) {
	w := decode.NewWriter(memstore.New(), redact.New(redact.Key{}), decode.Target{Format: Session.Name})
	d := newDecoder(w, session, "")
	var c decode.Cursor
	var u decode.Unit
	for _, l := range lines {
		u.Data, u.Native, u.Events = l, "", u.Events[:0]
		c.Reset(l)
		if err := d.unit(&c, &u); err != nil {
			b.Fatal(err)
		}
	}
}

// generated makes session lines of about size bytes in all.
func generated(size int) (lines [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		n := int(200 * 1 / (r.Float64() + 0.0005)) // up to 400 KB
		return strings.Repeat(`func read(path string) error {\n\tif err := os.Open(\"x\"); err != nil {\n`, 1+n/70)
	}
	for n := 0; size > 0; n++ {
		env := fmt.Sprintf(`"parentUuid":"p-%08d-aaaa-bbbb-cccc","isSidechain":false,"userType":"external","cwd":"/srv/app","sessionId":"a032db5a-0000-4000-8000-ab1e00000000","version":"2.1.0","gitBranch":"main","uuid":"u-%08d-aaaa-bbbb-cccc","timestamp":"2026-03-01T10:00:00.250Z"`, n, n+1)
		usage := `"usage":{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":9000,"cache_creation":{"ephemeral_5m_input_tokens":100,"ephemeral_1h_input_tokens":0},"output_tokens":5,"service_tier":"standard"}`
		var l string
		switch n % 5 {
		case 0:
			l = fmt.Sprintf(`{%s,"message":{"model":"model-x","id":"m-%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t-%d","name":"Write","input":{"file_path":"/srv/app/a.go","content":"%s"}}],"stop_reason":null,"stop_sequence":null,%s},"requestId":"r","type":"assistant"}`, env, n, n, text(), usage)
		case 1:
			body := text()
			l = fmt.Sprintf(`{%s,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t-%d","type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false,"isImage":false}}`, env, n-1, body, body)
		case 2:
			l = fmt.Sprintf(`{%s,"type":"progress","data":{"type":"bash_progress","output":"%s","elapsedTimeSeconds":3},"toolUseID":"x","parentToolUseID":"y"}`, env, text())
		case 3:
			l = fmt.Sprintf(`{%s,"message":{"model":"model-x","id":"m-%d","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"%s","signature":"QUJD"}],"stop_reason":null,%s},"type":"assistant"}`, env, n, text(), usage)
		case 4:
			l = fmt.Sprintf(`{"type":"file-history-snapshot","messageId":"u-%d","snapshot":{"messageId":"u-%d","trackedFileBackups":{"a.go":{"backupFileName":null,"version":1,"backupTime":"2026-03-01T10:00:00.250Z"}},"timestamp":"2026-03-01T10:00:00.250Z"},"isSnapshotUpdate":false}`, n, n)
		}
		lines = append(lines, []byte(l))
		size -= len(l)
	}
	return lines
}
