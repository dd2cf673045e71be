package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// Close writes what is buffered, the manifests and the receipt. The receipt
// is an acknowledgement only after the store was synced.
func (w *Writer) Close() (*ingest.Receipt, error) {
	w.named()
	order := w.order
	w.runs, w.cur, w.order = nil, nil, nil // each run's memory is free once it is written
	return w.put(order, true)
}

// put writes what the file holds so far of runs, of which there will be no more
// if it is the last time.
func (w *Writer) put(order []*runState, last bool) (*ingest.Receipt, error) {
	r := *w.receipt
	r.Reasons, r.Runs = slices.Clone(r.Reasons), []string{}
	for i, st := range order {
		if len(st.places) == 0 {
			continue
		}
		if err := st.flush(w.store, w.mem); err != nil {
			return nil, err
		}
		if last {
			order[i] = nil
			st.close()
		}
		if err := w.putManifest(st); err != nil {
			return nil, err
		}
		if st.id != ingest.RecordsRun {
			r.Runs = append(r.Runs, st.id)
		}
	}
	if w.target.Known != nil {
		r.ReadAgain(w.target.Known)
	}
	w.mem.events = w.unit.Events
	slices.Sort(r.Runs)
	r.Runs = slices.Compact(r.Runs)
	for kind, n := range w.kinds {
		r.Redacted = append(r.Redacted, ingest.KindCount{Kind: kind, Count: n})
	}
	slices.SortFunc(r.Redacted, func(a, b ingest.KindCount) int { return strings.Compare(a.Kind, b.Kind) })
	if err := w.store.PutReceipt(&r, w.lost); err != nil {
		return nil, fmt.Errorf("store receipt of %s: %w", w.target.Path, err)
	}
	return &r, nil
}

func (w *Writer) putManifest(st *runState) error {
	if err := w.store.PutManifest(w.manifest(st)); err != nil {
		return fmt.Errorf("store manifest of %s: %w", w.target.Path, err)
	}
	w.mem.runs.put(st, w.target.Digest)
	if st.put = len(st.places); st.id != ingest.RecordsRun { // of records only those count that a call meets
		st.base = w.target.Digest
	}
	return nil
}

func (w *Writer) manifest(st *runState) *ingest.Manifest {
	role := w.target.Role + st.role
	st.meta.Trial = st.meta.Trial || w.target.Trial != "" && !w.target.Session
	m := &ingest.Manifest{
		Run: st.id, Source: ingest.SourceID(st.id, strconv.Itoa(role), st.places[0].ID), Digest: w.target.Digest,
		Role: role, Format: w.target.Format, Version: w.target.Version,
		Grade: st.grade, Meta: st.meta, Places: st.places,
	}
	if st.base != "" {
		m.Grown, m.Kept = []string{st.base}, st.put
	}
	return m
}
