package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
)

// grow makes a manifest of what a content has become: n places more, or none.
func grow(m *ingest.Manifest, digest string, more ...ingest.Place) *ingest.Manifest {
	out := *m
	out.Digest, out.Grown, out.Kept = digestOf(digest), []string{m.Digest}, len(m.Places)
	out.Places = append(append([]ingest.Place{}, m.Places...), more...)
	return &out
}

// grownContents keeps each state of a growing file and gives the last one, whole,
// with what it grew from; whatever the order of the digests.
func grownContents(t *testing.T, s ingest.Store) {
	r := seeded(16)
	last := RandomManifest(r, RandomBlock(r, someRun, 30))
	last.Grown = nil
	require.NoError(t, s.PutManifest(last))
	var chain []string
	for i := range 40 {
		chain = append(chain, last.Digest)
		var more []ingest.Place
		if i%3 > 0 { // else it grew by what is no unit
			more = RandomManifest(r, RandomBlock(r, someRun, i%5)).Places
		}
		last = grow(last, string(rune('a'+i)), more...)
		require.NoError(t, s.PutManifest(last))
	}
	want := *last
	want.Grown, want.Kept = chain, 0
	got, err := s.Manifests(someRun)
	require.NoError(t, err)
	equal(t, []*ingest.Manifest{&want}, got)
	n, err := s.Contents(someRun)
	require.NoError(t, err)
	require.Equal(t, len(chain)+1, n)
	n, err = s.Contents("none")
	require.NoError(t, err)
	require.Zero(t, n)
}

// grownApart: two contents that grew from one are both given; other members of a
// trial and a content whose beginning is not there stand by themselves.
func grownApart(t *testing.T, s ingest.Store) {
	r := seeded(17)
	first, one, other := RandomManifest(r, RandomBlock(r, someRun, 5)), RandomBlock(r, someRun, 3), RandomBlock(r, someRun, 4)
	a, b := grow(first, "a", RandomManifest(r, one).Places...), grow(first, "b", RandomManifest(r, other).Places...)
	member := *first
	member.Role += 3
	lone := grow(RandomManifest(r, RandomBlock(r, someRun, 5)), "lone", RandomManifest(r, other).Places...)
	want := map[string]*ingest.Manifest{}
	for _, m := range []*ingest.Manifest{first, &member, a, b, lone} {
		require.NoError(t, s.PutManifest(m))
		given := *m
		given.Kept = 0
		want[m.Digest] = &given
	}
	got, err := s.Manifests(someRun)
	require.NoError(t, err)
	require.Len(t, got, 4)
	for _, m := range got {
		if m.Digest == member.Digest {
			require.Equal(t, member.Role, m.Role)
			continue
		}
		m.Kept = 0
		equal(t, want[m.Digest], m)
	}
}
