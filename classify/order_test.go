package classify_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// demo lists the top folders and files of the demo: what can be read in any
// order. Trial folders stay whole.
func demo(t *testing.T) []string {
	root := filepath.Join("..", "fixtures", "demo")
	var paths []string
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (filepath.Base(filepath.Dir(p)) == "harbor" || filepath.Base(filepath.Dir(p)) == "terminal-bench") {
			paths = append(paths, p)
			return fs.SkipDir
		}
		if !d.IsDir() {
			paths = append(paths, p)
		}
		return nil
	}))
	return paths
}

// judgeInOrder reads the paths one after another into one store and judges all
// that came in.
func judgeInOrder(t *testing.T, paths []string, key redact.Key, workers int) []byte {
	store := memstore.New()
	in := classify.Input{Store: store, Paths: map[string][]string{}, Rules: rules.All(), Workers: workers}
	seen := map[string]bool{}
	for _, p := range paths {
		res, err := scan.Run(context.Background(), []string{p}, scan.Options{Store: store, Redactor: redact.New(key)})
		require.NoError(t, err)
		for digest, at := range res.Paths {
			in.Paths[digest] = append(in.Paths[digest], at...)
			slices.Sort(in.Paths[digest])
		}
		for _, id := range res.Runs {
			if !seen[id] {
				seen[id] = true
				in.Runs = append(in.Runs, id)
			}
		}
	}
	res, err := classify.Run(context.Background(), in)
	require.NoError(t, err)
	out, err := json.Marshal(res.Verdicts, json.Deterministic(true))
	require.NoError(t, err)
	return out
}

// TestOrderDoesNotMatter holds that verdicts are the same bytes whatever the
// order of ingest, the number of workers and the redaction key.
func TestOrderDoesNotMatter(t *testing.T) {
	paths := demo(t)
	want := judgeInOrder(t, paths, redact.Key{}, 1)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		shuffled := slices.Clone(paths)
		random.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
		got := judgeInOrder(t, shuffled, redact.Key{byte(i + 1)}, i+1)
		require.Equal(t, string(want), string(got), "round %d", i)
	}
}

// TestRecordsMayComeLater holds that a record that names no run of the call is
// told, and that one given beside the call is used.
func TestRecordsMayComeLater(t *testing.T) {
	shop := filepath.Join("..", "fixtures", "demo", "sessions", "birchwick-shop")
	session := filepath.Join(shop, "76aaf29e-144c-4f0f-83d0-ac4bdb0a1fd7.jsonl")
	store, extra := memstore.New(), memstore.New()
	options := scan.Options{Store: store, Redactor: redact.New(redact.Key{})}
	res, err := scan.Run(context.Background(), []string{session}, options)
	require.NoError(t, err)
	options.Store = extra
	_, err = scan.Run(context.Background(), []string{filepath.Join(shop, "records.jsonl")}, options)
	require.NoError(t, err)

	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All()}
	without, err := classify.Run(context.Background(), in)
	require.NoError(t, err)
	assert.Empty(t, without.Unlinked)
	in.Extra = extra
	with, err := classify.Run(context.Background(), in)
	require.NoError(t, err)
	require.Len(t, with.Verdicts, 1)
	assert.Equal(t, classify.Acceptance, with.Verdicts[0].Layer)
	assert.NotEmpty(t, with.Unlinked, "the records of the other sessions name no run of this call")
	assert.NotEqual(t, classify.High, loudest(without), "without the record nothing requires the browser test")
	assert.Equal(t, classify.High, loudest(with))
}

func loudest(r *classify.Result) classify.Severity {
	best := classify.Low
	for _, v := range r.Verdicts {
		for _, f := range v.Findings {
			if f.Severity.Rank() > best.Rank() {
				best = f.Severity
			}
		}
	}
	return best
}

// TestMissingRun names the run that is not in the store.
func TestMissingRun(t *testing.T) {
	_, err := classify.Run(context.Background(), classify.Input{Store: memstore.New(), Runs: []string{"0123"}, Rules: rules.All()})
	require.ErrorIs(t, err, ingest.ErrNotFound)
	assert.ErrorContains(t, err, "0123")
}

// TestCancelled holds that an ended context ends a judgement.
func TestCancelled(t *testing.T) {
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{filepath.Join("..", "fixtures", "demo", "sessions", "birchwick-shop")}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	endless := classify.Rule{Occasion: func(*classify.View) bool { asked++; cancel(); return false }}
	_, err = classify.Run(ctx, classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: []classify.Rule{endless, endless}, Workers: 1})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, asked, "no rule is asked after the end")
}

// TestPositions holds that both ends of a stretch are left out.
func TestPositions(t *testing.T) {
	ps := classify.Positions{3, 5, 9}
	for _, c := range []struct {
		after, before int
		any           bool
	}{{2, 4, true}, {3, 5, false}, {4, 5, false}, {4, 6, true}, {9, 99, false}, {-1, 3, false}, {6, 6, false}} {
		assert.Equal(t, c.any, ps.Any(c.after, c.before), "(%d, %d)", c.after, c.before)
	}
	assert.Equal(t, 5, ps.Before(9))
	assert.Equal(t, -1, ps.Before(3))
}
