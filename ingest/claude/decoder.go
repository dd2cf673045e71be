package claude

import (
	"cmp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// decoder turns the objects of one file into events, in file order.
type decoder struct {
	w     *decode.Writer
	as    dialect
	agent string // of a sub-agent's own file
	meta  *ingest.Meta
	walk  *walk
	calls calls
	links map[string]bool // other sessions met
	inits int             // beginnings seen in a stream
	paid  float64         // cost stated so far, in US dollars
}

func newDecoder(w *decode.Writer, as dialect, agent string) *decoder {
	return &decoder{w: w, as: as, agent: agent, meta: w.Meta(), walk: newWalk(), links: map[string]bool{},
		calls: calls{open: map[string][]call{}}}
}

// unit decodes one object. Nothing is remembered before the whole of it was
// read, because a line that does not end there is decoded again in parts.
func (d *decoder) unit(c *decode.Cursor, u *decode.Unit) error {
	if err := d.walk.read(c); err != nil {
		return err
	}
	l := &d.walk.line
	u.Native = l.uuid
	d.describe(l, u)
	if d.as == stream && !l.at.IsZero() {
		d.w.CanRecord(ingest.HasTimes)
	}
	switch l.kind {
	case "assistant":
		d.assistant(l, u)
	case "user":
		d.user(l, u)
	case "system":
		d.system(l, u)
	case "result":
		d.result(l, u)
	default:
		d.aside(l, u)
	}
	l.stamp(u)
	return nil
}

// describe fills in what is known of the run; the first statement wins.
func (d *decoder) describe(l *line, u *decode.Unit) {
	m := d.meta
	m.Harness = "claude-code"
	m.Cwd = cmp.Or(m.Cwd, l.cwd)
	m.Branch = cmp.Or(m.Branch, l.branch)
	m.Version = cmp.Or(m.Version, l.version)
	if model := cmp.Or(l.msg.model, l.model); m.Model == "" && model != synthetic {
		m.Model = model
	}
	d.walk.placed = m.Cwd != "" && m.Branch != "" && m.Version != ""
	if l.session == "" {
		return
	}
	if m.Native == "" {
		m.Native, d.walk.known = l.session, l.session
		if m.Agent = d.agent; m.Agent != "" {
			m.Parent = l.session
		}
	}
	if l.session == m.Native {
		return
	}
	u.Carries = l.session
	if !d.links[l.session] {
		d.links[l.session] = true
		m.Links = append(m.Links, l.session)
	}
}

// synthetic is the model of lines that the harness wrote in the agent's place.
const synthetic = "<synthetic>"

// sidechain names a sub-agent whose lines stand in the main file without id.
const sidechain = "sidechain"

// stamp gives the events of a unit what their line states about all of them.
func (l *line) stamp(u *decode.Unit) {
	agent := l.parentTool
	if l.side {
		agent = cmp.Or(l.agent, sidechain)
	}
	for i := range u.Events {
		e := &u.Events[i]
		e.ID, e.Parent = l.uuid, cmp.Or(l.parent, l.logical)
		e.At, e.Quality = l.at, l.quality
		e.Agent = cmp.Or(agent, e.Agent)
	}
}

// say adds an event of the harness with a name and a text.
func say(u *decode.Unit, kind ingest.Kind, name string, text ingest.Span) *ingest.Event {
	e := u.Event(kind, ingest.Harness)
	e.Name, e.Text = name, text
	return e
}
