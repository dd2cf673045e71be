package claude

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
)

// headOf unquotes the beginning of a JSON string in data, from at most n bytes
// of it. An escape that n cuts is dropped; anything but a string gives "".
func headOf(data []byte, s ingest.Span, n int) string {
	if s.Len == 0 || data[s.Off] != '"' {
		return ""
	}
	raw := data[s.Off : s.Off+s.Len]
	raw = raw[:min(len(raw), n)]
	// The error says that the string was cut; what came before is returned.
	text, _ := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	return string(text)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// tagged returns the content of the first <name>…</name> in s.
func tagged(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(inner)
}
