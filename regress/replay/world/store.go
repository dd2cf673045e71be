package world

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/regress/script"
)

// store holds the resources of the world.
type store struct {
	seed    string
	records map[string][]*record // by resource
	keys    map[string]*keyed    // by tool and idempotency key
	ids     map[string]bool      // all that were ever given
	made    map[string]bool      // resources that a tool of the script creates
}

// record is one resource.
type record struct {
	id     string
	fields args // with id and status
}

// keyed is the first call with an idempotency key.
type keyed struct {
	given string // its arguments
	reply reply
}

// reply is what a tool answers.
type reply struct {
	status   int    // of HTTP
	body     any    // JSON, or nil where text is given
	text     string // of a failure or of a fixed reply
	resource string // id, where there is one
	effect   bool
}

func (r reply) failed() bool { return r.status >= 400 }

// say is the reply as text.
func (r reply) say() string {
	if r.body == nil {
		return r.text
	}
	return string(encode(r.body))
}

func refuse(status int, format string, a ...any) reply {
	text := fmt.Sprintf(format, a...)
	return reply{status: status, body: args{"error": text}, text: text}
}

func newStore(seed string, s *script.Script) *store {
	st := &store{seed, map[string][]*record{}, map[string]*keyed{}, map[string]bool{}, map[string]bool{}}
	for i := range s.Tools {
		if t := &s.Tools[i]; t.Effect == script.Create {
			st.made[t.Resource] = true
		}
	}
	return st
}

// knows reports that a text names a resource.
func (s *store) knows(said string) bool {
	for id := range s.ids {
		if strings.Contains(said, id) {
			return true
		}
	}
	return false
}

// apply does what a tool does. A call with an idempotency key that was seen has
// the first reply and no effect; with other arguments it is refused.
func (s *store) apply(t *script.Tool, a args, idem string) reply {
	if idem == "" || !t.Writes() {
		return s.act(t, a, idem)
	}
	id, given := t.Server+"\n"+t.Name+"\n"+idem, key(a, nil, t.Key)
	if first := s.keys[id]; first != nil {
		if first.given != given {
			return refuse(409, "the idempotency key %s was used with other arguments", clip(idem))
		}
		first.reply.effect = false
		return first.reply
	}
	r := s.act(t, a, idem)
	if !r.failed() {
		s.keys[id] = &keyed{given, r}
	}
	return r
}

func (s *store) act(t *script.Tool, a args, idem string) reply {
	switch t.Effect {
	case script.Create:
		return s.create(t, a, idem)
	case script.Lookup:
		return s.lookup(t, a)
	case script.Update, script.Cancel:
		return s.change(t, a)
	}
	return reply{status: 200, text: fixed(t)}
}

func (s *store) create(t *script.Tool, a args, idem string) reply {
	for _, name := range t.Identity {
		if _, ok := a[name]; !ok {
			return refuse(422, "the argument %s is missing", name)
		}
	}
	r := s.add(t.Resource, a)
	if idem != "" {
		r.fields["idempotency_key"] = idem
	}
	return reply{status: 201, body: maps.Clone(r.fields), resource: r.id, effect: true}
}

// add makes a record with an id of its own, or the one that the caller chose.
func (s *store) add(resource string, a args) *record {
	id := text(a["id"])
	if a["id"] == nil {
		id = plain(resource) + "-" + digest(8, s.seed, resource, strconv.Itoa(len(s.records[resource])))
	}
	r := &record{id, args{"status": "created"}}
	maps.Copy(r.fields, a)
	r.fields["id"] = id
	s.ids[id] = true
	s.records[resource] = append(s.records[resource], r)
	return r
}
