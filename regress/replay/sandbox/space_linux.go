package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// What the system calls below are named in the kernel's headers.
const (
	capNetAdmin       = 12
	prSetSubreaper    = 36
	prCapAmbient      = 47
	prCapAmbientClear = 4
)

// spaces are the namespaces to try, best first. The user keeps its own id: some
// programs refuse to run as root.
func spaces(n Network) []*syscall.SysProcAttr {
	space := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
	if n == Open {
		return []*syscall.SysProcAttr{space, {}}
	}
	space.Cloneflags |= syscall.CLONE_NEWNET
	space.AmbientCaps = []uintptr{capNetAdmin} // to bring the loopback up
	return []*syscall.SysProcAttr{space}
}

// refused reports that the system does not give the namespaces: it forbids
// them, has used them up, or was built without.
func refused(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EUSERS) ||
		errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSYS)
}

// settleIn brings the loopback of a new network up and drops the right to do
// more.
func settleIn() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("bring the loopback up: %w", os.NewSyscallError("socket", err))
	}
	defer syscall.Close(fd)
	request := struct { // ifreq
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); e != 0 {
		return fmt.Errorf("bring the loopback up: %w", os.NewSyscallError("ioctl", e))
	}
	return nil
}

// prepare is done on the thread that starts programs: it gives up what the
// stub needed, and takes orphans where there is no PID namespace.
func prepare() {
	syscall.RawSyscall6(syscall.SYS_PRCTL, prCapAmbient, prCapAmbientClear, 0, 0, 0, 0) // older kernels have none
	syscall.RawSyscall(syscall.SYS_PRCTL, prSetSubreaper, 1, 0)
}

// running is the program's process, or 0.
var running atomic.Int64

// killAll kills everything but the stub. In a PID namespace that is one signal
// that nothing can escape; else the program's group and then whatever became
// a child of this process.
func killAll() {
	if os.Getpid() == 1 {
		syscall.Kill(-1, syscall.SIGKILL)
		return
	}
	if pid := running.Load(); pid > 0 {
		syscall.Kill(-int(pid), syscall.SIGKILL)
	}
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, name := range lists {
		data, _ := os.ReadFile(name)
		for word := range strings.FieldsSeq(string(data)) {
			if pid, err := strconv.Atoi(word); err == nil && pid > 1 {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}
