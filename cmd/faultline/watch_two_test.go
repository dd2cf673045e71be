package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTwoWatches: two watches that begin at once on a store which is not there
// yet take turns; neither ends with an error, and nothing is missing: also not a
// last line without an end, which counts at the end of the watch.
func TestTwoWatches(t *testing.T) {
	for round := range 3 {
		dir, store := t.TempDir(), filepath.Join(t.TempDir(), "store")
		log := filepath.Join(dir, "log.jsonl")
		event := func(n int) string {
			return fmt.Sprintf(`{"faultline":"event/v1","run_id":"r-%d","id":"e%d","kind":"message","at":"2026-03-13T09:00:00Z","actor":"user","text":"more"}`, round, n)
		}
		require.NoError(t, os.WriteFile(log, []byte(event(0)+"\n"), 0o600))
		var said [2]bytes.Buffer
		var both [2]*exec.Cmd
		for i := range both {
			both[i] = exec.Command("faultline", "watch", dir, "--settle", "1ms", "--rescan", "20ms", "--store", store)
			both[i].Stderr = &said[i]
			require.NoError(t, both[i].Start())
		}
		f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		for n := 1; n < 20; n++ {
			half := event(n)[:40]
			for _, part := range []string{half, event(n)[40:] + "\n"} {
				_, err := f.WriteString(part)
				require.NoError(t, err)
				time.Sleep(20 * time.Millisecond)
			}
		}
		_, err = f.WriteString(event(20)[:50])
		require.NoError(t, err)
		require.NoError(t, f.Close())
		time.Sleep(500 * time.Millisecond)
		for i := range both {
			require.NoError(t, both[i].Process.Signal(syscall.SIGTERM))
		}
		for i := range both {
			require.NoError(t, both[i].Wait(), said[i].String())
		}
		got := fullIngest(t, dir, store)[log]
		require.Equal(t, [4]int{0, 20, 0, 1}, [4]int{got.Stored, got.Duplicates, got.Skipped, got.Quarantined}, "the halves on the way count for nothing")
	}
}
