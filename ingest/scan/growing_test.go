package scan_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/formats"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// reads scans a folder and returns its receipts, without the folder's name.
func reads(t testing.TB, s ingest.Store, dir string, g *scan.Growing) (out []ingest.Receipt, res *scan.Result) {
	t.Helper()
	res, err := scan.Run(context.Background(), []string{dir}, scan.Options{Store: s, Redactor: redact.New(redact.Key{7}), Growing: g,
		Receipt: func(r *ingest.Receipt) error {
			one := *r
			one.Source = strings.TrimPrefix(one.Source, dir)
			addsUp(t, r)
			out = append(out, one)
			return nil
		}})
	require.NoError(t, err)
	return out, res
}

// told is what a store tells of its runs: their events and where these stand.
func told(t testing.TB, s ingest.Store) (out []string) {
	t.Helper()
	for id, err := range s.Runs() {
		require.NoError(t, err)
		if id == ingest.RecordsRun {
			continue // of records every content counts by itself
		}
		r, err := ingest.Load(s, id, nil)
		require.NoError(t, err)
		out = append(out, fmt.Sprintf("%s %+v %v", id, r.Meta, r.Grade))
		for i := range r.Events {
			e := r.Events[i]
			ref := r.Ref(&e)
			ref.File, e.Unit, e.Source = "", 0, 0
			usage, exit := fmt.Sprint(e.Usage), fmt.Sprint(e.Exit != nil)
			e.Usage, e.Exit, e.Value = nil, nil, nil
			out = append(out, fmt.Sprintf("%+v %+v %s %s %s", ref, e, usage, exit, r.Text(&e)))
		}
	}
	slices.Sort(out)
	return out
}

// grower writes a log as it may come about.
type grower struct {
	t    *testing.T
	r    *rand.Rand
	path string
	want []byte // what it is to be in the end
	at   int
	anew bool // it was written over: of contents as long as each other any may count
}

// step appends some bytes, mostly; at times it does what is no growth.
func (g *grower) step() {
	t, now := g.t, g.want[:g.at]
	switch g.r.IntN(20) {
	case 0: // truncated, and written on from there
		if g.at = g.r.IntN(g.at + 1); len(now) > 0 {
			require.NoError(t, os.Truncate(g.path, int64(g.at)))
		}
	case 1: // another file in its place
		require.NoError(t, os.WriteFile(g.path+".new", now, 0o600))
		require.NoError(t, os.Rename(g.path+".new", g.path))
	case 2: // written over
		if i := bytes.LastIndexAny(now, "aeiou"); i > 0 {
			g.anew = true
			now[i] = "uoiea"[strings.IndexByte("aeiou", now[i])]
			require.NoError(t, os.WriteFile(g.path, now, 0o600))
		}
	}
	more := 1 + g.r.IntN(2*len(g.want)/8+1)
	if g.r.IntN(3) == 0 { // the end of a line
		if i := bytes.IndexByte(g.want[min(g.at+more, len(g.want)):], '\n'); i >= 0 {
			more += i + g.r.IntN(2)
		}
	}
	to := min(g.at+more, len(g.want))
	f, err := os.OpenFile(g.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = f.Write(g.want[g.at:to])
	require.NoError(t, err)
	require.NoError(t, f.Close())
	g.at = to
}

// samples are logs of all formats: those of the fixtures, and of the corpus where
// there is one.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	const most = 6 // of a format
	out, n := map[string][]byte{}, map[string]int{}
	add := func(name string, data []byte) {
		f, ok := formats.Detect(data[:min(len(data), 64<<10)])
		if n[f.Name]++; ok && len(data) < 100<<10 && n[f.Name] <= most {
			out[f.Name+" "+name] = data
		}
	}
	for _, root := range []string{"../../fixtures", os.Getenv("FAULTLINE_CORPUS")} {
		if root == "" {
			continue
		}
		require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if filepath.Ext(path) != ".txtar" {
				add(path, data)
				return err
			}
			for _, f := range txtar.Parse(data).Files {
				add(path+" "+f.Name, f.Data)
			}
			return err
		}))
	}
	return out
}

