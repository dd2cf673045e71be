package gentrace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchSize is the environment variable that says of how many MB (10^6 bytes)
// the corpus of a benchmark is; 64 when it is not set.
const BenchSize = "FAULTLINE_BENCH_MB"

// BenchMB is the size of the corpus of a benchmark in MB.
func BenchMB(tb testing.TB) int64 {
	tb.Helper()
	text := os.Getenv(BenchSize)
	if text == "" {
		return 64
	}
	mb, err := strconv.ParseInt(text, 10, 64)
	if err != nil || mb < 1 {
		tb.Fatalf("%s=%s: not a number of MB", BenchSize, text)
	}
	return mb
}

// BenchCorpus generates the corpus of a benchmark, in files of about 1 MB, and
// returns its files in order and their bytes in all.
func BenchCorpus(tb testing.TB) (dir string, files []string, size int64) {
	tb.Helper()
	dir = tb.TempDir()
	if err := Corpus(dir, 42, BenchMB(tb)*1e6, 1e6); err != nil {
		tb.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			files, size = append(files, path), size+info.Size()
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return dir, files, size
}
