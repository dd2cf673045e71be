package grown

import (
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// heldBy names what a manifest is of in its run.
type heldBy struct {
	digest string
	role   int
}

// Unfold takes the manifests of one run, of which those with Kept hold only the
// places behind, and returns those of which no other grew, whole and in the same
// order. The manifests are changed. One that grew from a content
// which is not there is passed over.
func Unfold(all []*ingest.Manifest) []*ingest.Manifest {
	outgrown := map[heldBy]bool{}
	for _, m := range all {
		for _, digest := range m.Grown {
			outgrown[heldBy{digest, m.Role}] = true
		}
	}
	if len(outgrown) == 0 {
		return all
	}
	lost := lengthen(all)
	return slices.DeleteFunc(all, func(m *ingest.Manifest) bool { return lost[m] || outgrown[heldBy{m.Digest, m.Role}] })
}

// lengthen puts the places of what a manifest grew from before its own, and
// returns the manifests for which these are not there. A chain of contents shares
// one array: only the last of it is given to anyone.
func lengthen(all []*ingest.Manifest) (lost map[*ingest.Manifest]bool) {
	type key struct {
		heldBy
		ingest.Reading
	}
	by := map[key]*ingest.Manifest{}
	for _, m := range all {
		by[key{heldBy{m.Digest, m.Role}, m.Reading()}] = m
	}
	lost = map[*ingest.Manifest]bool{}
	shared := map[*ingest.Manifest]bool{} // another one goes on in their array
	var chain []*ingest.Manifest          // of which each is before what it grew from
	for _, m := range all {
		var base *ingest.Manifest
		for chain = chain[:0]; m != nil && m.Kept > 0 && !lost[m]; m = base {
			base = by[key{heldBy{m.Grown[len(m.Grown)-1], m.Role}, m.Reading()}]
			chain, lost[m] = append(chain, m), true // until its places are found
		}
		for base = m; len(chain) > 0; chain = chain[:len(chain)-1] {
			m = chain[len(chain)-1]
			if base == nil || lost[base] || len(base.Places) != m.Kept {
				break
			}
			follow(m, base, shared[base])
			shared[base] = true
			delete(lost, m)
			base = m
		}
	}
	return lost
}

// follow puts what base holds before what m has behind it, in base's own array
// unless another manifest has that.
func follow(m, base *ingest.Manifest, shared bool) {
	places, grown := base.Places, base.Grown
	if shared {
		places, grown = slices.Clip(places), slices.Clip(grown)
	}
	m.Places, m.Grown, m.Kept = append(places, m.Places...), append(grown, base.Digest), 0
}
