package record_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// examples hold every member of every type, as the contract lists them.
var examples = map[string]string{
	record.TypeCompletion: `{"faultline":"completion/v1","run_id":"r","episode":2,"task":{"id":"t","revision":"3","sha256":"ab"},
		"harness":{"name":"h","version":"1"},"role":"worker","round":1,"candidate":{"kind":"commit","id":"c0ffee","clean":true,"untracked_included":false},
		"required":[{"name":"unit","argv":["go","test","./..."]}],"criteria":[{"name":"works","score":0.5,"minimum":0.8,"weight":1}],
		"checks":[{"name":"unit","argv":["go","test"],"status":"failed","split":"holdout","exit_code":1,"snapshot":"c0ffee","started":"2026-03-01T10:00:00Z",
		"finished":"2026-03-01T10:00:09+02:00","environment":"e","grader":"g","executed":7,"failed":1,"output_ref":"o"},{"name":"lint","exit_code":null}],
		"approvals":[{"what":"merge","by":"dana","at":"2026-03-01T10:00:00Z"}],"decision":"rejected","decided_by":"harness","at":"2026-03-01T10:00:00Z","seconds":1.5,
		"usage":{"output":5},"cost":{"model":0.1,"evaluator":0.2,"billed_input":9},"trace_refs":["a"],"operation_ids":["o-1"]}`,
	record.TypeOperation: `{"faultline":"operation/v1","id":"o-1","run_id":"r","tool":"refund","effect":"external_write","arguments":{"order":1},"arguments_sha256":"ab",
		"approvals":[{"by":"dana","at":"2026-03-01T10:00:00Z","arguments_sha256":"ab"}],"persisted_at":"2026-03-01T10:00:00Z",
		"dispatches":[{"at":"2026-03-01T10:00:00Z","call_id":"c","service_key":"k","outcome":"unknown","error":"reset"}],
		"lookups":[{"at":"2026-03-01T10:00:00Z","found":true,"result":{"id":1}}],"result":{"id":1},"key":{"provider":"p","value":"v","retention":"24h"},"mcp_task_id":"m"}`,
	record.TypeHandoff: `{"faultline":"handoff/v1","run_id":"r","next_run_id":"s","at":"2026-03-01T10:00:00Z","branch":"main","commit":"c0ffee","changed_files":["a.go"],
		"last_command":{"argv":["go","test"],"exit_code":0},"pending_operations":["o-1"],"completed":[{"step":"one","artifact":"a.go"}],
		"claims":[{"kind":"port","target":":80","state":"open"}],"next_step":"two"}`,
	record.TypeContract: `{"faultline":"contract/v1","tool":"refund","run_id":"r","effect":"external_write","repeatable":true,"identity":["order"],"key_argument":"key",
		"lookup":["find"],"undo":["cancel","void"],"timeout":"30s","retry":{"max":2,"backoff":"exponential"},"permission":"confirm","trusted_annotations":true}`,
	record.TypeTrial: `{"faultline":"trial/v1","run_id":"r","task_id":"t","task_sha256":"ab","variant":"v","pair_id":"p","start":{"commit":"c","checkpoint":"k"},
		"components":{"prompt":"v2"},"frozen":{"model":"m","budget":{"tokens":1,"seconds":2,"dollars":3}},"status":"accepted","seconds":3.5,"usage":{"output":1},
		"cost":{"model":1},"review_minutes":4,"duplicate_actions":0,"escaped_defects":1}`,
	record.TypeRequest: `{"faultline":"request/v1","run_id":"r","seq":1,"at":"2026-03-01T10:00:00Z","body_sha256":"a","prefix_sha256":["b"],"system_sha256":"c",
		"tools_sha256":"d","reasoning_items":0,"effort":"high","model":"m"}`,
	record.TypeEvent: `{"faultline":"event/v1","run_id":"r","id":"e","seq":1,"kind":"tool_result","at":null,"time_quality":"none","actor":"tool","text":"x","call_id":"c",
		"tool":"t","arguments":{"a":1},"outcome":"fail","reason":"error","exit_code":null,"parent_id":"p","usage":{"output":1},
		"source":{"file":"f","line":1,"offset":0,"length":9}}`,
}

// decoded returns the one member of a record that is set.
func decoded(t *testing.T, r record.Record) any {
	t.Helper()
	var set []any
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			set = append(set, f.Interface())
		}
	}
	require.Len(t, set, 1, r.Type)
	return set[0]
}

