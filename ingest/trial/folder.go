package trial

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// HeadLimit bounds, in bytes, what is read of a result file to tell what it
// is; the names stand in its first lines.
const HeadLimit = 1 << 20

// HasFile reports whether a folder, as fs.ReadDir lists it, has a regular file
// of that name. A link is none: it may lead out of the folder.
func HasFile(entries []fs.DirEntry, name string) bool {
	i, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	return ok && entries[i].Type().IsRegular()
}

// ReadHead returns the first limit bytes of a file, or all of a smaller one.
func ReadHead(dir fs.FS, p string, limit int64) ([]byte, error) {
	f, err := dir.Open(p)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", p, err)
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p, err)
	}
	return head, nil
}

// Text is the text of a value that decode.Peek gave, "" when it is no whole
// string.
func Text(value []byte, whole bool) string {
	if !whole || len(value) == 0 || value[0] != '"' {
		return ""
	}
	return ingest.TextOf(value)
}
