package span

import (
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NativeKind is the kind of event/v1 that states a span: its name, when it
// began, and its value, the seconds that it took. It is measured, and no step
// of a run.
const NativeKind = "span"

// Measured reads name and duration of a rendered span (see Append) or of one in
// event/v1; ok is false for anything else, and for a span that has not ended.
func Measured(unit jsontext.Value) (name string, took time.Duration, ok bool) {
	var s struct {
		Kind  string   `json:"kind"`
		Value *float64 `json:"value"`
		Span  string `json:"spanId"`
		Name  string `json:"name"`
		Start string `json:"start"`
		End   string `json:"end"`
	}
	if len(unit) == 0 || unit[0] != '{' || json.Unmarshal(unit, &s, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return "", 0, false
	}
	if s.Kind == NativeKind && s.Span == "" && s.Value != nil && *s.Value >= 0 && *s.Value < 1e9 {
		return s.Name, time.Duration(*s.Value * float64(time.Second)), true
	}
	start, err1 := strconv.ParseUint(s.Start, 10, 64)
	end, err2 := strconv.ParseUint(s.End, 10, 64)
	if s.Span == "" || err1 != nil || err2 != nil || end < start || end-start > math.MaxInt64 {
		return "", 0, false
	}
	return s.Name, time.Duration(end - start), true
}
