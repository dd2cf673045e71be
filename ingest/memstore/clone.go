package memstore

import (
	"bytes"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

func cloneBlock(b *ingest.Block) *ingest.Block {
	out := &ingest.Block{Run: b.Run, Reading: b.Reading, Units: slices.Clone(b.Units)}
	for i := range out.Units {
		u := &out.Units[i]
		u.Data = bytes.Clone(u.Data)
		u.Events = slices.Clone(u.Events)
		for j := range u.Events {
			e := &u.Events[j]
			e.Exit, e.Value, e.Usage = clonePointer(e.Exit), clonePointer(e.Value), clonePointer(e.Usage)
		}
	}
	return out
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func cloneManifest(m *ingest.Manifest) *ingest.Manifest {
	out := *m
	out.Meta.Links = slices.Clone(m.Meta.Links)
	out.Places, out.Grown = slices.Clone(m.Places), slices.Clone(m.Grown)
	return &out
}

func cloneReceipt(r *ingest.Receipt) *ingest.Receipt {
	out := *r
	out.Reasons = slices.Clone(r.Reasons)
	out.Runs = slices.Clone(r.Runs)
	out.Redacted = slices.Clone(r.Redacted)
	return &out
}

func cloneQuarantine(q []ingest.Quarantined) []ingest.Quarantined {
	out := slices.Clone(q)
	for i := range out {
		out[i].Data = bytes.Clone(out[i].Data)
	}
	return out
}
