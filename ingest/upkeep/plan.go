package upkeep

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// superseded plans to leave out the contents that are bad, and those of which
// another content of the same file holds all, in every run that they are a
// source of.
func superseded(ctx context.Context, s ingest.Store, bad map[string]bool) (*plan, error) {
	by := map[string]string{}  // content → the one that holds all of it so far
	keep := map[string]bool{}  // contents with a manifest that no other holds, or not the same one in all runs
	size := map[string]int64{} // of the file
	for r, err := range s.Receipts() {
		if err != nil {
			return nil, err
		}
		size[r.Digest] = r.Bytes
	}
	for run, err := range s.Runs() {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		manifests, err := s.Manifests(run)
		if err != nil {
			return nil, err
		}
		manifests = slices.DeleteFunc(manifests, func(m *ingest.Manifest) bool { return bad[m.Digest] })
		under := func(content, longer string) {
			if had, again := by[content]; longer == "" || again && had != longer {
				keep[content] = true
			} else {
				by[content] = longer
			}
		}
		for m, longer := range longest(manifests, size) {
			if _, accounted := size[m.Digest]; accounted {
				for _, content := range m.Grown {
					under(content, m.Digest)
				}
			}
			if longer == nil {
				under(m.Digest, "")
			} else {
				under(m.Digest, longer.Digest)
			}
		}
	}
	p := &plan{contents: map[string]bool{}, under: chains(by, keep), takes: map[string][]string{}}
	maps.Copy(p.contents, bad)
	for content, under := range p.under {
		p.takes[under] = append(p.takes[under], content)
	}
	return p, nil
}

// longest finds for each manifest of a run the longest one of the same source
// that begins with it, nil where there is none or the contents are not both
// accounted for.
func longest(manifests []*ingest.Manifest, size map[string]int64) map[*ingest.Manifest]*ingest.Manifest {
	order := slices.Clone(manifests)
	slices.SortFunc(order, func(a, b *ingest.Manifest) int {
		return cmp.Or(len(b.Places)-len(a.Places), cmp.Compare(size[b.Digest], size[a.Digest]), cmp.Compare(a.Digest, b.Digest))
	})
	out := map[*ingest.Manifest]*ingest.Manifest{}
	for i, m := range order {
		out[m] = nil
		for _, longer := range order[:i] {
			if size[m.Digest] < size[longer.Digest] && begins(longer, m) {
				out[m] = longer
				break
			}
		}
	}
	return out
}

// begins reports that a longer manifest begins with a shorter one.
func begins(longer, m *ingest.Manifest) bool {
	if longer.Role != m.Role || longer.Source != m.Source || longer.Reading() != m.Reading() || len(m.Places) > len(longer.Places) ||
		m.Meta.Updated.After(longer.Meta.Updated) {
		return false
	}
	return slices.EqualFunc(m.Places, longer.Places[:len(m.Places)], func(a, b ingest.Place) bool {
		return a.ID == b.ID && bytes.Equal(a.Body[:], b.Body[:]) && a.Member == b.Member && a.Offset == b.Offset && a.Length == b.Length
	})
}

// chains follows each content to the one that stays.
func chains(by map[string]string, keep map[string]bool) map[string]string {
	out := map[string]string{}
	for content := range by {
		last := content
		for by[last] != "" && !keep[last] {
			last = by[last]
		}
		if last != content {
			out[content] = last
		}
	}
	return out
}
