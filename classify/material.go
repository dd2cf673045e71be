package classify

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// Material is what the judgement of a run rests on.
type Material struct {
	Thread  ingest.Thread
	Records Records // those that belong to a run of the thread
	Config  *Config // that governs the thread; nil when none does
}

// Material gathers what Run would judge a run by. An id that is none of the
// input's runs gives an error that wraps ingest.ErrNotFound.
func (in Input) Material(run string) (*Material, error) {
	records, err := in.records()
	if err != nil {
		return nil, err
	}
	groups, err := ingest.Group(in.Store, in.Runs, records.links())
	if err != nil {
		return nil, fmt.Errorf("gather material of run %s: %w", run, err)
	}
	for _, ids := range groups {
		if slices.Contains(ids, run) {
			return in.material(ids, records)
		}
	}
	return nil, fmt.Errorf("gather material of run %s: %w", run, ingest.ErrNotFound)
}

func (in Input) material(ids []string, records Records) (*Material, error) {
	runs := make([]*ingest.Run, 0, len(ids))
	for _, id := range ids {
		r, err := ingest.Load(in.Store, id, in.paths())
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	t := ingest.NewThread(runs)
	return &Material{Thread: t, Records: records.forRuns(runs), Config: in.config(t.Runs[0].File())}, nil
}
