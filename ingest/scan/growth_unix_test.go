//go:build unix

package scan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// BenchmarkSpread reports what a file costs of a trace that is spread over so
// many, one span each: it must not grow with their number.
func BenchmarkSpread(b *testing.B) {
	for _, n := range []int{1250, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			for i := range n {
				span := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","name":"execute_tool find","startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"find"}}]}]}]}]}`,
					7, i+1, int64(1772352000+i)*1e9, int64(1772352001+i)*1e9)
				require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.json", i)), []byte(span), 0o600))
			}
			for b.Loop() {
				spent := cpuOf(func() { fillStore(b, dir, filepath.Join(b.TempDir(), "store")) })
				b.ReportMetric(1e6*spent/float64(n), "cpu-us/file")
			}
		})
	}
}

// BenchmarkGrowing reports what a reading costs of a log to which each adds as
// much as the one before: it must not grow with their number.
func BenchmarkGrowing(b *testing.B) {
	for _, n := range []int{125, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				dir, store := b.TempDir(), filepath.Join(b.TempDir(), "store")
				spent := cpuOf(func() { followGrowing(b, dir, store, n) })
				b.ReportMetric(1e3*spent/float64(n), "cpu-ms/reading")
			}
		})
	}
}

// followGrowing reads a log n times, with twenty lines more each time.
func followGrowing(b *testing.B, dir, store string, n int) {
	f, err := os.Create(filepath.Join(dir, "a.jsonl"))
	require.NoError(b, err)
	defer f.Close()
	var growing scan.Growing
	defer growing.Close()
	for i := range n {
		for j := range 10 {
			id := fmt.Sprintf("%d-%d", i, j)
			_, err = f.WriteString(lines(line("s-1", "u-"+id, "look at the file of "+id), says("s-1", "a-"+id, "m-"+id, j)))
			require.NoError(b, err)
		}
		s, err := badgerstore.Open(store, badgerstore.Options{})
		require.NoError(b, err)
		_, err = scan.Run(context.Background(), []string{dir}, scan.Options{Store: s, Redactor: redact.New(redact.Key(s.Key())), Growing: &growing})
		require.NoError(b, err)
		require.NoError(b, s.Close())
	}
}
