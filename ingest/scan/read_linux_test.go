package scan_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/memstore"
)

// asNobody runs f on a thread for which permissions count, also where the
// tests run as root.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with f
		assert.NoError(t, syscall.Setfsuid(65534))
		f()
	}()
	<-done
}

// TestUnreadable: a file and a folder that may not be read cost a receipt each
// and nothing else, in a trial's folder as well.
func TestUnreadable(t *testing.T) {
	all := trialFiles(files{"a.jsonl": good(), "b.jsonl": good(), "dir/c.jsonl": good(), "z.jsonl": good()}, "trial", "tr")
	dir := all.write(t)
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	for _, p := range []string{"b.jsonl", "dir", "trial/result.json"} {
		require.NoError(t, os.Chmod(filepath.Join(dir, p), 0))
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "dir"), 0o755) })
	asNobody(t, func() {
		f := scanInto(t, memstore.New(), dir, dir)
		assert.Len(t, f.receipts, len(all))
		for _, p := range []string{"b.jsonl", "dir", "trial/result.json"} {
			assert.Equal(t, [4]int{0, 0, 1}, account(f.at[p]), p)
			assert.Equal(t, "unreadable", f.at[p].Reasons[0].Kind, p)
			assert.Contains(t, f.at[p].Reasons[0].First.Cause, "permission", p)
		}
		assert.Equal(t, [4]int{2}, account(f.at["a.jsonl"]))
		assert.Equal(t, [4]int{0, 2}, account(f.at["z.jsonl"]))
		assert.Equal(t, "atif", f.at["trial/agent/trajectory.json"].Format)
	})
}
