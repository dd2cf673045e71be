package native

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Grade is what an event/v1 trace can record.
const Grade = ingest.HasResults | ingest.HasExitCodes | ingest.HasErrors | ingest.HasApprovals |
	ingest.HasUsage | ingest.HasTimes | ingest.HasEnds | ingest.HasChecks | ingest.HasTools

// Format is the native format.
var Format = decode.Format{Name: "event/v1", Version: 1, Grade: Grade, Detect: detect, Decode: run}

// detect wants an object with the member "faultline" as the first JSON value
// of the file.
func detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		return false
	}
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == "faultline" {
			return dec.PeekKind() == '"'
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}

func run(in *decode.Input, w *decode.Writer) error {
	d := &decoder{w: w}
	head, err := in.Head()
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	if line, _, _ := bytes.Cut(head, []byte("\n")); len(head) < decode.HeadSize && !jsontext.Value(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))).IsValid(
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return w.Values(in, d.line)
	}
	return w.Lines(in, d.line)
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
