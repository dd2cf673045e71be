package otlp

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/span"
)

// attributes reads the attributes of a dump: an object whose names are dotted
// or nested, or a list of keys and values.
func (d *dumped) attributes(into *[]span.Attr) error {
	if d.c.Kind() == '[' {
		return d.c.Array(func() error { return d.pair(into) })
	}
	return d.c.Object(func(name []byte) error { return d.attribute(into, string(name)) })
}

// attribute reads one attribute. What is nested gets a dotted name, as its
// exporter had it, unless the name is one of an attribute that holds a value of
// its own.
func (d *dumped) attribute(into *[]span.Attr, key string) error {
	switch d.c.Kind() {
	case 'n':
		return d.c.Skip()
	case '"':
		s, err := d.c.String()
		*into = append(*into, span.Attr{Key: key, Value: span.Text(nil, key, []byte(s))})
		return err
	case '{':
		if !span.Known(key) {
			return d.c.Object(func(name []byte) error { return d.attribute(into, key+"."+string(name)) })
		}
		v, err := d.value()
		if inner := (dumped{c: &decode.Cursor{}, raw: v}); hasValue(v) {
			inner.c.Reset(v)
			return inner.c.Object(func(name []byte) error { return inner.attribute(into, key+"."+string(name)) })
		}
		*into = append(*into, span.Attr{Key: key, Value: v})
		return err
	case '[':
		if !span.Known(key) {
			return d.elements(into, key)
		}
	}
	v, err := d.value()
	*into = append(*into, span.Attr{Key: key, Value: v})
	return err
}

// hasValue tells OpenInference's input and output, which are nested, from values
// that are called so.
func hasValue(object []byte) (has bool) {
	decode.Peek(object, func(name string, _ []byte, _ bool) bool {
		has = name == "value"
		return !has
	})
	return has
}

// elements reads a list: of objects as attributes with numbers in their names,
// of anything else as one value.
func (d *dumped) elements(into *[]span.Attr, key string) error {
	var list []byte
	n := 0
	err := d.c.Array(func() error {
		if n++; d.c.Kind() == '{' {
			return d.attribute(into, key+"."+strconv.Itoa(n-1))
		}
		v, err := d.value()
		list = append(append(list, ','), v...)
		return err
	})
	if len(list) > 0 || n == 0 {
		value := append(append([]byte{'['}, bytes.TrimPrefix(list, []byte(","))...), ']')
		*into = append(*into, span.Attr{Key: key, Value: value})
	}
	return err
}

// pair reads a key and a value: OTLP's, or those of Go's console exporter.
func (d *dumped) pair(into *[]span.Attr) error {
	key := ""
	var value []byte
	err := d.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "key", "Key":
			key, err = d.c.String()
		case "value", "Value":
			value, err = d.any(key)
		default:
			err = d.c.Skip()
		}
		return err
	})
	if key != "" && value != nil {
		*into = append(*into, span.Attr{Key: key, Value: value})
	}
	return err
}

// any reads a value in the clothes of OTLP or Go, or as it is.
func (d *dumped) any(key string) (value []byte, err error) {
	switch d.c.Kind() {
	case '"':
		s, err := d.c.String()
		return span.Text(nil, key, []byte(s)), err
	case '{':
	default:
		return d.value()
	}
	err = d.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "stringValue", "string_value", "Value":
			value, err = d.any(key)
		case "intValue", "int_value", "doubleValue", "double_value":
			value, err = d.number()
		case "arrayValue", "array_value":
			value, err = d.list()
		case "bytesValue", "bytes_value":
			value, err = d.bytes(key)
		case "boolValue", "bool_value", "kvlistValue", "kvlist_value":
			value, err = d.value()
		default:
			err = d.c.Skip()
		}
		return err
	})
	return value, err
}

// bytes reads base64; what is none stays as it is.
func (d *dumped) bytes(key string) ([]byte, error) {
	s, err := d.c.String()
	if raw, bad := base64.StdEncoding.DecodeString(s); bad == nil {
		return span.Bytes(nil, key, raw), err
	}
	return span.Quote(nil, []byte(s)), err
}

// value is the next value as it stands.
func (d *dumped) value() ([]byte, error) {
	at, err := d.c.Span()
	if at.Len == 0 {
		return []byte("null"), err
	}
	return d.raw[at.Off : at.Off+at.Len], err
}

// number reads a number that may be written as a string.
func (d *dumped) number() ([]byte, error) {
	s, err := d.c.ID()
	if v := jsontext.Value(s); v.Kind() == '0' && v.IsValid() {
		return v, err
	}
	return span.Quote(nil, []byte(s)), err
}

// list reads {"values": […]}.
func (d *dumped) list() ([]byte, error) {
	list := []byte{'['}
	err := d.c.Object(func(name []byte) error {
		if string(name) != "values" {
			return d.c.Skip()
		}
		return d.c.Array(func() error {
			v, err := d.any(textKey)
			if len(list) > 1 {
				list = append(list, ',')
			}
			list = append(list, v...)
			return err
		})
	})
	return append(list, ']'), err
}
