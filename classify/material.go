package classify

import (
	"context"
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
)

// Material is what the judgement of some runs rests on.
type Material struct {
	Threads []ingest.Thread // each that holds one of the runs, in the order asked
	Records Records         // those that belong to a run of these threads
	Config  *config.Config  // that governs the first thread; nil when none does
}

// Material gathers what Run would judge the runs by. An id that is none of the
// input's runs gives an error that wraps ingest.ErrNotFound.
func (in Input) Material(ctx context.Context, runs ...string) (*Material, error) {
	records, groups, err := in.gather()
	if err != nil {
		return nil, err
	}
	m := &Material{}
	var all []*ingest.Run
	for _, id := range runs {
		if slices.ContainsFunc(all, func(r *ingest.Run) bool { return r.ID == id }) {
			continue
		}
		k := slices.IndexFunc(groups, func(ids []string) bool { return slices.Contains(ids, id) })
		if k < 0 {
			return nil, fmt.Errorf("gather material: run %s: %w", id, ingest.ErrNotFound)
		}
		loaded, err := in.load(ctx, groups[k])
		if err != nil {
			return nil, err
		}
		all = append(all, loaded...)
		m.Threads = append(m.Threads, ingest.NewThread(loaded))
	}
	m.Records = records.forRuns(all)
	if k := records.keyed(); len(k.commits) > 0 || len(k.keys) > 0 {
		for _, t := range m.Threads {
			_, linked := newThread(t, records.forRuns(t.Runs), k, nil)
			for _, i := range linked {
				m.Records = append(m.Records, records[i])
			}
		}
	}
	if len(m.Threads) > 0 {
		m.Config = in.config(m.Threads[0].Runs[0].File())
	}
	return m, nil
}

// gather reads the records of the call, in their places, and groups its runs
// into threads.
func (in Input) gather() (Records, [][]string, error) {
	records, err := in.records()
	if err != nil {
		return nil, nil, err
	}
	if err := in.placeContracts(records); err != nil {
		return nil, nil, err
	}
	groups, err := ingest.Group(in.Store, in.Runs, records.links())
	if err != nil {
		return nil, nil, fmt.Errorf("classify: %w", err)
	}
	return records, groups, nil
}

func (in Input) load(ctx context.Context, ids []string) ([]*ingest.Run, error) {
	runs := make([]*ingest.Run, 0, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := ingest.Load(in.Store, id, in.paths())
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}
