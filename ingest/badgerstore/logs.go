package badgerstore

import (
	"os"
	"path/filepath"
	"sync"
)

const logExt = ".vlog"

// valueLogs looks after Badger's value log, whose files are numbered, written
// one after the other, and mapped into memory for as long as the store is open.
type valueLogs struct {
	mu     sync.Mutex
	synced string // file from which on there may be something to flush
	dirty  int    // bytes written or read since the last release
	closed bool
}

// releaseAfter is how many bytes of the value log may become part of the
// process's memory before they are given back.
const releaseAfter = 24 << 20

// sync flushes the files that were written to since the last call.
func (l *valueLogs) sync(dir string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	newest := newestLog(dir)
	if err := syncFiles(dir, logExt, l.synced); err != nil {
		return err
	}
	l.synced = newest
	return nil
}

// newestLog names the file of the value log that is written to.
func newestLog(dir string) string {
	names, _ := filepath.Glob(filepath.Join(dir, "*"+logExt)) // sorted; the pattern is well-formed
	if len(names) == 0 {
		return ""
	}
	return filepath.Base(names[len(names)-1])
}

// touched accounts for n bytes written or read. Mapped files count as memory
// of the process once they were touched, up to the whole store; so full files,
// which stay where they are until the store is closed, are now and then let go.
// The kernel still has them in its cache.
func (l *valueLogs) touched(dir string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dirty += n; l.dirty < releaseAfter || l.closed {
		return
	}
	l.dirty = 0
	if abs, err := filepath.Abs(dir); err == nil {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			releaseMapped(real+string(os.PathSeparator), newestLog(dir))
		}
	}
}

// close ends releasing: files are unmapped from now on.
func (l *valueLogs) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}
