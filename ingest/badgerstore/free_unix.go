//go:build linux || darwin || freebsd

package badgerstore

import "syscall"

// freeSpace is what the user may still write to dir's file system, in bytes.
func freeSpace(dir string) (free int64, known bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
