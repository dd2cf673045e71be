package record_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/record"
)

func schemaOf(t *testing.T, kind string) map[string]any {
	t.Helper()
	raw, err := record.Schema(kind)
	require.NoError(t, err)
	var s map[string]any
	require.NoError(t, json.Unmarshal(raw, &s))
	return s
}

// TestSchemaProperties: a schema names the members that the type decodes, at
// every depth.
func TestSchemaProperties(t *testing.T) {
	for kind, goType := range map[string]reflect.Type{
		record.TypeCompletion: reflect.TypeFor[record.Completion](), record.TypeOperation: reflect.TypeFor[record.Operation](),
		record.TypeHandoff: reflect.TypeFor[record.Handoff](), record.TypeContract: reflect.TypeFor[record.Contract](),
		record.TypeTrial: reflect.TypeFor[record.Trial](), record.TypeRequest: reflect.TypeFor[record.Request](),
		record.TypeEvent: reflect.TypeFor[record.Event](),
	} {
		s := schemaOf(t, kind)
		assert.Equal(t, kind, s["title"])
		assert.Equal(t, map[string]any{"const": kind}, s["properties"].(map[string]any)["faultline"])
		sameNames(t, kind, goType, s)
		for _, name := range s["required"].([]any) {
			assert.Contains(t, s["properties"], name)
		}
	}
	_, err := record.Schema("none/v1")
	assert.ErrorIs(t, err, record.ErrType)
	assert.ErrorContains(t, err, record.TypeCompletion, "it says which there are")
}

func sameNames(t *testing.T, at string, goType reflect.Type, s map[string]any) {
	t.Helper()
	for goType.Kind() == reflect.Pointer || goType.Kind() == reflect.Slice && s["items"] != nil {
		if goType.Kind() == reflect.Slice {
			s = s["items"].(map[string]any)
		}
		goType = goType.Elem()
	}
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		return
	}
	var want, got []string
	for i := range goType.NumField() {
		f := goType.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		want = append(want, name)
		if below, ok := properties[name].(map[string]any); ok {
			sameNames(t, at+"."+name, f.Type, below)
		}
	}
	for name := range properties {
		got = append(got, name)
	}
	assert.ElementsMatch(t, want, got, at)
}

// TestSchemaAccepts: the examples of the contract are valid, and a value of
// another type, or a missing required member, is not.
func TestSchemaAccepts(t *testing.T) {
	for kind, example := range examples {
		s := schemaOf(t, kind)
		var doc map[string]any
		require.NoError(t, json.Unmarshal([]byte(example), &doc, jsontext.AllowDuplicateNames(true)))
		assert.Empty(t, problems(kind, s, doc))
		for _, name := range s["required"].([]any) {
			less := map[string]any{}
			for k, v := range doc {
				if k != name {
					less[k] = v
				}
			}
			assert.NotEmpty(t, problems(kind, s, less), "%s without %s", kind, name)
		}
		doc["run_id"] = 7.0
		assert.NotEmpty(t, problems(kind, s, doc))
	}
}

// problems is a small validator for the part of JSON Schema that schemas here
// use.
func problems(at string, s map[string]any, v any) (found []string) {
	if want, ok := s["const"]; ok && v != want {
		found = append(found, fmt.Sprintf("%s is %v, not %v", at, v, want))
	}
	if types := typesOf(s["type"]); len(types) > 0 && !slices.Contains(types, typeName(v)) &&
		(typeName(v) != "integer" || !slices.Contains(types, "number")) {
		found = append(found, fmt.Sprintf("%s is %s, want %v", at, typeName(v), types))
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range asList(s["required"]) {
			if _, ok := v[name.(string)]; !ok {
				found = append(found, fmt.Sprintf("%s lacks %s", at, name))
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for name, value := range v {
			if below, ok := properties[name].(map[string]any); ok {
				found = append(found, problems(at+"."+name, below, value)...)
			} else if properties != nil {
				found = append(found, at+" has no member "+name)
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for _, value := range v {
			found = append(found, problems(at+"[]", items, value)...)
		}
	}
	return found
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func typesOf(v any) (types []string) {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	for _, name := range asList(v) {
		types = append(types, name.(string))
	}
	return types
}

func typeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
