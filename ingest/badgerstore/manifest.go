package badgerstore

import "github.com/faultline-dev/faultline/ingest"

// manifestVersion is the version of the manifest encoding. Places are written
// field by field, not place by place: ids do not compress, lines and offsets
// follow from the place before and nearly vanish.
const manifestVersion = 2

// minPlace is the least that a place takes: id, body and four numbers.
const minPlace = 16 + 8 + 4

func metaStrings(m *ingest.Meta) [10]*string {
	return [10]*string{
		&m.Native, &m.Agent, &m.Parent, &m.Cwd, &m.Branch, &m.Model, &m.Harness, &m.Version, &m.Task, &m.Format,
	}
}

func (w *writer) manifest(dst []byte, m *ingest.Manifest) []byte {
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
	w.uint(when(meta.Trial, 1))
	w.int(int64(meta.Part))
	w.uint(uint64(len(meta.Links)))
	for _, s := range meta.Links {
		w.string(s)
	}
	w.places(m.Places)
	return w.bytes(dst, manifestVersion, 0)
}

func (w *writer) places(places []ingest.Place) {
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
}

func decodeManifest(run string, raw []byte) (*ingest.Manifest, error) {
	r := newReader(manifestVersion, raw)
	m := &ingest.Manifest{Run: run}
	for _, s := range [...]*string{&m.Source, &m.Digest, &m.Format} {
		*s = r.string()
	}
	m.Role, m.Version, m.Grade = int(r.int()), int(r.int()), ingest.Evidence(r.uint())
	for _, s := range metaStrings(&m.Meta) {
		*s = r.string()
	}
	m.Meta.Trial = r.uint() != 0
	m.Meta.Part = int(r.int())
	for range r.count(1) {
		m.Meta.Links = append(m.Meta.Links, r.string())
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
	return places
}
