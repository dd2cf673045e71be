package scan_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// session is the story whose copies are met in every way that agents make
// them.
func session() []string {
	return []string{
		line("s-1", "u-1", "write to dana@corp.example and lee@corp.example"), says("s-1", "a-1", "m-1", 5),
		line("s-1", "u-2", "again"), says("s-1", "a-2", "m-2", 7),
	}
}

func copies() files {
	whole := session()
	resumed := append(slices.Clone(whole), line("s-2", "u-9", "go on"), says("s-2", "a-9", "m-9", 11))
	var fork []string
	for _, l := range whole {
		fork = append(fork, strings.ReplaceAll(l, `"s-1"`, `"s-3"`))
	}
	fork = append(fork, says("s-3", "a-f", "m-f", 13))
	title := `{"type":"summary","summary":"A title","leafUuid":"a-2"}`
	return files{
		"early.jsonl":   lines(whole[:2]...), // before it grew
		"cut.jsonl":     lines(whole...)[:len(lines(whole...))-30],
		"whole.jsonl":   lines(whole...),
		"copy.jsonl":    lines(whole...),
		"titled.jsonl":  lines(append([]string{title}, whole...)...),
		"resumed.jsonl": lines(resumed...), // begins with copied lines, the old session id in them
		"fork.jsonl":    lines(fork...),    // new session id, old uuids
	}
}

// state is all that a user sees of a store: threads, runs, events with their
// addresses, texts and tokens.
func state(t *testing.T, s ingest.Store) string {
	t.Helper()
	var ids []string
	for id, err := range s.Runs() {
		require.NoError(t, err)
		ids = append(ids, id)
	}
	groups, err := ingest.Group(s, ids, nil)
	require.NoError(t, err)
	var b strings.Builder
	mask := redact.NewMasker()
	for _, g := range groups {
		var runs []*ingest.Run
		for _, id := range g {
			r, err := ingest.Load(s, id, nil)
			require.NoError(t, err)
			runs = append(runs, r)
		}
		th := ingest.NewThread(runs)
		fmt.Fprintln(&b, "thread", th.Root)
		for _, r := range append(th.Runs, th.Subs...) {
			fmt.Fprintf(&b, "run %s %+v %+v\n", r.ID, r.Meta, r.Usage())
			for i := range r.Events {
				e := &r.Events[i]
				ref := r.Ref(e)
				ref.File = filepath.Base(ref.File)
				fmt.Fprintf(&b, "%+v %s %s %v %s\n", ref, e.Kind, e.ID, e.Copied, mask.Mask(r.Text(e)))
			}
		}
	}
	return b.String()
}

func scanFile(t *testing.T, s ingest.Store, key redact.Key, path string) *scan.Result {
	t.Helper()
	res, err := scan.Run(context.Background(), []string{path}, scan.Options{Store: s, Redactor: redact.New(key)})
	require.NoError(t, err)
	return res
}

// TestAnyOrder: whatever is met first, under whichever redaction key, the same
// is seen, and tokens count once per owner.
func TestAnyOrder(t *testing.T) {
	dir := copies().write(t)
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range copies() {
			if !yield(name) {
				return
			}
		}
	})
	want := ""
	for k, order := range permutations(len(names)) {
		if k%11 != 0 || testing.Short() && k%10 != 0 { // a spread of all 5,040
			continue
		}
		s := memstore.New()
		for _, i := range order {
			scanFile(t, s, redact.Key{byte(k)}, filepath.Join(dir, names[i]))
		}
		got := state(t, s)
		if want == "" {
			want = got
		}
		require.Equal(t, want, got, "order %v", order)
	}
	assert.Contains(t, want, "«email 1»")
	assert.Equal(t, 1, strings.Count(want, "thread "))
	assert.EqualValues(t, 5+7+11+13, outputOf(t, dir))
}

func outputOf(t *testing.T, dir string) (sum int64) {
	t.Helper()
	s := memstore.New()
	res := scanFile(t, s, redact.Key{1}, dir)
	var runs []*ingest.Run
	for _, id := range res.Runs {
		r, err := ingest.Load(s, id, nil)
		require.NoError(t, err)
		runs = append(runs, r)
	}
	for _, r := range ingest.NewThread(runs).Runs {
		sum += r.Usage().Output
	}
	return sum
}

// TestAgain: a folder that is met again stores nothing and looks the same.
func TestAgain(t *testing.T) {
	dir, s := copies().write(t), memstore.New()
	scanInto(t, s, dir, dir)
	before := state(t, s)
	again := scanInto(t, s, dir, dir)
	for _, r := range again.receipts {
		assert.Zero(t, r.Stored, r.Source)
	}
	assert.Empty(t, again.Fresh)
	assert.Equal(t, before, state(t, s))
}

// TestStoredOnce: of copies and growth only what is new is stored.
func TestStoredOnce(t *testing.T) {
	dir, s := copies().write(t), memstore.New()
	got := map[string][4]int{}
	for _, name := range []string{"early.jsonl", "cut.jsonl", "whole.jsonl", "copy.jsonl", "titled.jsonl"} {
		got[name] = account(scanInto(t, s, dir, filepath.Join(dir, name)).at[name])
	}
	assert.Equal(t, map[string][4]int{
		"early.jsonl": {2}, "cut.jsonl": {1, 2, 0, 1}, "whole.jsonl": {1, 3}, "copy.jsonl": {0, 4}, "titled.jsonl": {1, 4},
	}, got)
	assert.Len(t, slices.Collect(func(yield func(string) bool) {
		for id := range s.Runs() {
			if !yield(id) {
				return
			}
		}
	}), 1, "all of one session")
}

// TestSeqStays: what is added to a file leaves the addresses of what was there.
func TestSeqStays(t *testing.T) {
	dir, s := copies().write(t), memstore.New()
	refs := func(name string) (refs []ingest.Ref) {
		res := scanFile(t, s, redact.Key{1}, filepath.Join(dir, name))
		r, err := ingest.Load(s, res.Runs[0], func(string) []string { return []string{"f"} })
		require.NoError(t, err)
		for i := range r.Events {
			refs = append(refs, r.Ref(&r.Events[i]))
		}
		return refs
	}
	early, whole := refs("early.jsonl"), refs("whole.jsonl")
	require.Less(t, len(early), len(whole))
	assert.Equal(t, early, whole[:len(early)])
	for i, r := range whole {
		assert.Equal(t, i+1, r.Seq)
	}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}
