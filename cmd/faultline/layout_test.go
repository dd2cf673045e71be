package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/faultline-dev/faultline"

// pkg is what go list says of one of our packages.
type pkg struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// name is the import path below the module, "ingest/scan".
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

func packages(t *testing.T) (all []pkg) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	require.NoError(t, err, "go list")
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		all = append(all, p)
	}
	require.Greater(t, len(all), 10)
	return all
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

// TestTopLevel: the rooms, and nothing else beside hidden files.
func TestTopLevel(t *testing.T) {
	allowed := []string{"ingest", "classify", "regress", "handbook", "cmd", "fixtures", "go.mod", "go.sum", "README.md"}
	for _, name := range topLevel(t) {
		if !strings.HasPrefix(name, ".") {
			assert.Contains(t, allowed, name)
		}
	}
}

// topLevel lists what the project has at its top: the tracked names where git
// knows them, so that a binary or cases of the user's own do not count.
func topLevel(t *testing.T) (names []string) {
	cmd := exec.Command("git", "ls-files")
	cmd.Dir = root(t)
	if out, err := cmd.Output(); err == nil {
		for file := range strings.Lines(string(out)) {
			first, _, _ := strings.Cut(strings.TrimSpace(file), "/")
			names = append(names, first)
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	entries, err := os.ReadDir(root(t))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// forbidden says which rooms a room must not see: imports point one way.
var forbidden = map[string][]string{
	"ingest":   {"classify", "regress", "handbook", "cmd"},
	"classify": {"regress", "handbook", "cmd"},
	"regress":  {"handbook", "cmd"},
	"handbook": {"ingest", "classify", "regress", "cmd"},
	"fixtures": {"classify", "regress", "handbook", "cmd"},
}

// TestImports: rooms see only those before them, and the model imports nothing
// foreign but the JSON library.
func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		room, _, _ := strings.Cut(p.name(), "/")
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if rest, ours := strings.CutPrefix(path, module+"/"); ours {
				other, _, _ := strings.Cut(rest, "/")
				assert.NotContains(t, forbidden[room], other, "%s imports %s", p.name(), rest)
				if room == "fixtures" && other == "ingest" { // a harness may import what is made for harnesses
					assert.Equal(t, "ingest/record", rest, p.name())
				}
			}
		}
		if p.name() != "ingest" && p.name() != "ingest/record" {
			continue
		}
		for _, path := range p.Imports {
			foreign := strings.Contains(strings.Split(path, "/")[0], ".") && !strings.HasPrefix(path, module+"/")
			assert.True(t, !foreign || strings.HasPrefix(path, "github.com/go-json-experiment/json"), "%s imports %s", p.name(), path)
		}
	}
}

// TestFiles: every package explains itself, and no file is endless.
func TestFiles(t *testing.T) {
	for _, p := range packages(t) {
		assert.Contains(t, p.GoFiles, "doc.go", p.name())
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			require.NoError(t, err)
			assert.LessOrEqual(t, bytes.Count(data, []byte("\n")), 600, "%s/%s", p.name(), name)
		}
		assert.NotContains(t, []string{"util", "utils", "common", "helpers", "misc"}, filepath.Base(p.Dir))
	}
}

// maxExports is how many types, functions and constant groups a package may
// export. The exceptions are counted and say why.
const maxExports = 25

var exportLimits = map[string]int{
	// The model is one vocabulary: the header of an event with its five kinds
	// of words, how a response ended, what a store keeps, and what is derived
	// from a loaded run.
	"ingest": 46,
	// What a decoder reads with, and what it writes through.
	"ingest/decode": 27,
	// What a rule sees (view, its parts, the ledger) and what it says (finding,
	// verdict) refer to each other, and rules lie in a package of their own.
	"classify": 50,
}

func TestExports(t *testing.T) {
	for _, p := range packages(t) {
		names := exports(t, p)
		limit := maxExports
		if n, ok := exportLimits[p.name()]; ok {
			limit = n
		}
		assert.LessOrEqual(t, len(names), limit, "%s exports %s", p.name(), strings.Join(names, " "))
	}
}

// exports lists the exported types and functions of a package, and each group
// of constants by its first name.
func exports(t *testing.T, p pkg) (names []string) {
	t.Helper()
	for _, file := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				names = append(names, declared(d)...)
			}
		}
	}
	return names
}

func declared(d *ast.GenDecl) (names []string) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				names = append(names, s.Name.Name)
			}
		case *ast.ValueSpec:
			if d.Tok == token.CONST && s.Names[0].IsExported() {
				return append(names, s.Names[0].Name)
			}
		}
	}
	return names
}