// TestRoundTrip: what is decoded and written again says the same, with the
// type first.
func TestRoundTrip(t *testing.T) {
	require.Len(t, examples, len(record.Types()))
	for kind, example := range examples {
		var v any
		if kind == record.TypeEvent {
			e := new(record.Event)
			require.NoError(t, json.Unmarshal([]byte(example), e))
			v = e
		} else {
			r, err := record.Decode([]byte(example))
			require.NoError(t, err, kind)
			assert.Equal(t, kind, r.Type)
			assert.Equal(t, "r", r.RunID())
			v = decoded(t, r)
		}
		out, err := json.Marshal(v)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(out), `{"faultline":"`+kind+`"`), "%s", out)
		if kind == record.TypeEvent { // a null exit code is none
			out = []byte(strings.Replace(string(out), `"parent_id"`, `"exit_code":null,"parent_id"`, 1))
		}
		assert.JSONEq(t, example, string(out), kind)
	}
}

// TestMinimal: nothing but the required members need be there, wherever the
// type stands, and unknown members do not matter.
func TestMinimal(t *testing.T) {
	for _, kind := range record.Types() {
		doc := `{"new":{"faultline":"other/v1"},"run_id":"r","tool":"t","faultline":"` + kind + `"}`
		got, err := record.TypeOf([]byte(doc))
		require.NoError(t, err)
		assert.Equal(t, kind, got)
		if kind == record.TypeEvent {
			_, err := record.Decode([]byte(doc))
			assert.ErrorIs(t, err, record.ErrType, "events are no records")
			continue
		}
		r, err := record.Decode([]byte(doc))
		require.NoError(t, err, kind)
		assert.Equal(t, "r", r.RunID())
	}
	r, err := record.Decode([]byte(`{"faultline":"contract/v1","tool":"t"}`))
	require.NoError(t, err)
	assert.Empty(t, r.RunID(), "a contract may apply to a folder")
	assert.Empty(t, record.Record{}.RunID())
}

func TestRefused(t *testing.T) {
	for doc, want := range map[string]error{
		`{"faultline":"completion/v2","run_id":"r"}`:      record.ErrVersion,
		`{"faultline":"event/v9","run_id":"r"}`:           record.ErrVersion,
		`{"faultline":"completion","run_id":"r"}`:         record.ErrVersion,
		`{"faultline":"receipt/v1","run_id":"r"}`:         record.ErrType,
		`{"faultline":"","run_id":"r"}`:                   record.ErrType,
		`{"Faultline":"completion/v1","run_id":"r"}`:      record.ErrType, // names are exact
		`{"run_id":"r"}`:                                  record.ErrType,
		`{"faultline":"completion/v1"}`:                   record.ErrField,
		`{"faultline":"completion/v1","run_id":""}`:       record.ErrField,
		`{"faultline":"contract/v1","run_id":"r"}`:        record.ErrField,
		`{"faultline":7}`:                                 nil,
		`{"faultline":"trial/v1","run_id":7}`:             nil,
		`{"faultline":"trial/v1","run_id":"r"`:            nil,
		`[]`:                                              nil,
		``:                                                nil,
		`{"faultline":"contract/v1","tool":"t","undo":7}`: nil,
	} {
		_, err := record.Decode([]byte(doc))
		require.Error(t, err, doc)
		if want != nil {
			assert.ErrorIs(t, err, want, doc)
		}
	}
}

func TestTools(t *testing.T) {
	for raw, want := range map[string]record.Tools{
		`"find"`: {"find"}, `["a","b"]`: {"a", "b"}, `[]`: {}, `null`: nil, `"\u0061"`: {"a"},
	} {
		r, err := record.Decode([]byte(`{"faultline":"contract/v1","tool":"t","lookup": ` + raw + `,"undo":` + raw + `}`))
		require.NoError(t, err, raw)
		assert.Equal(t, want, r.Contract.Lookup, raw)
		assert.Equal(t, want, r.Contract.Undo, raw)
	}
	for _, raw := range []string{`{}`, `7`, `true`, `[7]`, `[null,{}]`} {
		_, err := record.Decode([]byte(`{"faultline":"contract/v1","tool":"t","lookup":` + raw + `}`))
		assert.Error(t, err, raw)
	}
}

// TestWrongTypes: a record with a value of another type is refused or read, and
// nothing breaks.
func TestWrongTypes(t *testing.T) {
	for kind, example := range examples {
		n := 0
		for bad := range decodetest.Mutations([]byte(example)) {
			if r, err := record.Decode(bad); err == nil {
				decoded(t, r)
			}
			n++
		}
		assert.Greater(t, n, 50, kind)
	}
}

func FuzzDecode(f *testing.F) {
	for _, example := range examples {
		f.Add([]byte(example))
	}
	f.Add([]byte(`{"faultline":"contract/v1","tool":"t","lookup":[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := record.Decode(data)
		if err != nil {
			return
		}
		out, err := json.Marshal(decoded(t, r), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return // a time that RFC 3339 cannot write
		}
		again, err := record.Decode(out)
		require.NoError(t, err, "%s", out)
		assert.Equal(t, r.RunID(), again.RunID())
	})
}
