package world

import (
	"maps"

	"github.com/faultline-dev/faultline/regress/script"
)

// lookup answers with all that match.
func (s *store) lookup(t *script.Tool, a args) reply {
	items := []any{}
	for _, r := range s.find(t.Resource, a) {
		items = append(items, maps.Clone(r.fields))
	}
	out := reply{status: 200, body: args{"count": len(items), "items": items}}
	if len(items) > 0 {
		out.resource = text(items[0].(args)["id"])
	}
	return out
}

// find lists the records that have every given argument that records of their
// kind have at all: a page size or a free text to search for leaves all in.
func (s *store) find(resource string, a args) (out []*record) {
	asked := args{}
	for name, v := range a {
		if n := s.field(resource, name); n != "" {
			asked[n] = v
		}
	}
	for _, r := range s.records[resource] {
		if covers(r.fields, asked) {
			out = append(out, r)
		}
	}
	return out
}

// field is the name that records have for an argument, or "".
func (s *store) field(resource, name string) string {
	if name == "id" || plain(name) == plain(resource)+"_id" || plain(name) == plain(resource)+"id" {
		return "id"
	}
	for _, r := range s.records[resource] {
		if _, ok := r.fields[name]; ok {
			return name
		}
	}
	return ""
}

// change updates or cancels the one record that the identity, or the id, names.
func (s *store) change(t *script.Tool, a args) reply {
	who := args{}
	for name, v := range a {
		if s.field(t.Resource, name) == "id" {
			who = args{"id": v}
			break
		}
		for _, n := range t.Identity {
			if n == name {
				who[name] = v
			}
		}
	}
	r := s.target(t, who)
	if r == nil {
		return refuse(404, "there is no such %s", t.Resource)
	}
	if t.Effect == script.Cancel {
		if r.fields["status"] == "cancelled" {
			return reply{status: 200, body: maps.Clone(r.fields), resource: r.id}
		}
		r.fields["status"] = "cancelled"
		return reply{status: 200, body: maps.Clone(r.fields), resource: r.id, effect: true}
	}
	for name, v := range a {
		if s.field(t.Resource, name) != "id" {
			r.fields[name] = v
		}
	}
	return reply{status: 200, body: maps.Clone(r.fields), resource: r.id, effect: true}
}

// target is the record that is meant. Where no tool of the script creates the
// resource it was there before the play began.
func (s *store) target(t *script.Tool, who args) *record {
	if found := s.find(t.Resource, who); len(who) > 0 && len(found) > 0 && s.named(t.Resource, who) {
		return found[len(found)-1]
	}
	if s.made[t.Resource] {
		if all := s.records[t.Resource]; len(who) == 0 && len(all) == 1 {
			return all[0]
		}
		return nil
	}
	r := s.add(t.Resource, who)
	r.fields["status"] = "open"
	return r
}

// named reports that records have one of the arguments.
func (s *store) named(resource string, who args) bool {
	for name := range who {
		if s.field(resource, name) != "" {
			return true
		}
	}
	return false
}
