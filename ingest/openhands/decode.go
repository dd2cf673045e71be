package openhands

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Decode reads a file of events, or of an evaluation's outputs.
func Decode(in *decode.Input, w *decode.Writer) error {
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	d := &decoder{w: w}
	switch shapeOf(head) {
	case list:
		doc := decode.Document{Lists: []string{""}, Heads: []string{}, Unit: d.unit}
		return doc.Decode(in, w)
	case holder:
		doc := decode.Document{Lists: []string{"trajectory", "events", "history"}, Heads: []string{}, Unit: d.unit}
		return doc.Decode(in, w)
	case output:
		if onOneLine(head) {
			return eachLine(in, func(part *decode.Input) error { return decodeOutput(part, w) })
		}
		fallthrough
	case outputs:
		return w.Documents(in, func(part *decode.Input) error { return decodeOutput(part, w) })
	}
	if !onOneLine(head) {
		return w.Values(in, d.unit)
	}
	w.Settled()
	return w.Lines(in, d.unit)
}

// onOneLine reports whether the file's first line is more than the opening of
// an object that is laid out over several.
func onOneLine(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), spaces)
	line, _, ok := bytes.Cut(head, []byte("\n"))
	return !ok || len(bytes.TrimSpace(line)) > 1
}

// eachLine calls f with each line that is not blank as an input of its own.
func eachLine(in *decode.Input, f func(*decode.Input) error) error {
	r := bufio.NewReaderSize(in.Reader(), 1<<16)
	var start, at int64
	line, blank := 1, true
	for {
		b, err := r.ReadSlice('\n')
		at += int64(len(b))
		blank = blank && len(bytes.TrimSpace(b)) == 0
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read %s: %w", in.Path, err)
		}
		if !blank {
			part := &decode.Input{Path: in.Path, Size: at - start, Base: in.Base + start, Lines: in.Lines + line - 1,
				ReaderAt: io.NewSectionReader(in, start, at-start)}
			if err := f(part); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		start, blank = at, true
		line++
	}
}

type decoder struct {
	w      *decode.Writer
	meta   ingest.Meta // what stands beside the events
	begun  bool
	key    string // of the first event, names the run
	state  state
	placed *placed // what is known of the event from those before it
	usage  bool    // an event counted tokens
}

// unit reads an event, or a pair of an action and its observation.
func (d *decoder) unit(c *decode.Cursor, u *decode.Unit) error {
	if c.Kind() == '[' {
		return c.Array(func() error { return d.event(c, u, true) })
	}
	return d.event(c, u, false)
}

func (d *decoder) event(c *decode.Cursor, u *decode.Unit, paired bool) error {
	if c.Kind() != '{' {
		return errors.New("event is not an object")
	}
	var ev event
	if err := ev.read(c); err != nil {
		return fmt.Errorf("read event: %w", err)
	}
	d.begin(&ev, u)
	if !paired {
		u.Native = d.nativeOf(&ev)
	}
	first := len(u.Events)
	ev.emit(u)
	p := d.placed
	if p == nil {
		p = d.state.advance(&ev)
	}
	d.finish(&ev, u, p, first)
	return nil
}

// nativeOf is the id of an event as no other session has it.
func (d *decoder) nativeOf(ev *event) string {
	switch {
	case ev.kind != "":
		return ev.id
	case ev.id != "" && d.key != "":
		return d.key + "#" + ev.id
	}
	return ""
}

// begin names the run by its first event.
func (d *decoder) begin(ev *event, u *decode.Unit) {
	if d.begun {
		return
	}
	d.begun = true
	if d.key == "" {
		d.key = ev.key()
	}
	if d.key != "" {
		d.w.Begin(d.key)
	} else {
		d.w.BeginAt(u, d.meta.Task)
	}
	m := d.w.Meta()
	*m = m.Merge(d.meta)
	m.Harness, m.Timed = "OpenHands", true
}

// finish adds to an event's events what does not depend on their kind.
func (d *decoder) finish(ev *event, u *decode.Unit, p *placed, first int) {
	if p.usage != nil {
		d.usage = true
		d.w.CanRecord(ingest.HasUsage)
		bill(u, p.usage, first)
	}
	for i := first; i < len(u.Events); i++ {
		e := &u.Events[i]
		e.ID, e.At, e.Quality, e.Agent = ev.id, p.at, ev.quality, p.agent
		if e.Actor == ingest.Agent {
			e.Message, e.Model = ev.response.id, ev.response.model
		}
	}
	m := d.w.Meta()
	m.Model = cmp.Or(m.Model, ev.response.model)
	m.Version = cmp.Or(m.Version, ev.version)
	m.Cwd = cmp.Or(m.Cwd, ev.workdir)
}

// bill puts usage on the first event of the agent, or on one of its own.
func bill(u *decode.Unit, usage *ingest.Usage, first int) {
	for i := first; i < len(u.Events); i++ {
		if u.Events[i].Actor == ingest.Agent {
			u.Events[i].Usage = usage
			return
		}
	}
	u.Event(ingest.ModelCall, ingest.Agent).Usage = usage
}
