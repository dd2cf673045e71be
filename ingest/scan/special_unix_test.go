//go:build unix

package scan_test

import (
	"net"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/memstore"
)

// TestSpecialFiles: pipes, sockets and devices are no files: they are passed
// over, met or named, and nothing waits for them.
func TestSpecialFiles(t *testing.T) {
	dir := files{"a.jsonl": good()}.write(t)
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	t.Chdir(dir) // the path of a socket must be short
	socket, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer socket.Close()
	f := scanInto(t, memstore.New(), dir, dir, pipe, "socket", "/dev/null")
	assert.Len(t, f.receipts, 1)
	assert.Equal(t, [4]int{2}, account(f.at["a.jsonl"]))
}
