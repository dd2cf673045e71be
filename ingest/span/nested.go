package span

import (
	"bytes"
	"strings"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// maxNested is the deepest nesting of JSON in a string that is opened. The
// rendering adds a few levels and must stay below decode.MaxDepth.
const maxNested = 1000

// isNested reports whether a string holds one JSON object or list, whole: one
// that was cut off by a length limit stays a string.
func isNested(s []byte) bool {
	if len(s) < 2 {
		return false
	}
	first := bytes.TrimLeft(s[:min(len(s), 64)], " \t\r\n")
	if len(first) == 0 || first[0] != '{' && first[0] != '[' {
		return false
	}
	return decode.Valid(s, maxNested)
}

// isQuoted reports that OpenLLMetry wrote a text as JSON.
func isQuoted(key string, s []byte) bool {
	return strings.Contains(key, ".entity.") && bytes.HasPrefix(s, []byte(`"`)) && decode.Valid(s, 0)
}

// isText reports whether an attribute is what someone said: an answer that is
// JSON is a text all the same.
func isText(key string) bool {
	return strings.HasSuffix(key, ".content") || strings.HasSuffix(key, ".text")
}
