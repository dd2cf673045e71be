package langfuse

import (
	"errors"
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/runtree"
)

// Format is an export of Langfuse. A grader is added where there are scores.
var Format = decode.Format{
	Name: "langfuse-observations", Version: 1, Detect: detect, Decode: decodeFile, Derives: true,
	Grade: ingest.HasTools | ingest.HasResults | ingest.HasErrors | ingest.HasUsage | ingest.HasTimes,
}

var pages = []string{"data"}

func decodeFile(in *decode.Input, w *decode.Writer) error {
	w.Rewrite(unwrap)
	return runtree.Decode(in, w, runtree.Cutter(pages...), read)
}

func read(c *decode.Cursor, _ *decode.Unit) (runtree.Unit, error) {
	r := reader{c: c}
	if c.Kind() != '{' {
		return r.unit, errors.New("item is not an object")
	}
	if err := r.item(""); err != nil {
		return r.unit, fmt.Errorf("read item: %w", err)
	}
	return r.unit, nil
}

// reader reads one unit.
type reader struct {
	c     *decode.Cursor
	unit  runtree.Unit
	depth int
}

// item reads an observation, a score or a trace that stands in one.
func (r *reader) item(trace string) error {
	at := len(r.unit.Nodes)
	r.unit.Nodes = append(r.unit.Nodes, runtree.Node{})
	it := item{Node: runtree.Node{Quality: ingest.NoTime, Trace: trace}}
	err := r.c.Object(func(name []byte) error { return it.member(r, plain(name)) })
	if !it.finish() {
		r.unit.Nodes = append(r.unit.Nodes[:at], r.unit.Nodes[at+1:]...)
	} else {
		r.unit.Nodes[at] = it.Node
	}
	for i := at; i < len(r.unit.Nodes) && it.isTrace(); i++ {
		if n := &r.unit.Nodes[i]; n.Trace == "" {
			n.Trace = it.Trace
		}
	}
	return err
}

// maxNest is for a trace in a wrapper, and what it holds.
const maxNest = 3

// below reads the items of a trace.
func (r *reader) below(trace string) error {
	if r.depth >= maxNest {
		return r.c.Skip()
	}
	r.depth++
	defer func() { r.depth-- }()
	if r.c.Kind() == '{' {
		return r.item(trace)
	}
	return r.c.Array(func() error {
		if r.c.Kind() != '{' {
			return r.c.Skip() // an id
		}
		return r.item(trace)
	})
}

// plain brings a member's name into one case.
func plain(name []byte) string {
	if len(name) > 0 && name[0] >= 'A' && name[0] <= 'Z' {
		return string(name) // neither case: another member
	}
	var buf [40]byte
	out := buf[:0]
	for _, b := range name {
		if b == '_' || len(out) == cap(out) {
			continue
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		out = append(out, b)
	}
	return string(out)
}

func detect(head []byte) bool {
	found := false
	runtree.Look(head, pages, func(object []byte) bool {
		found = isItem(object)
		return false
	})
	return found
}

// isItem looks at the first level of an object as far as it is there.
func isItem(object []byte) bool { return isItemAt(object, 0) }

// isItemAt looks into a trace in a wrapper, and no deeper than it is read.
func isItemAt(object []byte, depth int) bool {
	if depth > maxNest {
		return false
	}
	has := map[string]bool{}
	kind, trace := "", false
	decode.Peek(object, func(name string, value []byte, whole bool) bool {
		name = plain([]byte(name))
		has[name] = true
		switch name {
		case "type":
			kind = ingest.TextOf(value)
		case "observations":
			trace = holdsObservations(value)
		case "trace":
			trace = trace || isItemAt(value, depth+1)
		}
		return true
	})
	switch {
	case kinds[kind] != none && has["traceid"] && (has["starttime"] || has["parentobservationid"]):
		return true
	case kind == "" && has["traceid"] && has["id"] && has["name"] && (has["datatype"] || has["observationid"]) && (has["value"] || has["stringvalue"]):
		return true // a score
	case trace && (has["id"] || has["trace"]):
		return true
	}
	return kind == "" && has["id"] && has["timestamp"] && has["public"] && (has["sessionid"] || has["userid"])
}

func holdsObservations(list []byte) (ok bool) {
	if len(list) == 0 || list[0] != '[' {
		return false
	}
	decode.Peek(list, func(_ string, value []byte, _ bool) bool {
		decode.Peek(value, func(name string, value []byte, _ bool) bool {
			ok = ok || name == "type" && kinds[ingest.TextOf(value)] != none
			return !ok
		})
		return false
	})
	return ok
}
