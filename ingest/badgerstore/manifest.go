package badgerstore

import (
	"math"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// manifestVersion is the version of the manifest encoding. Places are written
// field by field, not place by place: ids do not compress, lines and offsets
// follow from the place before and nearly vanish.
// Version 4 knew of no contents that grew from others.
const manifestVersion = 5

// minPlace is the least that a place takes: id, body and four numbers.
const minPlace = 16 + 8 + 4

func metaStrings(m *ingest.Meta) [10]*string {
	return [10]*string{
		&m.Native, &m.Agent, &m.Parent, &m.Cwd, &m.Branch, &m.Model, &m.Harness, &m.Version, &m.Task, &m.Format,
	}
}

// manifest writes all places, or only those behind the ones that are kept with
// the content that m grew from.
func (w *writer) manifest(dst []byte, m *ingest.Manifest, behind bool) []byte {
	w.reset()
	for _, s := range [...]string{m.Source, m.Digest, m.Format} {
		w.string(s)
	}
	w.int(int64(m.Role))
	w.int(int64(m.Version))
	w.uint(uint64(m.Grade))
	meta := m.Meta
	for _, s := range metaStrings(&meta) {
		w.string(*s)
	}
	w.uint(when(meta.Trial, 1) | when(meta.Timed, 2))
	w.int(int64(meta.Part))
	w.time(meta.Updated)
	w.uint(uint64(len(meta.Links)))
	for _, s := range meta.Links {
		w.string(s)
	}
	kept := 0
	if behind {
		kept = m.Kept
	}
	w.uint(uint64(kept))
	w.uint(uint64(len(m.Grown)))
	for _, s := range m.Grown {
		w.string(s)
	}
	w.places(m.Places[kept:])
	return w.bytes(dst, manifestVersion, 0)
}

func (w *writer) places(places []ingest.Place) {
	w.parts = slices.Grow(w.parts, len(places)*(minPlace+4)) // at once: it may be tens of MB
	w.uint(uint64(len(places)))
	for i := range places {
		w.fixed(places[i].ID[:])
	}
	for i := range places {
		w.fixed(places[i].Body[:])
	}
	line, end := 0, int64(0)
	for _, p := range places {
		w.int(int64(p.Line - line))
		w.int(p.Offset - end)
		w.int(p.Length)
		w.int(int64(p.Events))
		line, end = p.Line, p.Offset+p.Length
	}
	w.members(places)
}

// members writes the members by stretches of places in the same one.
func (w *writer) members(places []ingest.Place) {
	for i := 0; i < len(places); {
		n := i
		for n < len(places) && places[n].Member == places[i].Member {
			n++
		}
		w.string(places[i].Member)
		w.uint(uint64(n - i))
		i = n
	}
}

func (r *reader) members(places []ingest.Place) {
	for len(places) > 0 && r.err == nil {
		name, n := r.string(), r.uint()
		if n == 0 || n > uint64(len(places)) {
			r.fail("member of %d places, %d are left", n, len(places))
			return
		}
		for i := range places[:n] {
			places[i].Member = name
		}
		places = places[n:]
	}
}

func decodeManifest(run string, raw []byte) (*ingest.Manifest, error) {
	r := newReader(manifestVersion, raw, 2, 3, 4)
	m := &ingest.Manifest{Run: run}
	for _, s := range [...]*string{&m.Source, &m.Digest, &m.Format} {
		*s = r.string()
	}
	m.Role, m.Version, m.Grade = int(r.int()), int(r.int()), ingest.Evidence(r.uint())
	for _, s := range metaStrings(&m.Meta) {
		*s = r.string()
	}
	flags := r.uint()
	m.Meta.Trial, m.Meta.Timed = flags&1 != 0, flags&2 != 0
	m.Meta.Part = int(r.int())
	if r.version > 3 { // older versions knew no time of change
		m.Meta.Updated = r.time()
	}
	for range r.count(1) {
		m.Meta.Links = append(m.Meta.Links, r.string())
	}
	if r.version > 4 {
		m.Kept = int(min(r.uint(), math.MaxInt32))
		for range r.count(1) {
			m.Grown = append(m.Grown, r.string())
		}
		if m.Kept > 0 && len(m.Grown) == 0 {
			r.fail("%d places are kept nowhere", m.Kept)
		}
	}
	m.Places = r.places()
	return m, r.end()
}

func (r *reader) places() []ingest.Place {
	places := make([]ingest.Place, r.count(minPlace))
	for i := range places {
		copy(places[i].ID[:], r.take(len(places[i].ID)))
	}
	for i := range places {
		copy(places[i].Body[:], r.take(len(places[i].Body)))
	}
	line, end := 0, int64(0)
	for i := range places {
		p := &places[i]
		p.Line = line + int(r.int())
		p.Offset = end + r.int()
		p.Length = r.int()
		p.Events = int(r.int())
		line, end = p.Line, p.Offset+p.Length
	}
	if r.version > 2 { // version 2 knew no members
		r.members(places)
	}
	return places
}
