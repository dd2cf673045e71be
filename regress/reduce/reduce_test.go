package reduce_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/reduce"
)

var plenty = reduce.Budget{Runs: 1 << 20, Events: 1 << 30}

// needs is a search over n atoms of one event whose oracle wants some of them.
func needs(n int, want ...int) reduce.Search {
	s := reduce.Search{Weights: slices.Repeat([]int{1}, n), Held: make([]bool, n), Fixed: make([]bool, n), Budget: plenty}
	s.Shows = func(_ context.Context, kept []int) (bool, error) {
		for _, w := range want {
			if !slices.Contains(kept, w) {
				return false, nil
			}
		}
		return true, nil
	}
	return s
}

func TestFindsWhatMatters(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(300)
		want := r.Perm(n)[:r.IntN(min(n, 6)+1)]
		slices.Sort(want)
		got, err := needs(n, want...).Run(context.Background())
		require.NoError(t, err)
		require.ElementsMatch(t, want, got.Kept)
		require.True(t, got.Complete)
	}
}

// TestNoAtomCanGoAlone: the oracle is not monotonic (it counts), and still no
// single atom of the result can be left out.
func TestNoAtomCanGoAlone(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 2 + r.IntN(60)
		mask := r.Uint64()
		s := needs(n)
		asked := map[string]bool{}
		s.Shows = func(_ context.Context, kept []int) (bool, error) {
			key := string(must(kept))
			require.False(t, asked[key], "one set is judged once")
			asked[key] = true
			sum := uint64(0)
			for _, i := range kept {
				sum += mask >> (i % 60) & 1
			}
			return sum >= 3 && sum%2 == 1, nil
		}
		got, err := s.Run(context.Background())
		require.NoError(t, err)
		clear(asked)
		for i := range got.Kept {
			without := slices.Delete(slices.Clone(got.Kept), i, i+1)
			shows, _ := s.Shows(context.Background(), without)
			if len(got.Kept) < n {
				require.False(t, shows, "seed %d", seed)
			}
		}
	}
}

func must(kept []int) (b []byte) {
	for _, i := range kept {
		b = append(b, byte(i), byte(i>>8))
	}
	return b
}

// TestHeldAtomsGoLast: a fixed one stays although nothing needs it, held ones
// are there until nothing else can go.
func TestHeldAtomsGoLast(t *testing.T) {
	s := needs(50, 7)
	s.Fixed[3], s.Held[40] = true, true
	shows := s.Shows
	s.Shows = func(ctx context.Context, kept []int) (bool, error) {
		if len(kept) > 3 {
			require.Contains(t, kept, 40)
		}
		return shows(ctx, kept)
	}
	got, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []int{3, 7}, got.Kept)
}

// TestBudget: a search that is cut short says so and keeps what it has.
func TestBudget(t *testing.T) {
	s := needs(1000, 10, 500, 990)
	s.Budget.Runs = 12
	got, err := s.Run(context.Background())
	require.NoError(t, err)
	require.False(t, got.Complete)
	require.Equal(t, 12, got.Judged)
	require.Less(t, len(got.Kept), 1000)
	require.Subset(t, got.Kept, []int{10, 500, 990})

	s.Budget = reduce.Budget{Runs: 1000, Events: 5000}
	got, err = s.Run(context.Background())
	require.NoError(t, err)
	require.False(t, got.Complete)
	require.LessOrEqual(t, got.Seen, 5000)

	s.Budget = reduce.Budget{}
	got, err = s.Run(context.Background())
	require.NoError(t, err)
	require.Len(t, got.Kept, 1000)
	require.Zero(t, got.Judged)
}

// TestBeginsWithTheSlice: large sets are not asked about where a small one
// shows it.
func TestBeginsWithTheSlice(t *testing.T) {
	s := needs(10_000, 70, 71)
	s.Slices = [][]int{{70}, {69, 70, 71, 72}, {68, 69, 70, 71, 72, 73}}
	got, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []int{70, 71}, got.Kept)
	require.Less(t, got.Seen, 30)
}

// TestKindsGoTogether: what is needed is in every chunk of the whole, and the
// rest still goes at once.
func TestKindsGoTogether(t *testing.T) {
	var want []int
	s := needs(5000)
	for i := range 5000 {
		kind := "look"
		if i%10 == 0 {
			kind, want = "note", append(want, i)
		}
		s.Kinds = append(s.Kinds, kind)
	}
	s.Shows = needs(5000, want...).Shows
	s.Budget = reduce.Budget{Runs: 2, Events: 1 << 20}
	got, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, want, got.Kept)
}

func TestOracleFails(t *testing.T) {
	s, broken := needs(9), errors.New("store is gone")
	s.Shows = func(context.Context, []int) (bool, error) { return false, broken }
	_, err := s.Run(context.Background())
	require.ErrorIs(t, err, broken)
}
