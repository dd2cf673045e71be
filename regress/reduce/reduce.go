package reduce

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// errSpent ends a search whose next judgement the budget does not allow.
var errSpent = errors.New("the budget is spent")

// Budget limits a search. The zero value allows no judgement.
type Budget struct {
	Runs   int // judgements
	Events int // events that they see in all
}

// Search is what to reduce and how.
type Search struct {
	Weights []int  // of the atoms, in events
	Held    []bool // left alone until nothing else can be left out
	Fixed   []bool // never left out
	// Kinds name what atoms are alike; nil: none is like another. Before chunks
	// are tried, each kind is left out as a whole.
	Kinds []string
	// Slices are sets to begin with, the smallest first: the search goes on
	// from the first that shows it, else from all atoms.
	Slices [][]int
	Budget Budget
	// Shows is the oracle: does this set, in rising order, still show it? Its
	// error ends the search.
	Shows func(ctx context.Context, kept []int) (bool, error)
	// Told hears of each judgement; nil is nobody.
	Told func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	Judged int // judgements so far
	Events int // events of the smallest set so far
	Of     int // events at the beginning
}

// Result is the smallest set found. All atoms are taken to show what they show.
type Result struct {
	Kept   []int // in rising order
	Judged int   // judgements
	Seen   int   // events that they saw in all
	// Complete: no atom that may go can be left out alone. Else the budget ran
	// out before.
	Complete bool
}

// Run searches.
func (s Search) Run(ctx context.Context) (Result, error) {
	r := &runner{Search: s, known: map[[32]byte]bool{}}
	for i := range s.Weights {
		r.kept = append(r.kept, i)
	}
	r.of = r.weigh(r.kept)
	err := r.search(ctx)
	if errors.Is(err, errSpent) {
		err = nil
	} else if err == nil {
		r.done = true
	}
	return Result{Kept: r.kept, Judged: r.judged, Seen: r.seen, Complete: r.done}, err
}

type runner struct {
	Search
	kept         []int
	of           int
	judged, seen int
	done         bool
	known        map[[32]byte]bool // answers, by the set
}

func (r *runner) search(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	free := func(i int) bool { return !r.Held[i] && !r.Fixed[i] }
	if err := r.byKind(ctx, free); err != nil {
		return err
	}
	if err := r.minimize(ctx, free); err != nil {
		return err
	}
	if err := r.minimize(ctx, func(i int) bool { return r.Held[i] && !r.Fixed[i] }); err != nil {
		return err
	}
	return r.minimize(ctx, free) // what served a held atom alone may go now
}

// begin takes the first slice that shows it.
func (r *runner) begin(ctx context.Context) error {
	for _, slice := range r.Slices {
		if len(slice) >= len(r.kept) {
			return nil
		}
		if shows, err := r.ask(ctx, slice); err != nil || shows {
			return err
		}
	}
	return nil
}

// maxKinds bounds how many kinds are tried, the most frequent first.
const maxKinds = 16

// byKind tries to leave out all atoms of a kind at once: what repeats all over
// a long run is in every chunk of it.
func (r *runner) byKind(ctx context.Context, may func(int) bool) error {
	if len(r.Kinds) == 0 {
		return nil
	}
	groups := map[string][]int{}
	for _, i := range r.kept {
		if may(i) {
			groups[r.Kinds[i]] = append(groups[r.Kinds[i]], i)
		}
	}
	kinds := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(len(groups[b])-len(groups[a]), cmp.Compare(a, b))
	})
	for _, kind := range kinds[:min(len(kinds), maxKinds)] {
		if len(groups[kind]) < 2 {
			break
		}
		if _, err := r.without(ctx, groups[kind]); err != nil {
			return err
		}
	}
	return nil
}

// minimize leaves out ever smaller chunks of the atoms that may go, in sweeps,
// until no single one can be left out.
func (r *runner) minimize(ctx context.Context, may func(int) bool) error {
	for size := (r.count(may) + 1) / 2; size > 0; {
		fewer, err := r.sweep(ctx, may, size)
		if err != nil {
			return err
		}
		switch n := r.count(may); {
		case size == 1 && !fewer:
			return nil
		case size > 1:
			size = min(size/2, max(1, (n+1)/2))
		}
	}
	return nil
}

// sweep tries to leave out each chunk in turn, the last first: what a run did
// late rarely serves what it did early.
func (r *runner) sweep(ctx context.Context, may func(int) bool, size int) (fewer bool, err error) {
	var list []int
	for _, i := range r.kept {
		if may(i) {
			list = append(list, i)
		}
	}
	for end := len(list); end > 0; end -= size {
		shows, err := r.without(ctx, list[max(0, end-size):end])
		if err != nil {
			return fewer, err
		}
		fewer = fewer || shows
	}
	return fewer, nil
}

// without asks about what is kept but for a chunk of it, in rising order.
func (r *runner) without(ctx context.Context, chunk []int) (bool, error) {
	rest := make([]int, 0, len(r.kept))
	for _, i := range r.kept {
		if _, out := slices.BinarySearch(chunk, i); !out {
			rest = append(rest, i)
		}
	}
	return r.ask(ctx, rest)
}

func (r *runner) count(may func(int) bool) (n int) {
	for _, i := range r.kept {
		if may(i) {
			n++
		}
	}
	return n
}

// ask asks the oracle, unless the answer is known, and keeps a set that shows
// it.
func (r *runner) ask(ctx context.Context, set []int) (bool, error) {
	key := keyOf(set)
	shows, known := r.known[key]
	if !known {
		weight := r.weigh(set)
		if r.judged+1 > r.Budget.Runs || r.seen+weight > r.Budget.Events {
			return false, errSpent
		}
		var err error
		if shows, err = r.Shows(ctx, set); err != nil {
			return false, err
		}
		r.judged, r.seen, r.known[key] = r.judged+1, r.seen+weight, shows
	}
	if shows {
		r.kept = set
	}
	if r.Told != nil && !known {
		r.Told(Progress{Judged: r.judged, Events: r.weigh(r.kept), Of: r.of})
	}
	return shows, nil
}

func (r *runner) weigh(set []int) (n int) {
	for _, i := range set {
		n += r.Weights[i]
	}
	return n
}

// keyOf hashes a set: equal sets are equal contents.
func keyOf(set []int) [32]byte {
	b := make([]byte, 0, 8*len(set))
	for _, i := range set {
		b = binary.BigEndian.AppendUint64(b, uint64(i))
	}
	return sha256.Sum256(b)
}
