package upkeep

import (
	"context"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// plan says what of a store is not copied. The zero plan copies all.
type plan struct {
	runs     map[string]bool     // left out whole
	contents map[string]bool     // left out, with what is theirs in any run
	under    map[string]string   // left out: the content that holds all of it and takes its paths
	takes    map[string][]string // content → those that are left out under it
}

func (p *plan) copies(m *ingest.Manifest) bool {
	return !p.runs[m.Run] && !p.contents[m.Digest] && p.under[m.Digest] == ""
}

// copied counts what went into a sink.
type copied struct{ Manifests, Contents int }

// copyInto gives what counts in a store to a sink, as the plan says.
func (p *plan) copyInto(ctx context.Context, s ingest.Store, to Sink) (n copied, err error) {
	left := map[string][]string{} // content → its runs that are left out
	for run, err := range s.Runs() {
		if err != nil {
			return n, err
		}
		if err := ctx.Err(); err != nil {
			return n, err
		}
		manifests, err := s.Manifests(run)
		if err != nil {
			return n, err
		}
		if p.runs[run] {
			for _, content := range contentsOf(manifests) {
				left[content] = append(left[content], run)
			}
		}
		manifests = slices.DeleteFunc(manifests, func(m *ingest.Manifest) bool { return !p.copies(m) })
		if err := copyRun(s, run, manifests, to); err != nil {
			return n, err
		}
		n.Manifests += len(manifests)
	}
	n.Contents, err = p.copyContents(ctx, s, left, to)
	return n, err
}

// copyRun gives the blocks that manifests of a run need, and then these.
func copyRun(s ingest.Store, run string, manifests []*ingest.Manifest, to Sink) error {
	if len(manifests) == 0 {
		return nil
	}
	g := newRegroup(run, manifests, to)
	for b, err := range s.Blocks(run) {
		if err != nil {
			return err
		}
		if err := g.block(b); err != nil {
			return err
		}
	}
	if err := g.end(); err != nil {
		return err
	}
	for _, m := range manifests {
		if err := to.Manifest(m); err != nil {
			return err
		}
	}
	return nil
}

// copyContents gives the contents. A receipt names only runs that are there.
func (p *plan) copyContents(ctx context.Context, s ingest.Store, left map[string][]string, to Sink) (n int, err error) {
	for r, err := range s.Receipts() {
		if err != nil {
			return n, err
		}
		if err := ctx.Err(); err != nil {
			return n, err
		}
		if p.contents[r.Digest] || p.under[r.Digest] != "" {
			continue
		}
		c, err := p.content(s, r)
		if err != nil {
			return n, err
		}
		r.Runs = slices.DeleteFunc(r.Runs, func(run string) bool { return slices.Contains(left[r.Digest], run) })
		if err := to.Content(c); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// content is what is kept beside the units, with the paths that it takes.
func (p *plan) content(s ingest.Store, r *ingest.Receipt) (*Content, error) {
	c, err := contentOf(s, r)
	if err != nil {
		return nil, err
	}
	for _, older := range p.takes[r.Digest] {
		paths, err := s.Paths(older)
		if err != nil {
			return nil, err
		}
		c.Paths = append(c.Paths, paths...)
	}
	slices.Sort(c.Paths)
	c.Paths = slices.Compact(c.Paths)
	return c, nil
}
