package world

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// args are the arguments of a call, as JSON gives them.
type args = map[string]any

// object reads arguments; what is no object has none.
func object(v jsontext.Value) args {
	var a args
	if len(v) == 0 || json.Unmarshal(v, &a, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return args{}
	}
	if a == nil {
		return args{}
	}
	return a
}

// text is a value for comparison: words of a command line and segments of a path
// are texts, where JSON has 17.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(encode(v))
}

// encode writes JSON with sorted members.
func encode(v any) jsontext.Value {
	out, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return out
}

// covers reports that have holds every argument of want with an equal value.
func covers(have, want args) bool {
	for name, v := range want {
		if got, ok := have[name]; !ok || text(got) != text(v) {
			return false
		}
	}
	return true
}

// key names what a call intends: the identity arguments where the call has them
// all, else all arguments but the idempotency key.
func key(a args, identity []string, except string) string {
	names := identity
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { _, ok := a[n]; return !ok }) {
		names = slices.Sorted(maps.Keys(a))
	}
	var b strings.Builder
	for _, n := range names {
		if n != except {
			b.WriteString(strconv.Quote(n) + strconv.Quote(text(a[n])))
		}
	}
	return b.String()
}

// digest is n hex digits over parts.
func digest(n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	return hex.EncodeToString(h.Sum(nil))[:n]
}

// clip is the beginning of a hostile text, on one line.
func clip(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), 2000)], "\uFFFD")), " ")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

func decode(v jsontext.Value, into any) bool {
	return json.Unmarshal(v, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) == nil
}
