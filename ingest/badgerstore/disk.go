package badgerstore

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
)

// disk keeps the store from filling its file system to the last byte. Badger
// writes by mmap, where a full disk is not an error but a fault that ends the
// process; so a put is refused while there is still room for what Badger does
// in the background with what it has: flush its tables and merge them.
//
// It is also Badger's logger, because a background failure is only logged.
type disk struct {
	dir     string
	written atomic.Int64 // bytes in tables at the start and put since
	failed  atomic.Pointer[error]
}

const (
	leastFree = 8 << 20
	mostFree  = 256 << 20
)

// reserve accounts for n more bytes, or returns ENOSPC.
func (d *disk) reserve(n int) error {
	if err := d.failure(); err != nil {
		return err
	}
	need := min(leastFree+2*(d.written.Load()+int64(n)), mostFree)
	free, known := freeSpace(d.dir)
	if known && free < need {
		return fmt.Errorf("%d MB free, %d MB needed to write safely: %w", free>>20, need>>20, syscall.ENOSPC)
	}
	d.written.Add(int64(n))
	return nil
}

// failure is the first error of Badger's background work.
func (d *disk) failure() error {
	if err := d.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Errorf keeps the first error among what Badger logs as one. That a value
// cannot be read is told to who reads it.
func (d *disk) Errorf(format string, args ...any) {
	for _, reading := range []string{"Unable to read", "Invalid read", "Key: %v"} {
		if strings.HasPrefix(format, reading) {
			return
		}
	}
	err := fmt.Errorf("background write: "+format, args...)
	for _, a := range args {
		if cause, ok := a.(error); ok && errors.Is(cause, syscall.ENOSPC) {
			err = fmt.Errorf("background write: %w", cause)
		}
	}
	d.failed.CompareAndSwap(nil, &err)
}

// Warningf, Infof and Debugf drop what a user cannot act on.
func (d *disk) Warningf(string, ...any) {}

// Infof drops its message.
func (d *disk) Infof(string, ...any) {}

// Debugf drops its message.
func (d *disk) Debugf(string, ...any) {}
