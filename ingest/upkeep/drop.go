package upkeep

import (
	"context"
	"slices"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
)

// DropOptions say what goes.
type DropOptions struct {
	// Before: threads whose last event is older go.
	Before time.Time
	// Linked lists further pairs of ids that are of one thread, as ingest.Group
	// takes them.
	Linked [][2]string
	// DryRun changes nothing.
	DryRun bool
}

// Dropped says what went, or would go.
type Dropped struct {
	Runs     []GoneRun // by last event
	Contents int       // receipts, with their paths and what was quarantined
	Kept     int       // runs
	Undated  int       // of those, in threads without any time
}

// GoneRun is a run that went.
type GoneRun struct {
	Run, Format, Native string
	Last                time.Time // event of the run; zero when it has no time
	Paths               []string
}

// Drop leaves behind the threads that ended before a time, as wholes, and the
// contents of which no run stays, so that their files can be read again.
// Threads without any time stay, and so do record documents and contents
// without a run. The store is closed unless this is a dry run.
func Drop(ctx context.Context, s *badgerstore.Store, o DropOptions) (*Dropped, error) {
	p, out, err := endedBefore(ctx, s, o)
	if err != nil || o.DryRun || len(out.Runs) == 0 {
		return out, wrap(err, "drop threads of store %s", s.Dir())
	}
	err = s.Replace(func(into *badgerstore.Store) error { return p.fill(ctx, s, into) })
	return out, err
}

// fill copies into an empty store and checks what came in.
func (p *plan) fill(ctx context.Context, s ingest.Store, into *badgerstore.Store) error {
	want, err := p.copyInto(ctx, s, storeSink{into})
	if err != nil {
		return err
	}
	return check(ctx, into, want)
}

// endedBefore plans what Drop does.
func endedBefore(ctx context.Context, s ingest.Store, o DropOptions) (*plan, *Dropped, error) {
	p, out := &plan{runs: map[string]bool{}, contents: map[string]bool{}}, &Dropped{}
	last, err := lastEvents(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var runs []string
	for run := range last {
		if run != ingest.RecordsRun {
			runs = append(runs, run)
		}
	}
	threads, err := ingest.Group(s, runs, o.Linked)
	if err != nil {
		return nil, nil, err
	}
	for _, thread := range threads {
		var end time.Time
		for _, run := range thread {
			if last[run].After(end) {
				end = last[run]
			}
		}
		if end.IsZero() {
			out.Undated += len(thread)
		}
		if end.IsZero() || !end.Before(o.Before) {
			out.Kept += len(thread)
			continue
		}
		for _, run := range thread {
			p.runs[run] = true
		}
	}
	if err := p.emptied(s, last, out); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(out.Runs, func(a, b GoneRun) int {
		if c := a.Last.Compare(b.Last); c != 0 {
			return c
		}
		return cmpRun(a, b)
	})
	out.Contents = len(p.contents)
	return p, out, nil
}

func cmpRun(a, b GoneRun) int {
	if a.Run < b.Run {
		return -1
	}
	return 1
}

// contentsOf lists what manifests are of, with what that grew from.
func contentsOf(manifests []*ingest.Manifest) (out []string) {
	for _, m := range manifests {
		out = append(append(out, m.Grown...), m.Digest)
	}
	return out
}

// emptied plans to leave out the contents all of whose runs go, and lists the
// runs that do.
func (p *plan) emptied(s ingest.Store, last map[string]time.Time, out *Dropped) error {
	stays := map[string]bool{} // content
	for run := range last {
		manifests, err := s.Manifests(run)
		if err != nil {
			return err
		}
		for _, content := range contentsOf(manifests) {
			if p.runs[run] {
				p.contents[content] = true
			} else {
				stays[content] = true
			}
		}
		if !p.runs[run] {
			continue
		}
		gone := GoneRun{Run: run, Last: last[run]}
		for _, m := range manifests {
			gone.Format, gone.Native = m.Format, m.Meta.Native
			paths, err := s.Paths(m.Digest)
			if err != nil {
				return err
			}
			gone.Paths = append(gone.Paths, paths...)
		}
		slices.Sort(gone.Paths)
		gone.Paths = slices.Compact(gone.Paths)
		out.Runs = append(out.Runs, gone)
	}
	for content := range stays {
		delete(p.contents, content)
	}
	return nil
}

// lastEvents finds the time of the last event of every run, zero where none
// has a time.
func lastEvents(ctx context.Context, s ingest.Store) (map[string]time.Time, error) {
	last := map[string]time.Time{}
	for run, err := range s.Runs() {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var end time.Time
		for b, err := range s.Blocks(run) {
			if err != nil {
				return nil, err
			}
			for i := range b.Units {
				for j := range b.Units[i].Events {
					if at := b.Units[i].Events[j].At; at.After(end) {
						end = at
					}
				}
			}
		}
		last[run] = end
	}
	return last, nil
}
