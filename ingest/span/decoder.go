package span

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/nest"
)

// Grade is what spans can record whatever their convention. Results, tokens,
// arguments, ends, approvals and scores are added where they are met: most of
// them are recorded only on request.
const Grade = ingest.HasErrors | ingest.HasTimes

// Family names the runs of all containers of spans: a trace that was exported
// in two of them is one run.
const Family = "otlp"

// Errors of Take. A span without ids cannot be told from another, nor be joined
// to its trace.
var (
	ErrNoTrace = errors.New("span has no trace id")
	ErrNoID    = errors.New("span has no id")
)

// Decoder takes spans into a Writer.
type Decoder struct {
	w     *decode.Writer
	c     decode.Cursor
	r     reading
	buf   []byte
	p     places // in buf
	trace string // of the last span
	nests map[string]*nest.Nest[uint64]
}

// NewDecoder returns a decoder for one file, or one request.
func NewDecoder(w *decode.Writer) *Decoder {
	return &Decoder{w: w, nests: map[string]*nest.Nest[uint64]{}}
}

// Take renders a span, which stands at a place of the file, as a unit and keeps
// it. An error that is not the store's is the span's: it is for quarantine.
func (d *Decoder) Take(s *Span, line int, offset, length int64) (fault, err error) {
	switch {
	case strings.Trim(s.Trace, "0") == "":
		return ErrNoTrace, nil
	case strings.Trim(s.ID, "0") == "":
		return ErrNoID, nil
	}
	d.buf = s.render(d.buf[:0], &d.p)
	if len(d.buf) > decode.MaxUnit {
		d.w.SkipAt(line, offset, "oversized", fmt.Sprintf("%d bytes, limit %d", len(d.buf), decode.MaxUnit))
		d.buf = nil
		return nil, nil
	}
	u := d.w.Derived(d.buf, "", line, offset, length)
	d.r.reset(u, &d.c)
	if s.fills() && same(u.Data, d.buf) {
		fault = d.r.fill(s, &d.p)
	} else {
		fault = d.r.read()
	}
	if fault != nil {
		return fault, nil
	}
	d.tell(u, s.Trace, s.ID, s.Parent, s.End == 0)
	return nil, d.w.Keep(u)
}

// Stored decodes spans again from their renderings, one a line, as the store
// keeps them; see decode.Format.
func Stored(in *decode.Input, w *decode.Writer) error {
	d := NewDecoder(w)
	defer d.Close()
	return w.Lines(in, func(c *decode.Cursor, u *decode.Unit) error {
		d.r.reset(u, c)
		if err := d.r.read(); err != nil {
			return err
		}
		if d.r.trace == "" || d.r.id == "" {
			return ErrNoID
		}
		d.tell(u, d.r.trace, d.r.id, d.r.parent, d.r.end == 0)
		return nil
	})
}

// tell adds the events of the span that was read.
func (d *Decoder) tell(u *decode.Unit, trace, id, parent string, open bool) {
	if strings.Trim(parent, "0") == "" {
		parent = "" // a root
	}
	if d.trace != trace {
		d.w.BeginAs(Family, trace)
		d.trace = trace
	}
	u.Native, u.Node, u.Under, u.Open = trace+"/"+id, id, parent, open
	k := d.r.emit()
	d.learn(trace)
	d.nest(trace, k, u)
}

// nest remembers the place of the span, to count in the end which dispatches
// were told of more than once.
func (d *Decoder) nest(trace string, k kind, u *decode.Unit) {
	n := d.nests[trace]
	if n == nil {
		n = &nest.Nest[uint64]{}
		d.nests[trace] = n
	}
	id := key(u.Node)
	n.Add(id, key(u.Under), k.asks() || k == agent || k == loop)
	if k == tool {
		e := &u.Events[0]
		n.Call(id, nest.Dispatch{Tool: e.Name, Call: e.Call, Args: nest.Hash(d.r.raw(e.Args))})
	}
}

// key is an id as a number: its FNV-1a hash.
func key(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

// Close tells the receipt what was told of more than once.
func (d *Decoder) Close() {
	for _, n := range d.nests {
		d.w.Collapsed(n.Collapsed())
	}
}

// learn fills in what the span shows of its run and of what its source records.
func (d *Decoder) learn(trace string) {
	m, r := d.w.Meta(), &d.r
	m.Native, m.Timed = trace, true
	if id := r.text(thread); id != "" && len(m.Links) < maxLinks && !slices.Contains(m.Links, id) {
		*m = m.Merge(ingest.Meta{Links: []string{id}})
	}
	if m.Harness == "" && (r.service != "" || r.scope != "") {
		m.Harness, m.Version = r.service, r.version
		if m.Harness == "" || strings.HasPrefix(m.Harness, "unknown_service") {
			m.Harness, m.Version = r.scope, r.scopeVersion
		}
	}
	m.Model = cmp.Or(m.Model, r.text(responseModel), r.text(requestModel))
	for i := range r.u.Events {
		e := &r.u.Events[i]
		m.Model = cmp.Or(m.Model, e.Model)
		d.w.CanRecord(records(e))
	}
}

// maxLinks bounds the conversations of a trace.
const maxLinks = 64

// records is the evidence that the event shows its source to record.
func records(e *ingest.Event) (v ingest.Evidence) {
	if e.Usage != nil {
		v |= ingest.HasUsage
	}
	if e.Exit != nil {
		v |= ingest.HasExitCodes
	}
	switch e.Kind {
	case ingest.ToolCall:
		if e.Args.Len > 0 {
			v |= ingest.HasTools
		}
	case ingest.ToolResult:
		v |= ingest.HasResults
	case ingest.Claim, ingest.Limit:
		v |= ingest.HasEnds
	case ingest.Approval:
		v |= ingest.HasApprovals
	case ingest.Score:
		v |= ingest.HasGrader
	}
	return v
}
