package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// FuzzSession and FuzzStream: whatever the bytes, the account adds up, every
// event has its place, and every span lies in its unit.
func FuzzSession(f *testing.F) {
	f.Add([]byte(story()))
	f.Add([]byte(story()[:300] + story()))
	f.Add([]byte(lines(prompt("u-1", "<task-notification><task-id>b</task-id><status>killed</status>"),
		returns("r-1", "t-9", `[{"type":"text","text":"Exit code 1"}]`, true, `,"toolUseResult":[1]`),
		says("system", "b-1", `"subtype":"api_error","error":{"error":{"cause":{"error":{"error":{}}}}}`))))
	fuzz(f, claude.Session)
}

func FuzzStream(f *testing.F) {
	f.Add([]byte(lines(begin, ended("e-1", "success", `"result":"x","total_cost_usd":1e400`))))
	f.Add([]byte(lines("log", begin+begin, ended("e-1", "error_max_turns", `"errors":["x"]`))))
	fuzz(f, claude.Stream)
}

func fuzz(f *testing.F, format decode.Format) {
	f.Fuzz(func(t *testing.T, raw []byte) {
		format.Detect(raw)
		s := memstore.New()
		rc := decodeInto(t, s, format, raw)
		for _, id := range rc.Runs {
			run, err := ingest.Load(s, id, nil)
			require.NoError(t, err)
			for i := range run.Events {
				e := &run.Events[i]
				ref := run.Ref(e)
				require.LessOrEqual(t, ref.Offset+ref.Length, int64(len(raw)))
				for _, span := range []ingest.Span{e.Text, e.Args, e.Detail} {
					require.LessOrEqual(t, int(span.Off)+int(span.Len), len(run.Raw(e)))
				}
			}
			run.Executions()
			run.Episodes()
			run.Usage()
		}
	})
}

// TestManyOfOneKind: a file of nothing but calls, results or sessions is read
// in time that grows with its length.
func TestManyOfOneKind(t *testing.T) {
	n := 20_000
	results := strings.Repeat(`{"type":"tool_result","tool_use_id":"t"},`, n)
	run, _ := load(t, claude.Session, says("user", "u-1", `"message":{"content":[`+results[:len(results)-1]+`]}`))
	require.Len(t, run.Events, n)
	var b strings.Builder
	for i := range n / 2 {
		fmt.Fprintf(&b, "{\"type\":\"user\",\"sessionId\":\"s-%d\",\"message\":{\"content\":\"x\"}}\n", i)
	}
	run, _ = load(t, claude.Session, b.String())
	require.Len(t, run.Meta.Links, n/2-1)
}
