package badgerstore

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseMapped lets go of the memory in which the value log files below
// prefix are mapped, but for the newest, which may move. These are shared
// mappings of files: what was written stays with the kernel, and a later read
// maps it anew. What cannot be released is merely kept.
func releaseMapped(prefix, newest string) {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		span, name, found := strings.Cut(lines.Text(), prefix)
		if !found || !strings.HasSuffix(name, logExt) || name >= newest {
			continue
		}
		span, perms, _ := strings.Cut(span, " ")
		from, to, _ := strings.Cut(span, "-")
		start, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil && len(perms) > 3 && perms[3] == 's' {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(start), uintptr(end-start), syscall.MADV_DONTNEED)
		}
	}
}
