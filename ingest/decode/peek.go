package decode

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Peek walks the first level of the JSON object or list that head begins with,
// as far as head reaches, and gives f each member, or each element with the
// name "". The last value may be cut off; then whole is false and value is what
// head holds of it. F returns false to stop. Peek reports whether the object
// or list ends within head, and what stands behind it.
func Peek(head []byte, f func(name string, value []byte, whole bool) bool) (rest []byte, ended bool) {
	head, _ = trimBOM(head)
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), jsonOptions...)
	object := dec.PeekKind() == '{'
	if !object && dec.PeekKind() != '[' {
		return nil, false
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	for {
		switch dec.PeekKind() {
		case '}', ']':
			if _, err := dec.ReadToken(); err != nil {
				return nil, false
			}
			return head[dec.InputOffset():], true
		case 0:
			return nil, false
		}
		name := ""
		if object {
			tok, err := dec.ReadToken()
			if err != nil {
				return nil, false
			}
			name = tok.String()
		}
		v, err := dec.ReadValue()
		if err != nil {
			f(name, bytes.TrimLeft(head[dec.InputOffset():], " \t\r\n,:"), false)
			return nil, false
		}
		if !f(name, v, true) {
			return nil, false
		}
	}
}
