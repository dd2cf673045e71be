package scan

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/formats"
)

// endings lists what the names of sidecars end in: files that belong to another
// one, as a database's log does.
func endings() (out []string) {
	for _, f := range formats.All() {
		out = append(out, f.Beside...)
	}
	return out
}

// sidecars tells the content of the files that belong to the one at path, so
// that the digest covers them: a database's log grows while the database stays.
func (s *scanner) sidecars(path string, endings []string) (string, error) {
	var context strings.Builder
	for _, ending := range endings {
		sum, err := s.sidecar(path + ending)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&context, "%s %s\n", ending, digestOf(sum, ""))
	}
	return context.String(), nil
}

func (s *scanner) sidecar(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	src, err := newSource(f, path, s.now())
	if err != nil {
		return sum, err
	}
	if saw, ok, err := s.recall(src); ok || err != nil {
		return saw.sum, err
	}
	return s.hash(&decode.Input{Path: path, Size: math.MaxInt64, ReaderAt: src}, src)
}

// sidecarOf names the format whose files a file lies beside, and the reason why it
// is skipped; "" for a file that is no sidecar. Its content counts with the file
// that it belongs to, where that is still there.
func sidecarOf(path string, head []byte) (format, reason string) {
	for _, f := range formats.All() {
		for _, ending := range slices.Concat(f.Beside, f.Aside) {
			main, ok := strings.CutSuffix(path, ending)
			if !ok {
				continue
			}
			if _, err := os.Stat(main); err == nil {
				return f.Name, "sidecar"
			}
		}
		if f.IsBeside != nil && f.IsBeside(head) {
			return f.Name, "sidecar-alone"
		}
	}
	return "", ""
}

// old reports a file that Since passes over. A configuration counts whatever
// its age: it governs the new files beside it.
func (s *scanner) old(path string, info fs.FileInfo) bool {
	if s.o.Since.IsZero() || !info.ModTime().Before(s.o.Since) || filepath.Base(path) == ConfigName {
		return false
	}
	for _, ending := range endings() { // a database stays as it is while its log grows
		if beside, err := os.Stat(path + ending); err == nil && !beside.ModTime().Before(s.o.Since) {
			return false
		}
	}
	return true
}

// wanted reports a file that Only lists, or one whose sidecar it lists.
func (s *scanner) wanted(path string) bool {
	if s.o.Only == nil || s.o.Only[path] || filepath.Base(path) == ConfigName {
		return true
	}
	return slices.ContainsFunc(endings(), func(ending string) bool { return s.o.Only[path+ending] })
}
