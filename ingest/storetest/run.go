package storetest

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
)

// Run checks that the stores which open gives keep the contract of
// ingest.Store. Every call of open gives a new, empty store; Run closes it.
func Run(t *testing.T, open func(t *testing.T) ingest.Store) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			c.run(t, s)
			require.NoError(t, s.Close())
		})
	}
}

var cases = []struct {
	name string
	run  func(*testing.T, ingest.Store)
}{
	{"empty store", emptyStore},
	{"blocks come back whole", blocksWhole},
	{"a block put twice is one block", blockTwice},
	{"unlike bodies under one id are both kept", unlikeBodies},
	{"block order does not depend on put order", blockOrder},
	{"runs do not leak into each other", runPrefixes},
	{"huge and empty units", hugeUnits},
	{"put keeps nothing of the caller's", putCopies},
	{"what is read belongs to the caller", readCopies},
	{"manifests come back whole", manifestsWhole},
	{"a manifest put twice is one manifest", manifestTwice},
	{"a manifest of 400,000 places", hugeManifest},
	{"of a growing content the last state is given", grownContents},
	{"contents that grew from one", grownApart},
	{"runs are yielded once", runsOnce},
	{"a run loads", runLoads},
	{"the first receipt stays, paths add up", firstReceipt},
	{"receipts are yielded once per content", receiptsOnce},
	{"quarantined units keep their order", quarantineOrder},
	{"huge quarantined unit", hugeQuarantine},
	{"cached values", cached},
	{"a newer reading of a content counts", newerReading},
	{"a content read in another format leaves its run", otherRun},
	{"a reading without a receipt does not count beside one", readingUnderWay},
	{"a run of contents of unlike readings", mixedReadings},
	{"what was seen is replaced", seenAgain},
	{"iteration can stop and may write", iterationStops},
	{"readers beside writers", concurrent},
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// collect drains an iterator that must not fail.
func collect[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for v, err := range seq {
		require.NoError(t, err)
		out = append(out, v)
	}
	return out
}

// alike takes nil and empty slices for the same, and bytes as a whole: go-cmp
// would walk megabytes one by one.
var alike = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Comparer(bytes.Equal)),
}

// equal compares all exported fields.
func equal(t *testing.T, want, got any) {
	t.Helper()
	if cmp.Equal(want, got, alike) {
		return
	}
	if diff := cmp.Diff(want, got, alike); diff != "" {
		t.Fatalf("stored and read differ (-want +got):\n%.4000s", diff)
	}
}

// sameBlocks compares blocks as sets, by their first unit.
func sameBlocks(t *testing.T, want, got []*ingest.Block) {
	t.Helper()
	byUnit := func(a, b *ingest.Block) int {
		return slices.Compare(a.Units[0].ID[:], b.Units[0].ID[:])
	}
	equal(t, slices.SortedFunc(slices.Values(want), byUnit), slices.SortedFunc(slices.Values(got), byUnit))
}

func emptyStore(t *testing.T, s ingest.Store) {
	require.Empty(t, collect(t, s.Receipts()))
	require.Empty(t, collect(t, s.Runs()))
	require.Empty(t, collect(t, s.Blocks("none")))
	manifests, err := s.Manifests("none")
	require.NoError(t, err)
	require.Empty(t, manifests)
	paths, err := s.Paths(digestOf("none"))
	require.NoError(t, err)
	require.Empty(t, paths)
	quarantined, err := s.Quarantine(digestOf("none"))
	require.NoError(t, err)
	require.Empty(t, quarantined)
	_, err = s.Receipt(digestOf("none"))
	require.ErrorIs(t, err, ingest.ErrNotFound)
	_, err = s.Cache("none")
	require.ErrorIs(t, err, ingest.ErrNotFound)
	require.NoError(t, s.Sync())
}
