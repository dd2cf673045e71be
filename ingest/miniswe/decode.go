package miniswe

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

var lists = []string{"messages", ""}

// Decode reads a trajectory.
func Decode(in *decode.Input, w *decode.Writer) error {
	d := &decoder{w: w}
	first := decode.Document{Lists: lists, Heads: []string{"info", "instance_id"}, Member: d.head.member, Look: d.look}
	o, err := first.Outline(in, w)
	if err != nil {
		return err
	}
	info := map[string]decode.LineDecoder{"info": d.info}
	if !o.Whole { // in one walk, so that what is broken is met once
		doc := decode.Document{Lists: lists, Heads: []string{}, Unit: d.unit, Whole: info}
		return doc.Decode(in, w)
	}
	if o.Units == 0 {
		w.SkipAt(in.Lines+1, in.Base, "no-messages", "")
		return nil
	}
	messages := decode.Document{Lists: lists, Heads: []string{}, Unit: d.unit}
	if err := messages.Decode(in, w); err != nil {
		return err
	}
	end := decode.Document{Heads: []string{}, Whole: info}
	return end.Decode(in, w)
}

type decoder struct {
	w      *decode.Writer
	head   header
	prefix []string // content ids of the messages that name the run
	run    string   // hash of the same; "" before the run begins
	read   int      // messages so far

	acted  bool     // the model answered
	calls  int      // commands so far
	open   []string // ids of the commands that wait for their results
	submit string   // id of the open command that submits
	ended  bool     // a message stated the end
	usage  bool     // a message stated usage
}

// header is what stands beside the messages.
type header struct {
	task, model, version string
}

func (h *header) member(name string, value []byte) error {
	var c decode.Cursor
	c.Reset(value)
	var err error
	if name == "instance_id" {
		h.task, err = c.ID()
		return err
	}
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "mini_version":
			h.version, err = c.ID()
		case "config":
			err = object(&c, "model", func() error {
				return object(&c, "model_name", func() (err error) {
					h.model, err = c.String()
					return err
				})
			})
		default:
			err = c.Skip()
		}
		return err
	})
}

// object reads the one member of an object that is wanted.
func object(c *decode.Cursor, want string, f func() error) error {
	return c.Object(func(name []byte) error {
		if string(name) == want {
			return f()
		}
		return c.Skip()
	})
}

// look collects the messages that name the run.
func (d *decoder) look(u *decode.Unit, id string) bool {
	d.prefix = append(d.prefix, id)
	var c decode.Cursor
	c.Reset(u.Data)
	var m message
	more := c.Kind() != '{' || m.read(&c) != nil || m.at.IsZero() && m.responseID == ""
	d.usage = d.usage || m.usage != nil // the totals may stand before
	return more
}

func (d *decoder) begin() {
	if d.run != "" {
		return
	}
	name := append([]string{"content", d.head.task}, d.prefix...)
	d.run = ingest.RunID("mini-swe-agent", name...)
	d.w.Begin(name...)
	m := d.w.Meta()
	m.Harness, m.Version, m.Task, m.Model = "mini-swe-agent", d.head.version, d.head.task, d.head.model
}

func (d *decoder) unit(c *decode.Cursor, u *decode.Unit) error {
	d.begin()
	d.read++
	if c.Kind() != '{' {
		return errors.New("message is not an object")
	}
	var m message
	if err := m.read(c); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	// Named by its place: the events of equal messages differ in the ids that
	// stand for those which they lack.
	u.Native = "message " + strconv.Itoa(d.read) + " of " + d.run
	d.emit(&m, u)
	meta := d.w.Meta()
	meta.Model = cmp.Or(meta.Model, m.model)
	if !m.at.IsZero() {
		d.w.CanRecord(ingest.HasTimes)
	}
	if m.usage != nil {
		d.usage = true
		d.w.CanRecord(ingest.HasUsage)
		m.bill(u)
	}
	return nil
}
