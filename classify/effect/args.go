package effect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A value is nil, bool, string, number, []value or map[string]value.
type value = any

// number keeps a JSON number as it was written: ids may exceed 2^53.
type number string

const (
	maxDepth  = 64   // deeper values are taken as opaque text
	maxString = 1024 // longer strings enter an identity as their hash
)

// parseArgs reads one JSON value. ok is false when it is not JSON.
func parseArgs(data []byte) (v value, ok bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return nil, false
	}
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := decode(d, 0)
	if err != nil {
		return nil, false
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, false
	}
	return v, true
}

func decode(d *jsontext.Decoder, depth int) (value, error) {
	if k := d.PeekKind(); depth >= maxDepth && (k == '{' || k == '[') {
		raw, err := d.ReadValue()
		return string(raw), err
	}
	tok, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case '{':
		return decodeObject(d, depth)
	case '[':
		return decodeArray(d, depth)
	case '"':
		return tok.String(), nil
	case '0':
		return number(tok.String()), nil
	case 't', 'f':
		return tok.Bool(), nil
	}
	return nil, nil
}

func decodeObject(d *jsontext.Decoder, depth int) (value, error) {
	m := map[string]value{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String() // a token is void after the next read
		if m[key], err = decode(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return m, err
}

func decodeArray(d *jsontext.Decoder, depth int) (value, error) {
	var list []value
	for d.PeekKind() != ']' {
		v, err := decode(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.ReadToken()
	return list, err
}

// flatKey lower-cases a key and drops separators: "Idempotency-Key" and
// idempotency_key are one.
func flatKey(k string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '_' || r == '-' || r == '.' || r == ' ':
			return -1
		}
		return r
	}, k)
}

// operationKeys carry an application-owned operation id.
var operationKeys = wordSet("idempotencykey xidempotencykey idempotencytoken idempotencyid idemkey operationid opid requestid xrequestid " +
	"paypalrequestid clienttoken clientrequesttoken clientrequestid requesttoken callerreference dedupeid dedupekey dedupid " +
	"deduplicationid deduplicationkey messagededuplicationid transactiontoken creationtoken uniquerequestid externalrequestid")

// noiseKeys name nothing of the intended effect.
var noiseKeys = wordSet("timestamp ts sentat requestedat submittedat createdat updatedat now clienttime nonce traceid spanid correlationid " +
	"traceparent verbose debug quiet timeout timeoutms timeoutseconds maxretries retries retry useragent pretty output format outputformat")

// remarkKeys explain the call; they name the effect only when nothing else does.
var remarkKeys = wordSet("description reason explanation rationale justification thought thinking")

// operationID finds the first operation id in sorted key order, in the
// arguments and in headers, metadata or a body inside them. A key that is the
// resource's own id ("request_id" of cancel_request) is the target instead.
func operationID(v value, resource string, depth int) string {
	m, ok := v.(map[string]value)
	if !ok || depth > 3 {
		return ""
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if s := scalar(m[k]); s != "" && operationKeys[flatKey(k)] && !isTarget(k, resource) && !isCallID(s) {
			return s
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if s := operationID(m[k], resource, depth+1); s != "" {
			return s
		}
	}
	return ""
}

func isTarget(key, resource string) bool {
	noun, ok := strings.CutSuffix(flatKey(key), "id")
	return ok && noun != "" && noun == strings.ReplaceAll(resource, "-", "")
}

// isCallID reports a model provider's tool-call id.
func isCallID(s string) bool {
	return strings.HasPrefix(s, "call_") || strings.HasPrefix(s, "toolu_") || strings.HasPrefix(s, "chatcmpl-") || strings.HasPrefix(s, "fc_")
}

func scalar(v value) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case number:
		return string(v)
	}
	return ""
}

// identity is the canonical JSON of what names the effect. Remarks stay out
// unless keepRemarks is set or nothing else is left.
func identity(v value, resource string, keepRemarks bool) string {
	m, ok := v.(map[string]value)
	if !ok {
		return canonical(v)
	}
	kept, remarks := map[string]value{}, map[string]value{}
	for k, v := range m {
		switch f := flatKey(k); {
		case v == nil || v == "" || noiseKeys[f] || operationKeys[f] && !isTarget(k, resource):
		case remarkKeys[f] && !keepRemarks:
			remarks[k] = v
		case f == "headers" || f == "meta":
		default:
			kept[k] = v
		}
	}
	if len(kept) == 0 {
		kept = remarks
	}
	return canonical(kept)
}

// canonical writes v with sorted keys, trimmed strings and plain numbers.
func canonical(v value) string {
	var b []byte
	return string(appendCanonical(b, v))
}

func appendCanonical(b []byte, v value) []byte {
	switch v := v.(type) {
	case map[string]value:
		b = append(b, '{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, k)
			b = append(b, ':')
			b = appendCanonical(b, v[k])
		}
		return append(b, '}')
	case []value:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, e)
		}
		return append(b, ']')
	case string:
		return appendText(b, strings.TrimSpace(v))
	case number:
		return append(b, plain(string(v))...)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// appendText writes JSON inside a string as the same JSON however it is laid
// out.
func appendText(b []byte, s string) []byte {
	if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		if inner, ok := parseArgs([]byte(s)); ok {
			s = string(appendCanonical(nil, inner))
		}
	}
	return appendString(b, s)
}

func appendString(b []byte, s string) []byte {
	if len(s) > maxString {
		sum := sha256.Sum256([]byte(s))
		s = "sha256:" + hex.EncodeToString(sum[:])
	}
	out, err := jsontext.AppendQuote(b, s)
	if err != nil { // invalid UTF-8 was replaced; the rest is written
		return out
	}
	return out
}

// plain writes 39.00 and 39 alike without a detour over floats.
func plain(n string) string {
	if strings.ContainsAny(n, "eE") {
		if f, err := strconv.ParseFloat(n, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return n
	}
	if strings.Contains(n, ".") {
		n = strings.TrimRight(strings.TrimRight(n, "0"), ".")
	}
	if n == "-0" {
		return "0"
	}
	return n
}
