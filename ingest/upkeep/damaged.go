package upkeep

import (
	"context"

	"github.com/faultline-dev/faultline/ingest"
)

// damaged finds the contents that cannot be given back as they were: those with
// a unit that is missing or is not what its id says, in any run, and those
// without a receipt that can be read.
func damaged(ctx context.Context, s ingest.Store) (map[string]bool, error) {
	out := map[string]bool{}
	accounted := map[string]bool{}
	for r, err := range s.Receipts() {
		if err != nil {
			break // what follows has no receipt then
		}
		if _, err := contentOf(s, r); err == nil {
			accounted[r.Digest] = true
		} else {
			out[r.Digest] = true
		}
	}
	for run, err := range s.Runs() {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		whole := newVerifier(func(Problem) error { return nil })
		manifests, err := s.Manifests(run)
		if err != nil {
			return nil, err
		}
		good := map[unitKey]bool{}
		for b, err := range s.Blocks(run) {
			if err != nil {
				break
			}
			for i := range b.Units {
				if u := &b.Units[i]; whole.damage(u) == "" {
					good[unitKey{u.ID, u.Body, b.Reading}] = true
				}
			}
		}
		for _, m := range manifests {
			if !accounted[m.Digest] || missing(m, good) > 0 {
				for _, content := range contentsOf([]*ingest.Manifest{m}) {
					out[content] = true
				}
			}
		}
	}
	return out, nil
}

// missing counts the places of a manifest whose units are not there.
func missing(m *ingest.Manifest, units map[unitKey]bool) (n int) {
	for _, p := range m.Places {
		if !units[unitKey{p.ID, p.Body, m.Reading()}] && !units[unitKey{p.ID, p.Body, ingest.Reading{}}] {
			n++
		}
	}
	return n
}
