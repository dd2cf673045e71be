package decodetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Row is one row of the corpus index: what was counted in a real trace by
// another program than this one.
type Row struct {
	Root, File, Format, Verdict        string
	Calls, Results, Orphans, OutTokens int // 0 when the cell is empty
	Facts                              map[string]any
}

// Fact returns a numeric fact, 0 when there is none.
func (r Row) Fact(name string) int {
	f, _ := r.Facts[name].(float64)
	return int(f)
}

// Path is where the file lies.
func (r Row) Path() string { return filepath.Join(r.Root, filepath.FromSlash(r.File)) }

// Read returns the file's bytes.
func (r Row) Read(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Rows returns the index of the corpus of real traces that FAULTLINE_CORPUS
// points to. The test is skipped without one, and fails when it is missing.
func Rows(t testing.TB) []Row {
	t.Helper()
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip("FAULTLINE_CORPUS is not set")
	}
	index, err := os.ReadFile(filepath.Join(root, "INDEX.tsv"))
	if err != nil {
		t.Fatalf("corpus index: %v", err)
	}
	lines := strings.Split(strings.TrimRight(string(index), "\n"), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	rows := make([]Row, 0, len(lines))
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		cell := func(name string) string { return cells[column[name]] }
		number := func(name string) int {
			n, _ := strconv.Atoi(cell(name))
			return n
		}
		row := Row{Root: root, File: cell("file"), Format: cell("format"), Verdict: cell("verdict"),
			Calls: number("tool_calls"), Results: number("tool_results"), Orphans: number("orphan_calls"), OutTokens: number("output_tokens")}
		if facts := cell("facts"); facts != "" {
			if err := json.Unmarshal([]byte(facts), &row.Facts); err != nil {
				t.Fatalf("facts of %s: %v", row.File, err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
