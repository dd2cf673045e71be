//go:build darwin || freebsd

package sandbox

import (
	"errors"
	"sync/atomic"
	"syscall"
)

// spaces: there are no network namespaces here.
func spaces(n Network) []*syscall.SysProcAttr {
	if n == Open {
		return []*syscall.SysProcAttr{{}}
	}
	return nil
}

func refused(error) bool { return false }

func settleIn() error { return errors.New("this system has no network namespaces") }

func prepare() {}

// running is the program's process, or 0.
var running atomic.Int64

// killAll kills the program's process group. A process that made a group of
// its own escapes.
func killAll() {
	if pid := running.Load(); pid > 0 {
		syscall.Kill(-int(pid), syscall.SIGKILL)
	}
}
