package ingest

import (
	"bytes"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/quote"
)

// Text returns what the event says, shows or returns, unquoted.
func (r *Run) Text(e *Event) string { return TextOf(r.bytes(e, e.Text)) }

// Args returns the raw JSON of a call's arguments, or nil.
func (r *Run) Args(e *Event) jsontext.Value { return r.bytes(e, e.Args) }

// Detail returns the raw JSON of the structured payload, or nil.
func (r *Run) Detail(e *Event) jsontext.Value { return r.bytes(e, e.Detail) }

// Raw returns the redacted unit that the event came from.
func (r *Run) Raw(e *Event) []byte {
	u := r.units[e.Unit].unit
	if u.block > 0 {
		return bytes.Clone(r.packed.get(u))
	}
	return u.Data
}

// Units yields the redacted units of the run in order, and whether an event
// stands for each.
func (r *Run) Units() iter.Seq2[jsontext.Value, bool] {
	return func(yield func(jsontext.Value, bool) bool) {
		told := make([]bool, len(r.units))
		for i := range r.Events {
			told[r.Events[i].Unit] = true
		}
		for i := range r.units {
			data := r.units[i].unit.Data
			if u := r.units[i].unit; u.block > 0 {
				data = bytes.Clone(r.packed.get(u))
			}
			if !yield(data, told[i]) {
				return
			}
		}
	}
}

// UnitOf returns the identity of the event's unit and whether it rests on a
// native id.
func (r *Run) UnitOf(e *Event) (UnitID, bool) {
	u := r.units[e.Unit].unit
	return u.ID, u.Native
}

func (r *Run) bytes(e *Event, s Span) []byte {
	u := r.units[e.Unit].unit
	data := u.Data
	if u.block > 0 && s.Len > 0 {
		data = r.packed.get(u)
	}
	if s.Len == 0 || uint64(s.Off)+uint64(s.Len) > uint64(len(data)) {
		return nil
	}
	data = data[s.Off : s.Off+s.Len]
	if u.block > 0 {
		return bytes.Clone(data) // not to keep the whole block
	}
	return data
}

// TextOf reads a JSON value as text: a string is unquoted, content parts are
// joined by newlines, and anything else is itself. Bytes that are no JSON are
// plain text.
func TextOf(v []byte) string {
	if len(v) == 0 {
		return ""
	}
	switch v[0] {
	case '"':
		if s, ok := quote.Text(v); ok {
			return s
		}
		// Invalid UTF-8 gives an error beside the usable text.
		if s, err := jsontext.AppendUnquote(nil, v); err == nil || len(v) > 1 && v[len(v)-1] == '"' && len(s) > 0 {
			return string(s)
		}
	case '[', '{':
		var b strings.Builder
		if err := partsText(&b, jsontext.Value(v)); err == nil && b.Len() > 0 {
			return b.String()
		}
	}
	return string(v)
}

// partsText collects the text of content parts: {"type":"text","text":…},
// nested under "content" as some formats do.
func partsText(b *strings.Builder, v jsontext.Value) error {
	dec := jsontext.NewDecoder(strings.NewReader(string(v)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for depth := 0; ; {
		tok, err := dec.ReadToken()
		if err != nil {
			if depth == 0 && b.Len() > 0 {
				return nil
			}
			return err
		}
		switch tok.Kind() {
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth == 0 {
				return nil
			}
			continue
		}
		name := ""
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 {
			name = tok.String()
		} else if kind == '[' && tok.Kind() == '"' {
			appendPart(b, tok.String())
			continue
		} else {
			continue
		}
		switch next := dec.PeekKind(); {
		case next == '"' && (name == "text" || name == "content"):
			val, err := dec.ReadToken()
			if err != nil {
				return err
			}
			appendPart(b, val.String())
		case (next == '[' || next == '{') && name == "content":
		default:
			if err := dec.SkipValue(); err != nil {
				return err
			}
		}
	}
}

func appendPart(b *strings.Builder, s string) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(s)
}
