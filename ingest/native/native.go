package native

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Grade is what an event/v1 trace can record.
const Grade = ingest.HasResults | ingest.HasExitCodes | ingest.HasErrors | ingest.HasApprovals |
	ingest.HasUsage | ingest.HasTimes | ingest.HasEnds | ingest.HasChecks | ingest.HasTools

// Format is the native format.
var Format = decode.Format{Name: record.TypeEvent, Version: 1, Grade: Grade, Detect: detect, Decode: run, Stored: run}

// detect wants the member "faultline" in the first object of the file that is
// whole. Lines that are broken are passed over, a few of them.
func detect(head []byte) bool {
	cut := len(head) >= decode.HeadSize
	head = start(head)
	for range maxBroken {
		if len(head) == 0 || head[0] != '{' {
			return false
		}
		switch found, err := look(head); {
		case found.ours:
			return true
		case err == nil:
			return false
		case errors.Is(err, io.ErrUnexpectedEOF) && cut:
			return found.run && found.kind // the name may stand behind a long text
		}
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		head = start(rest)
	}
	return false
}

// maxBroken bounds how many lines detect tries.
const maxBroken = 16

func start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// looked is which telling members an object has.
type looked struct{ ours, run, kind bool }

func look(head []byte) (found looked, err error) {
	var c decode.Cursor
	c.Reset(head)
	err = c.Object(func(name []byte) error {
		switch string(name) {
		case "faultline":
			found.ours = found.ours || c.Kind() == '"'
		case "run_id":
			found.run = true
		case "kind":
			found.kind = true
		}
		return c.Skip()
	})
	return found, err
}

func run(in *decode.Input, w *decode.Writer) error {
	d := &decoder{w: w}
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	if spansLines(start(head)) {
		return w.Values(in, d.line)
	}
	w.Settled()
	return w.Lines(in, d.line)
}

// spansLines reports whether the first value, as far as head shows it, goes on
// behind the end of its line: the file is pretty-printed.
func spansLines(head []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := dec.SkipValue()
	if err == nil {
		head = head[:dec.InputOffset()]
	}
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && bytes.IndexByte(head, '\n') >= 0
}

type decoder struct {
	w *decode.Writer
}

// line decodes an event or files a record.
func (d *decoder) line(c *decode.Cursor, u *decode.Unit) error {
	kind, err := record.TypeOf(u.Data)
	if err != nil {
		return err
	}
	if kind == record.TypeEvent {
		return d.event(c, u)
	}
	rec, err := record.Decode(u.Data)
	if err != nil {
		return err
	}
	d.w.BeginRecords()
	e := u.Event(ingest.RecordDoc, ingest.Harness)
	e.Name, e.Detail = rec.Type, u.Whole()
	return c.Skip()
}
