package decode

import (
	"strings"
	"testing"
)

// TestFirstValueAfterBreak: an object written over the end of a cut value is
// found; a part of a broken value is not taken for one.
func TestFirstValueAfterBreak(t *testing.T) {
	whole := `{"type":"x","list":[{"a":"b"}]}`
	for line, want := range map[string]string{
		`{"type":"x","text":"half` + whole:            whole,
		`{"type":"x","text":"half \` + whole:          whole,
		`{"type":"x",` + whole + `{"b":1}`:            whole,
		`{"type":"x","text":"ha}{` + whole:            whole,
		`{"a":{"b":1}x{"c":2}`:                        `{"c":2}`,
		`{"a":{"b":1}x}`:                              "",
		`{"a":[{"b":NaN},{"c":1}]}`:                   "",
		`{"a":{"b":1}`:                                "",
		`panic: ` + whole:                             whole,
		`{"type":"x","text":"half` + whole[:20] + `x`: "",
	} {
		_, err := firstValue([]byte(line))
		if err == nil {
			t.Fatalf("%s is not broken", line)
		}
		got := ""
		if n := nextGlue([]byte(line), err); n > 0 {
			got = line[n:]
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
}
