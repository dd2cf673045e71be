package scan_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite"
)

// unpack is the folder that a fixture stands for. What no text can hold is made
// here: see the README beside the fixtures.
func unpack(t *testing.T, ar *txtar.Archive) (in files, want []string) {
	in = files{}
	members := map[string]files{}
	for _, f := range ar.Files {
		archive, member, packed := strings.Cut(f.Name, ".eval/")
		switch {
		case f.Name == "want":
			want = wanted(string(f.Data))
		case packed:
			if members[archive] == nil {
				members[archive] = files{}
			}
			members[archive][member] = written(f.Data)
		case strings.HasSuffix(f.Name, ".sql"):
			maps.Copy(in, database(t, strings.TrimSuffix(f.Name, ".sql"), written(f.Data)))
		default:
			in[f.Name] = written(f.Data)
		}
	}
	for name, m := range members {
		in[name+".eval"] = pack(t, m)
	}
	return in, want
}

// written is what a file of a fixture stands for.
func written(data []byte) string {
	data = bytes.TrimSuffix(data, []byte("\\\n"))
	return string(hexByte.ReplaceAllFunc(data, func(x []byte) []byte {
		b, _ := hex.DecodeString(string(x[2:]))
		return b
	}))
}

var hexByte = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// pack makes the archive of a log, compressed as new writers do.
func pack(t *testing.T, members files) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, name := range slices.Sorted(maps.Keys(members)) {
		m, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip})
		require.NoError(t, err)
		_, err = m.Write([]byte(members[name]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.String()
}

// database is what a program that runs leaves of its database: rows that are in
// the write-ahead log only, and the index of that.
func database(t *testing.T, name, statements string) files {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0;\n" + statements)
	require.NoError(t, err)
	out := files{}
	for _, ending := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(path + ending)
		require.NoError(t, err)
		out[name+ending] = string(data)
	}
	return out
}

// TestTraps holds the list of traps in the README beside the fixtures to the
// fixtures: each trap has one at least, or a test, and each fixture that names
// a trap is listed.
func TestTraps(t *testing.T) {
	root := filepath.Join("..", "..", "fixtures", "formats")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	listed, tests := map[int][]string{}, 0
	for _, m := range regexp.MustCompile(`(?m)^(\d+)\. [^:]*: (.*)$`).FindAllStringSubmatch(string(readme), -1) {
		n, _ := strconv.Atoi(m[1])
		require.NotContains(t, listed, n)
		listed[n] = nil
		for name := range strings.SplitSeq(m[2], ", ") {
			if pkg, test, ok := strings.Cut(name, " "); ok {
				require.True(t, hasTest(t, pkg, test), "trap %d: %s", n, name)
				tests++
				continue
			}
			listed[n] = append(listed[n], name)
		}
		require.NotEmpty(t, m[2], "trap %d", n)
	}
	require.Len(t, listed, 25)
	require.Positive(t, tests)

	stated := map[int][]string{}
	names, err := filepath.Glob(filepath.Join(root, "*.txtar"))
	require.NoError(t, err)
	for _, file := range names {
		ar, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for _, n := range traps(ar) {
			stated[n] = append(stated[n], strings.TrimSuffix(filepath.Base(file), ".txtar"))
		}
	}
	for n := range 25 {
		require.Equal(t, stated[n+1], listed[n+1], "trap %d", n+1)
	}
}

// traps reads the line "Traps: 5, 21." of a fixture's comment.
func traps(ar *txtar.Archive) (all []int) {
	m := regexp.MustCompile(`(?m)^Traps: ([\d, ]+)\.$`).FindSubmatch(ar.Comment)
	if m == nil {
		return nil
	}
	for n := range strings.SplitSeq(string(m[1]), ", ") {
		i, _ := strconv.Atoi(n)
		all = append(all, i)
	}
	return all
}

func hasTest(t *testing.T, pkg, test string) bool {
	names, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	require.NoError(t, err)
	for _, name := range names {
		code, err := os.ReadFile(name)
		require.NoError(t, err)
		if bytes.Contains(code, []byte("func "+test+"(t *testing.T)")) {
			return true
		}
	}
	return false
}
