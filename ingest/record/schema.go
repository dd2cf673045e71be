package record

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema returns the JSON Schema (draft 2020-12) of a type, derived from the
// Go type that decodes it, so that the two cannot drift apart.
func Schema(kind string) ([]byte, error) {
	t, ok := schemaTypes()[kind]
	if !ok {
		return nil, fmt.Errorf("%w: %q (known: %s)", ErrType, kind, strings.Join(Types(), ", "))
	}
	s := schemaOf(t)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = kind
	s.Properties["faultline"] = &schema{Const: kind}
	s.Required = []string{"faultline", "run_id"}
	if kind == TypeContract {
		s.Required = []string{"faultline", "tool"}
	}
	return json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "))
}

func schemaTypes() map[string]reflect.Type {
	return map[string]reflect.Type{
		TypeCompletion: reflect.TypeFor[Completion](),
		TypeOperation:  reflect.TypeFor[Operation](),
		TypeHandoff:    reflect.TypeFor[Handoff](),
		TypeContract:   reflect.TypeFor[Contract](),
		TypeTrial:      reflect.TypeFor[Trial](),
		TypeRequest:    reflect.TypeFor[Request](),
		TypeEvent:      reflect.TypeFor[Event](),
	}
}

type schema struct {
	Schema     string             `json:"$schema,omitzero"`
	Title      string             `json:"title,omitzero"`
	Type       any                `json:"type,omitempty"` // string or list
	Const      string             `json:"const,omitzero"`
	Format     string             `json:"format,omitzero"`
	Enum       []string           `json:"enum,omitempty"`
	About      string             `json:"description,omitzero"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Items      *schema            `json:"items,omitempty"`
	Required   []string           `json:"required,omitempty"`
}

func schemaOf(t reflect.Type) *schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[jsontext.Value]():
		return &schema{}
	case reflect.TypeFor[Tools]():
		return &schema{Type: []string{"string", "array"}, Items: &schema{Type: "string"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := schemaOf(t.Elem())
		if name, ok := s.Type.(string); ok {
			s.Type = []string{name, "null"}
		}
		return s
	case reflect.Struct:
		s := &schema{Type: "object", Properties: map[string]*schema{}}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			p := schemaOf(t.Field(i).Type)
			if words := t.Field(i).Tag.Get("enum"); words != "" {
				p.Enum = strings.Split(words, ",")
			}
			p.About = t.Field(i).Tag.Get("doc")
			s.Properties[name] = p
		}
		return s
	case reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem())}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	}
	return &schema{Type: "string"}
}
