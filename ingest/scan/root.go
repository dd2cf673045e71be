package scan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// root is a path that the caller named; a link is followed.
type root struct {
	path string
	dir  bool
	real string // absolute, without links: tells whether two roots overlap
}

// rootsOf checks the paths, puts them in order and leaves out what another of
// them holds.
func rootsOf(paths []string) ([]root, error) {
	var all []root
	dirs := map[string]bool{}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			continue
		}
		r := root{path: filepath.Clean(p), dir: info.IsDir()}
		if r.real, err = realPath(r.path); err != nil {
			return nil, fmt.Errorf("resolve %s: %w", p, err)
		}
		dirs[r.real] = dirs[r.real] || r.dir
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b root) int {
		return strings.Compare(orderOf(a.path, a.dir), orderOf(b.path, b.dir))
	})
	taken := map[string]bool{}
	return slices.DeleteFunc(all, func(r root) bool {
		again := taken[r.real]
		taken[r.real] = true
		return again || below(r.real, dirs)
	}), nil
}

// excluded finds the folders below the root that are passed over, as a walk
// from the root spells them. all means that one of them holds the root itself.
func (r root) excluded(folders []string) (below map[string]bool, all bool) {
	below = map[string]bool{}
	for _, folder := range folders {
		full, err := realPath(folder)
		if err != nil {
			continue // it is not there
		}
		if rel, err := filepath.Rel(full, r.real); err == nil && filepath.IsLocal(rel) {
			return nil, true
		}
		if rel, err := filepath.Rel(r.real, full); err == nil && filepath.IsLocal(rel) {
			below[filepath.Join(r.path, rel)] = true
		}
	}
	return below, false
}

func realPath(p string) (string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// below reports whether one of dirs holds p.
func below(p string, dirs map[string]bool) bool {
	for up := filepath.Dir(p); up != p; p, up = up, filepath.Dir(up) {
		if dirs[up] {
			return true
		}
	}
	return false
}

// orderOf is what names are compared by so that files come in the order of
// their whole paths: "a.jsonl" stands before "a/x".
func orderOf(name string, dir bool) string {
	if dir {
		return name + string(filepath.Separator)
	}
	return name
}
