//go:build unix

package scan_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/gentrace"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// BenchmarkIngest compares bringing sessions into a store (redaction, hashes,
// the look for duplicates, Sync and Close included) with a loop over the same
// files that reads, walks every line by SkipValue and writes one zstd file of
// the store's level. x-of-flat is the ratio of their speeds.
func BenchmarkIngest(b *testing.B) {
	dir, files, size := gentrace.BenchCorpus(b)
	mb := float64(size) / 1e6
	for b.Loop() {
		flat := cpuOf(func() { writeFlat(b, files, filepath.Join(b.TempDir(), "flat.zst")) })
		ours := cpuOf(func() { fillStore(b, dir, filepath.Join(b.TempDir(), "store")) })
		b.ReportMetric(flat/ours, "x-of-flat")
		b.ReportMetric(mb/flat, "flat-MB/cpu-s")
		b.ReportMetric(mb/ours, "MB/cpu-s")
	}
}

// BenchmarkStoreSize reports what a closed store takes on the disk, as a part
// of the input, and beside it the flat file of BenchmarkIngest.
func BenchmarkStoreSize(b *testing.B) {
	dir, files, size := gentrace.BenchCorpus(b)
	for b.Loop() {
		flat, store := filepath.Join(b.TempDir(), "flat.zst"), filepath.Join(b.TempDir(), "store")
		writeFlat(b, files, flat)
		fillStore(b, dir, store)
		b.ReportMetric(float64(onDisk(b, store))/float64(size), "x-of-input")
		b.ReportMetric(float64(onDisk(b, flat))/float64(size), "flat-x-of-input")
	}
}

// cpuOf is the user and system time in seconds that the process spends in f:
// wall time says little on a shared machine.
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

func fillStore(b *testing.B, dir, store string) {
	s, err := badgerstore.Open(store, badgerstore.Options{})
	require.NoError(b, err)
	_, err = scan.Run(context.Background(), []string{dir}, scan.Options{Store: s, Redactor: redact.New(redact.Key(s.Key()))})
	require.NoError(b, err)
	require.NoError(b, s.Close())
}

func writeFlat(b *testing.B, files []string, path string) {
	out, err := os.Create(path)
	require.NoError(b, err)
	enc, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	require.NoError(b, err)
	var buf []byte
	for _, file := range files {
		buf = readInto(b, buf, file)
		walkLines(b, buf)
		_, err = enc.Write(buf)
		require.NoError(b, err)
	}
	require.NoError(b, enc.Close())
	require.NoError(b, out.Sync())
	require.NoError(b, out.Close())
}

// readInto reads a file into memory that is used again.
func readInto(b *testing.B, buf []byte, path string) []byte {
	f, err := os.Open(path)
	require.NoError(b, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(b, err)
	if int64(cap(buf)) < info.Size() {
		buf = make([]byte, 2*info.Size())
	}
	buf = buf[:info.Size()]
	_, err = io.ReadFull(f, buf)
	require.NoError(b, err)
	return buf
}

func walkLines(b *testing.B, data []byte) {
	opts := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	var buf bytes.Buffer
	dec := jsontext.NewDecoder(&buf, opts...)
	for line := range bytes.Lines(data) {
		buf = *bytes.NewBuffer(line)
		dec.Reset(&buf, opts...)
		require.NoError(b, dec.SkipValue())
	}
}

// onDisk is what a file or folder takes; the store makes sparse files.
func onDisk(b *testing.B, root string) (size int64) {
	err := filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		require.NoError(b, err)
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() {
			size += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
		return err
	})
	require.NoError(b, err)
	return size
}
