package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

var redactor = redact.New(redact.Key{1})

// load decodes a file that holds one run and loads it.
func load(t testing.TB, f decode.Format, raw string) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	s := memstore.New()
	rc := decodeInto(t, s, f, []byte(raw))
	require.Len(t, rc.Runs, 1)
	run, err := ingest.Load(s, rc.Runs[0], nil)
	require.NoError(t, err)
	return run, rc
}

// head is the envelope of a session line.
const head = `"parentUuid":"p-1","isSidechain":false,"cwd":"/srv/app","sessionId":"s-1","version":"9.9.9","gitBranch":"topic","timestamp":"2026-03-01T10:00:00.250Z"`

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// says is a session line of the kind with members after its envelope.
func says(kind, uuid, members string) string {
	return `{` + head + `,"type":"` + kind + `","uuid":"` + uuid + `",` + members + `}`
}

func prompt(uuid, text string) string {
	return says("user", uuid, `"message":{"role":"user","content":`+quote(text)+`}`)
}

// answer is an assistant line with the message id, the content blocks and the
// output tokens.
func answer(uuid, id, blocks string, output int) string {
	return says("assistant", uuid, fmt.Sprintf(`"message":{"id":%q,"role":"assistant","model":"model-x","content":[%s],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":%d}}`, id, blocks, output))
}

func toolUse(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, tool, input)
}

// returns is a user line with one tool result; extra are members of the line.
func returns(uuid, call, content string, isError bool, extra string) string {
	return says("user", uuid, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s,"is_error":%t}]}%s`, call, content, isError, extra))
}

func quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// only returns the single event of the kind.
func only(t testing.TB, run *ingest.Run, kind ingest.Kind) *ingest.Event {
	t.Helper()
	var found *ingest.Event
	for i := range run.Events {
		if run.Events[i].Kind == kind {
			require.Nil(t, found, "one %s", kind)
			found = &run.Events[i]
		}
	}
	require.NotNil(t, found, "no %s", kind)
	return found
}
