package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

func TestTextOf(t *testing.T) {
	for raw, want := range map[string]string{
		``:                             "",
		`""`:                           "",
		`"a\n\u00e9"`:                  "a\né",
		"\"caf\xc3\"":                  "caf\ufffd",
		`"lone \ud800 half"`:           "lone \ufffd half",
		`"unclosed`:                    `"unclosed`,
		`plain text, no JSON`:          `plain text, no JSON`,
		`[1]2] worker: started`:        `[1]2] worker: started`,
		`{not json`:                    `{not json`,
		`[{"type":"text","text":"a"}]`: "a",
		`[{"type":"text","text":"a"},{"type":"image","source":{"data":"QUJD"}},{"type":"text","text":"b"}]`: "a\nb",
		`{"content":[{"type":"text","text":"deep"}]}`:                                                       "deep",
		`{"content":{"content":[{"text":"deeper"}]}}`:                                                       "deeper",
		`{"content":"direct"}`:         "direct",
		`["one","two"]`:                "one\ntwo",
		`{"text":{"value":"no part"}}`: `{"text":{"value":"no part"}}`,
		`{"stdout":"x"}`:               `{"stdout":"x"}`,
		`[]`:                           `[]`,
		`[1,2]`:                        `[1,2]`,
		`17`:                           `17`,
		"[{\"type\":\"text\",\"text\":\"caf\xc3\"}]":                           "caf\ufffd",
		`[{"type":"text","text":"first"},{"type":"tool_use","name":"not me"}]`: "first",
	} {
		assert.Equal(t, want, ingest.TextOf([]byte(raw)), raw)
	}
}

// TestSpans: a span outside of its unit, which only a broken store can hold, is
// no text.
func TestSpans(t *testing.T) {
	run := runOf(t, call("1", "t", `{"a":1}`), user("hi"))
	assert.Equal(t, `{"a":1}`, string(run.Args(&run.Events[0])))
	assert.Equal(t, "hi", run.Text(&run.Events[1]))
	assert.Nil(t, run.Args(&run.Events[1]))
	assert.Nil(t, run.Detail(&run.Events[1]))
	e := run.Events[1]
	for _, s := range []ingest.Span{{Off: 3, Len: 9}, {Off: 99, Len: 1}, {Off: 1<<32 - 1, Len: 1<<32 - 1}} {
		e.Text = s
		assert.Empty(t, run.Text(&e))
	}
}
