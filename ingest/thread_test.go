package ingest_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// family is a store with runs that belong together in each way, and some that
// do not.
func family(t testing.TB) ingest.Store {
	t.Helper()
	s := memstore.New()
	add := func(run, format string, m ingest.Meta, native string) {
		put(t, s, ingest.Manifest{Run: run, Format: format, Meta: m}, agent("of "+run).unit(native))
	}
	add("a1", "f", ingest.Meta{Native: "A"}, "u-a1")
	add("a2", "f", ingest.Meta{Native: "A"}, "u-a2")                             // the same session
	add("a3", "f", ingest.Meta{Native: "other", Links: []string{"x", "A"}}, "")  // says so
	add("a4", "f", ingest.Meta{Native: "A", Agent: "sub", Parent: "A"}, "u-sub") // its sub-agent
	add("b1", "f", ingest.Meta{Native: "B"}, "u-b")
	add("b2", "f", ingest.Meta{Native: "B2"}, "u-b") // holds a unit of b1
	add("c1", "g", ingest.Meta{Native: "A"}, "")     // the same name in another format
	add("d1", "f", ingest.Meta{Native: "D", Trial: true, Links: []string{"B"}}, "u-b")
	add("d2", "f", ingest.Meta{Native: "D", Trial: true}, "")
	add("e1", "f", ingest.Meta{}, "")
	add("e2", "f", ingest.Meta{}, "")
	return s
}

var familyRuns = []string{"a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1", "d2", "e1", "e2"}

func TestGroup(t *testing.T) {
	s := family(t)
	want := [][]string{{"a1", "a2", "a3", "a4"}, {"b1", "b2"}, {"c1"}, {"d1"}, {"d2"}, {"e1"}, {"e2"}}
	got, err := ingest.Group(s, familyRuns, nil)
	require.NoError(t, err)
	assert.Equal(t, want, got)

	backwards := slices.Clone(familyRuns)
	slices.Reverse(backwards)
	got, err = ingest.Group(s, append(backwards, "a1"), nil)
	require.NoError(t, err)
	assert.Equal(t, want, got, "whatever the order, and a run named twice is one")

	got, err = ingest.Group(s, nil, nil)
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestGroupLinked(t *testing.T) {
	got, err := ingest.Group(family(t), familyRuns, [][2]string{{"B", "e2"}, {"e1", "e1"}, {"B", "nobody"}, {"D", "c1"}})
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"a1", "a2", "a3", "a4"}, {"b1", "b2", "e2"}, {"c1", "d2"}, {"d1"}, {"e1"}}, got,
		"by native or run id; a name that several runs have is the last one's")
}

func TestNewThread(t *testing.T) {
	s := memstore.New()
	put(t, s, ingest.Manifest{Run: "late", Format: "f"}, agent("x").at(9))
	put(t, s, ingest.Manifest{Run: "early", Format: "f"}, agent("y").at(1))
	put(t, s, ingest.Manifest{Run: "part2", Format: "f", Meta: ingest.Meta{Part: 2}}, agent("z").at(9))
	put(t, s, ingest.Manifest{Run: "side", Format: "f", Meta: ingest.Meta{Agent: "s"}}, agent("w").at(0))
	ids := []string{"late", "early", "part2", "side"}
	for range len(ids) {
		ids = append(ids[1:], ids[0])
		var runs []*ingest.Run
		for _, id := range ids {
			runs = append(runs, loaded(t, s, id))
		}
		th := ingest.NewThread(runs)
		assert.Equal(t, "early", th.Root)
		assert.Equal(t, []string{"early", "late", "part2"}, idsOf(th.Runs))
		assert.Equal(t, []string{"side"}, idsOf(th.Subs))
	}
	alone := ingest.NewThread([]*ingest.Run{loaded(t, s, "side")})
	assert.Equal(t, []string{"side"}, idsOf(alone.Runs), "sub-agents alone are their thread's main runs")
	assert.Equal(t, ingest.Thread{}, ingest.NewThread(nil))
}

func idsOf(runs []*ingest.Run) (ids []string) {
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestCopied: a unit with a native id that several runs hold belongs to the
// one whose id it carries, else to the first, whatever the order.
func TestCopied(t *testing.T) {
	spent := func(s step) step { return s.usage(ingest.Usage{Output: 10}) }
	carried := func(s step) step { s.carries = "A"; return s }
	shared := spent(agent("x").at(5)).unit("u-1")
	s := memstore.New()
	put(t, s, ingest.Manifest{Run: "own", Format: "f"}, shared, spent(agent("equal").at(6)))
	put(t, s, ingest.Manifest{Run: "resumed", Format: "f"}, carried(shared), spent(agent("new").at(1)).unit("u-2"), spent(agent("equal").at(6)))
	put(t, s, ingest.Manifest{Run: "fork", Format: "f"}, shared, spent(agent("mine").at(8)).unit("u-3"))
	ids := []string{"own", "resumed", "fork"}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var runs []*ingest.Run
		for _, i := range order {
			runs = append(runs, loaded(t, s, ids[i]))
		}
		copied := map[string]int{}
		tokens := map[string]int64{}
		for _, r := range ingest.NewThread(runs).Runs {
			for i := range r.Events {
				if r.Events[i].Copied {
					copied[r.ID]++
				}
			}
			tokens[r.ID] = r.Usage().Output
		}
		// own and fork began together: the one that ended first is the owner.
		assert.Equal(t, map[string]int{"fork": 1, "resumed": 1}, copied)
		assert.Equal(t, map[string]int64{"own": 20, "resumed": 20, "fork": 10}, tokens, "equal content without id is never a copy")
	}
}

// TestNewThreadRepeats: history that a run carries from another one, with its
// times, does not make it begin when that did.
func TestNewThreadRepeats(t *testing.T) {
	s := memstore.New()
	first := agent("x").at(1).unit("u")
	repeated := first
	repeated.carries = "native of z"
	put(t, s, ingest.Manifest{Run: "a fork", Format: "f"}, repeated, agent("y").at(9))
	put(t, s, ingest.Manifest{Run: "z", Format: "f"}, first, agent("w").at(2))
	th := ingest.NewThread([]*ingest.Run{loaded(t, s, "a fork"), loaded(t, s, "z")})
	require.Equal(t, "z", th.Runs[0].ID)
	assert.True(t, th.Runs[1].Events[0].Copied)
	assert.False(t, th.Runs[0].Events[0].Copied)
}
