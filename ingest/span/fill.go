package span

import (
	"unicode/utf8"

	"github.com/faultline-dev/faultline/ingest"
)

// origins are what the last span's resource and scope said: spans that follow each
// other mostly share them.
type origins struct {
	resource, scope         []byte
	service, version        string
	scopeName, scopeVersion string
}

// same reports that two slices are one.
func same(a, b []byte) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }

// fill does what read does, for a sound span that was rendered just now and in
// which nothing had to be replaced: it knows where everything stands.
func (r *reading) fill(s *Span, p *places) error {
	r.trace, r.id, r.parent, r.name, r.side, r.status = s.Trace, s.ID, s.Parent, s.Name, s.Kind, s.Status
	r.start, r.end, r.message, r.attrs = s.Start, s.End, p.message, p.attrs
	for i := range s.Attrs {
		if err := r.placed(s.Attrs[i].Key, p.values[i]); err != nil {
			return err
		}
	}
	if p.events > 0 {
		r.c.Seek(p.events)
		if err := r.c.Array(r.happened); err != nil {
			return err
		}
	}
	return r.common(s, p)
}

// placed takes an attribute whose value stands at a place.
func (r *reading) placed(key string, v ingest.Span) error {
	s, known := slots[key]
	if known {
		if r.u.Data[v.Off] != 'n' { // null
			r.tells(s, v)
		}
		return nil
	}
	if l, ok := listOf(key); ok {
		r.c.Seek(int(v.Off))
		return r.listed(l)
	}
	return nil
}

// common takes what the span has in common with others.
func (r *reading) common(s *Span, p *places) error {
	o := r.of
	if p.resource > 0 && !same(s.Resource, o.resource) {
		r.c.Seek(p.resource)
		if err := r.c.Object(r.resource); err != nil {
			return err
		}
		o.resource, o.service, o.version = s.Resource, r.service, r.version
	}
	if p.scope > 0 && !same(s.Scope, o.scope) {
		r.c.Seek(p.scope)
		if err := r.c.Object(r.scopeMember); err != nil {
			return err
		}
		o.scope, o.scopeName, o.scopeVersion = s.Scope, r.scope, r.scopeVersion
	}
	if p.resource > 0 {
		r.service, r.version = o.service, o.version
	}
	if p.scope > 0 {
		r.scope, r.scopeVersion = o.scopeName, o.scopeVersion
	}
	return nil
}

// fills reports that fill may be used: names that are no UTF-8 are rendered as
// something else.
func (s *Span) fills() bool {
	return s.Sound && utf8.ValidString(s.Name) && utf8.ValidString(s.Kind) && utf8.ValidString(s.Status)
}
