package script

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The limits of a script. They are far above any that a person could follow.
const (
	maxBytes = 4 << 20
	maxItems = 1000 // turns, tools, files, expectations
	maxCalls = 64   // of one turn
)

// Parse reads a script; name is what errors call it. Every error wraps
// ErrScript and tells the line and the member.
func Parse(name string, data []byte) (*Script, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%w: %s: %d bytes, at most %d are read", ErrScript, name, len(data), maxBytes)
	}
	s := &Script{}
	if err := json.Unmarshal(data, s, json.RejectUnknownMembers(true)); err != nil {
		return nil, broken(name, data, err)
	}
	if err := s.Validate(); err != nil {
		var at *memberError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%w: %s:%d: %w", ErrScript, name, lineAt(data, at.pointer), at)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Bytes is the canonical form: what Parse reads, members in the order of the
// types, those of free values sorted.
func (s *Script) Bytes() []byte {
	c := *s
	c.Turns = append([]Turn{}, s.Turns...)
	for i := range c.Turns {
		c.Turns[i].Calls = append([]Call(nil), c.Turns[i].Calls...)
		for j := range c.Turns[i].Calls {
			c.Turns[i].Calls[j].Args = canonical(c.Turns[i].Calls[j].Args)
		}
	}
	c.Tools = append([]Tool(nil), s.Tools...)
	for i := range c.Tools {
		c.Tools[i].Schema = sorted(c.Tools[i].Schema)
		c.Tools[i].Reply = sorted(c.Tools[i].Reply)
	}
	out, err := json.Marshal(&c, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil // only values that no Parse gave: malformed arguments, or an Equals that JSON has no form for
	}
	return append(out, '\n')
}

// canonical is the arguments of a call: no arguments are an empty object.
func canonical(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return jsontext.Value("{}")
	}
	return sorted(v)
}

// sorted orders the members and keeps numbers as they were written.
func sorted(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return nil
	}
	c := v.Clone()
	if c.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)) != nil {
		return v
	}
	return c
}

// broken says where JSON could not be read.
func broken(name string, data []byte, err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: %s:%d: %w", ErrScript, name, lineOf(data, syntax.ByteOffset), syntax)
	case errors.As(err, &semantic):
		what := "cannot be read"
		if semantic.Err != nil {
			what = semantic.Err.Error()
		} else if semantic.GoType != nil {
			what = "is no " + kindOf(semantic.GoType.Kind().String())
		}
		return fmt.Errorf("%w: %s:%d: %s: %s", ErrScript, name, lineOf(data, semantic.ByteOffset), member(semantic.JSONPointer), what)
	}
	return fmt.Errorf("%w: %s: %w", ErrScript, name, err)
}

// kindOf names a Go kind in the words of JSON.
func kindOf(kind string) string {
	switch kind {
	case "struct", "map", "ptr":
		return "object"
	case "slice":
		return "array"
	case "bool":
		return "true or false"
	case "int":
		return "whole number"
	}
	return kind
}

// member writes a pointer as a person writes it: turns[1].calls[0].tool.
func member(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil && b.Len() > 0:
			fmt.Fprintf(&b, "[%s]", token)
		case b.Len() > 0:
			fmt.Fprintf(&b, ".%s", printable(token))
		default:
			b.WriteString(printable(token))
		}
	}
	if b.Len() == 0 {
		return "the script"
	}
	return b.String()
}

// printable is a hostile name, quoted where it is not plain.
func printable(name string) string {
	if q := fmt.Sprintf("%.60q", name); q != `"`+name+`"` {
		return q
	}
	return name
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(0, offset), int64(len(data)))], []byte("\n"))
}

// lineAt is the line of a member, or of the nearest one above that exists. What
// lies deeper than the member is passed over: it may be very deep.
func lineAt(data []byte, want jsontext.Pointer) int {
	dec, line, best, depth := jsontext.NewDecoder(bytes.NewBuffer(data)), 1, -1, 0
	for range want.Tokens() {
		depth++
	}
	for {
		if _, err := dec.ReadToken(); err != nil {
			return line
		}
		if dec.StackDepth() > depth+1 {
			continue
		}
		p := dec.StackPointer()
		if p == want {
			return lineOf(data, dec.InputOffset())
		}
		if n := len(p); p.Contains(want) && n > best {
			best, line = n, lineOf(data, dec.InputOffset())
		}
	}
}
