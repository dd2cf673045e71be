package claude

import (
	"bytes"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/gentrace"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// BenchmarkDecode compares what decoding itself costs, from the bytes of a line
// to its events, with a plain walk over the same bytes: SkipValue of the JSON
// library. Redaction, hashes and the store belong to ingest. x-of-walk is the
// ratio of their speeds.
func BenchmarkDecode(b *testing.B) {
	var data bytes.Buffer
	if err := gentrace.Session(&data, 7, min(gentrace.BenchMB(b), 64)*1e6); err != nil {
		b.Fatal(err)
	}
	size := data.Len()
	lines := bytes.SplitAfter(data.Bytes(), []byte("\n"))
	lines = lines[:len(lines)-1]
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
		b.ReportMetric(plain, "walk-MB/cpu-s")
		b.ReportMetric(ours, "MB/cpu-s")
		b.ReportMetric(ours/plain, "x-of-walk")
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