// TestGrowing: whatever happens to a log, what is read as it grows is what a
// reading of the whole gives at that time, receipts and events, but for a last
// line that is not whole: that waits.
func TestGrowing(t *testing.T) {
	for name, data := range samples(t) {
		h := fnv.New64()
		h.Write([]byte(name))
		seed := h.Sum64()
		t.Run(name, func(t *testing.T) {
			dir, whole := t.TempDir(), t.TempDir()
			g := &grower{t: t, r: rand.New(rand.NewPCG(seed, 9)), path: filepath.Join(dir, "log"), want: bytes.Clone(data)}
			followed, read := memstore.New(), memstore.New()
			var growing scan.Growing
			defer growing.Close()
			for range 14 {
				g.step()
				got, res := reads(t, followed, dir, &growing)
				taken := g.want[:g.at]
				if len(res.Waiting) > 0 {
					taken = taken[:bytes.LastIndexByte(taken, '\n')+1]
				}
				if len(taken) == 0 {
					require.Empty(t, got)
					continue
				}
				require.NoError(t, os.WriteFile(filepath.Join(whole, "log"), taken, 0o600))
				want, _ := reads(t, read, whole, nil)
				require.Equal(t, want, got)
				if !g.anew {
					require.Equal(t, told(t, read), told(t, followed))
				}
			}
			reads(t, followed, dir, nil) // the end of the watch
			require.NoError(t, os.WriteFile(filepath.Join(whole, "log"), g.want[:g.at], 0o600))
			reads(t, read, whole, nil)
			if !g.anew {
				require.Equal(t, told(t, read), told(t, followed))
			}
		})
	}
}

// TestHalfLine: a last line that is half written waits, whatever the format of
// lines, and counts once at the end; one that is whole does not wait for its newline.
func TestHalfLine(t *testing.T) {
	dir, s := files{"a.jsonl": line("s-a", "a-1", "x") + "\n" + line("s-a", "a-2", "y")[:50]}.write(t), memstore.New()
	var g scan.Growing
	defer g.Close()
	got, res := reads(t, s, dir, &g)
	require.Equal(t, [4]int{1, 0, 0, 0}, account(&got[0]))
	require.Equal(t, []string{filepath.Join(dir, "a.jsonl")}, res.Waiting)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(line("s-a", "a-1", "x")+"\n"+line("s-a", "a-2", "y")), 0o600))
	got, res = reads(t, s, dir, &g)
	require.Equal(t, [4]int{1, 1, 0, 0}, account(&got[0]), "it is whole, if without a newline")
	require.Empty(t, res.Waiting)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(line("s-a", "a-1", "x")+"\n"+line("s-a", "a-2", "y")+"\n{\"a"), 0o600))
	got, _ = reads(t, s, dir, &g)
	require.Equal(t, [4]int{0, 2, 0, 0}, account(&got[0]))
	ms, err := s.Manifests(got[0].Runs[0])
	require.NoError(t, err)
	require.Len(t, ms[0].Grown, 2, "it was read on, and not anew")
	got, _ = reads(t, s, dir, nil)
	require.Equal(t, [4]int{0, 2, 0, 1}, account(&got[0]), "nothing more comes")
}

// TestGrowingBeside: what others bring of the same run between two readings is
// known to the next, and a store that was made anew gets the whole file.
func TestGrowingBeside(t *testing.T) {
	dir, store := t.TempDir(), filepath.Join(t.TempDir(), "store")
	path := filepath.Join(dir, "a.jsonl")
	var g scan.Growing
	defer g.Close()
	open := func() *badgerstore.Store {
		s, err := badgerstore.Open(store, badgerstore.Options{Key: &[32]byte{7}})
		require.NoError(t, err)
		return s
	}
	read := func(g *scan.Growing, from string) [4]int {
		s := open()
		defer s.Close()
		got, _ := reads(t, s, from, g)
		require.Len(t, got, 1)
		return account(&got[0])
	}
	text := ""
	grow := func(id string) {
		text += line("s-a", id, "x") + "\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	grow("1")
	require.Equal(t, [4]int{1, 0, 0, 0}, read(&g, dir))
	grow("2")
	require.Equal(t, [4]int{1, 1, 0, 0}, read(&g, dir))
	grow("3")
	other := files{"b.jsonl": text}.write(t)
	require.Equal(t, [4]int{1, 2, 0, 0}, read(nil, other), "another process reads a copy")
	grow("4")
	require.Equal(t, [4]int{1, 3, 0, 0}, read(&g, dir))
	grow("5")
	require.Equal(t, [4]int{1, 4, 0, 0}, read(&g, dir))
	require.NoError(t, os.RemoveAll(store))
	grow("6")
	require.Equal(t, [4]int{6, 0, 0, 0}, read(&g, dir), "nothing is left of what was known")
	s := open()
	defer s.Close()
	for id, err := range s.Runs() {
		require.NoError(t, err)
		r, err := ingest.Load(s, id, nil)
		require.NoError(t, err)
		assert.Len(t, r.Events, 6)
	}
}
