package langsmith_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/langsmith"
)

// A trace of an agent that calls two tools at once, the second of which fails,
// as an export writes it: the newest run first, the history in every llm run.
const (
	system = `{"lc":1,"type":"constructor","id":["langchain","SystemMessage"],"kwargs":{"content":"p","type":"system"}}`
	human  = `{"lc":1,"type":"constructor","id":["langchain","HumanMessage"],"kwargs":{"content":"q?","type":"human"}}`
	calls  = `{"lc":1,"type":"constructor","id":["langchain","AIMessage"],"kwargs":{"content":"","type":"ai","id":"run-l1","tool_calls":[` +
		`{"name":"find","args":{"q":"a"},"id":"c1","type":"tool_call"},{"name":"find","args":{"q":"b"},"id":"c2","type":"tool_call"}],` +
		`"usage_metadata":{"input_tokens":100,"output_tokens":10,"total_tokens":110,"input_token_details":{"cache_read":40}}}}`
	found = `{"lc":1,"type":"constructor","id":["langchain","ToolMessage"],"kwargs":{"content":"found a","type":"tool","tool_call_id":"c1"}}`
	broke = `{"lc":1,"type":"constructor","id":["langchain","ToolMessage"],"kwargs":{"content":"boom","type":"tool","tool_call_id":"c2","status":"error"}}`
	said  = `{"lc":1,"type":"constructor","id":["langchain","AIMessage"],"kwargs":{"content":"it is a","type":"ai","id":"run-l2","usage_metadata":{"input_tokens":130,"output_tokens":5,"total_tokens":135}}}`

	meta = `"extra":{"metadata":{"thread_id":"th","langgraph_version":"1.0.5","ls_model_name":"m-1"},"runtime":{"library":"langchain-core","library_version":"1.2"}},"session_id":"project"`
	root = `{"id":"t","trace_id":"t","parent_run_id":null,"name":"agent","run_type":"chain","start_time":"2026-01-05T10:00:00","end_time":"2026-01-05T10:00:09.5","status":"success",` +
		`"inputs":{"messages":[{"type":"human","content":"q?"}]},"outputs":{"messages":[{"type":"human","content":"q?"},` + calls + `,` + found + `,` + broke + `,` + said + `]},"total_tokens":245,` + meta + `}`
	llm2 = `{"id":"l2","trace_id":"t","parent_run_id":"t","name":"ChatX","run_type":"llm","start_time":"2026-01-05T10:00:05","end_time":"2026-01-05T10:00:09","status":"success",` +
		`"inputs":{"messages":[[` + system + `,` + human + `,` + calls + `,` + found + `,` + broke + `]]},"outputs":{"generations":[[{"text":"it is a","message":` + said + `}]],"llm_output":null},"total_cost":"0.25",` + meta + `}`
	tool2 = `{"id":"x2","trace_id":"t","parent_run_id":"t","name":"find","run_type":"tool","start_time":"2026-01-05T10:00:02.002","end_time":"2026-01-05T10:00:03","status":"error",` +
		`"error":"ToolException('boom')Traceback (most recent call last)","inputs":{"input":"{'q': 'b'}"},"outputs":null,` + meta + `}`
	tool1 = `{"id":"x1","trace_id":"t","parent_run_id":"t","name":"find","run_type":"tool","start_time":"2026-01-05T10:00:02.001","end_time":"2026-01-05T10:00:04","status":"success",` +
		`"inputs":{"input":"{'q': 'a'}"},"outputs":{"output":{"content":"found a","type":"tool","tool_call_id":"c1","status":"success"}},` + meta + `}`
	llm1 = `{"id":"l1","trace_id":"t","parent_run_id":"t","name":"ChatX","run_type":"llm","start_time":"2026-01-05T10:00:01","end_time":"2026-01-05T10:00:02","status":"success",` +
		`"inputs":{"messages":[[` + system + `,` + human + `]]},"outputs":{"generations":[[{"text":"","message":` + calls + `}]]},` + meta + `}`
)

var want = []string{
	"message/user q?", "message/harness p", "model_call/agent", `tool_call/agent find c1 {"q":"a"}`, `tool_call/agent find c2 {"q":"b"}`,
	"tool_result/tool find c2 fail error ToolException('boom')Traceback (most recent call last)", "tool_result/tool find c1 ok found a",
	"model_call/agent", "message/agent it is a", "claim/harness success ok",
}

func load(t *testing.T, data string) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	require.True(t, langsmith.Format.Detect([]byte(data)), data)
	b := decodetest.New()
	r := b.Again(t, langsmith.Format, "runs.json", []byte(data))
	return b.Run(t, r), r
}

func TestTrace(t *testing.T) {
	runs := []string{root, llm2, tool2, tool1, llm1}
	oldest := slices.Clone(runs)
	slices.Reverse(oldest)
	nested := strings.TrimSuffix(root, "}") + `,"child_runs":[` + strings.Join(oldest[:4], ",") + `]}`
	for name, data := range map[string]string{
		"newest first": "[" + strings.Join(runs, ",\n") + "]",
		"lines":        strings.Join(oldest, "\n") + "\n",
		"page":         `{"runs":[` + strings.Join(runs, ",") + `],"cursors":{"next":null}}`,
		"pages":        `{"runs":[` + strings.Join(runs[:2], ",") + "]}\n" + `{"runs":[` + strings.Join(runs[2:], ",") + `]}`,
		"nested":       nested,
		"pretty":       strings.ReplaceAll(nested, `,"`, ",\n \""),
	} {
		t.Run(name, func(t *testing.T) {
			run, r := load(t, data)
			assert.Equal(t, want, decodetest.Lines(run))
			assert.Equal(t, "t", run.Meta.Native)
			assert.Equal(t, []string{"th"}, run.Meta.Links, "the project is no conversation")
			assert.Equal(t, []string{"langgraph", "1.0.5", "m-1"}, []string{run.Meta.Harness, run.Meta.Version, run.Meta.Model})
			assert.Equal(t, ingest.Usage{InputUncached: 190, CacheRead: 40, Output: 15, Cost: 0.25}, run.Usage())
			x := run.Executions()
			require.Len(t, x, 2)
			assert.Equal(t, []ingest.Outcome{ingest.OK, ingest.Fail}, []ingest.Outcome{x[0].Outcome, x[1].Outcome})
			eps := run.Episodes()
			require.Len(t, eps, 1)
			assert.False(t, eps[0].Open)
			assert.Equal(t, r.Units, r.Stored)
		})
	}
}

// Another export of the same runs, or a part of it, adds nothing.
func TestExportedAgain(t *testing.T) {
	b := decodetest.New()
	first := b.File(t, langsmith.Format, "a.jsonl", []byte(strings.Join([]string{root, llm2, tool2, tool1, llm1}, "\n")))
	later := strings.ReplaceAll(strings.Join([]string{llm1, tool1, root, tool2, llm2}, "\n"), meta, meta+`,"feedback_stats":{"x":{"n":1}}`)
	second := b.File(t, langsmith.Format, "b.jsonl", []byte(later))
	assert.Equal(t, first.Runs, second.Runs)
	assert.Equal(t, 5, second.Duplicates)
	assert.Equal(t, want, decodetest.Lines(b.Run(t, second)))
}

// A run that was still pending is superseded by the finished one.
func TestPending(t *testing.T) {
	pending := `{"id":"x1","trace_id":"t","parent_run_id":"t","name":"find","run_type":"tool","start_time":"2026-01-05T10:00:02.001","end_time":null,"status":"pending","inputs":{"input":"{'q': 'a'}"},"outputs":null}`
	run, _ := load(t, strings.Join([]string{llm1, pending}, "\n"))
	x := run.Executions()
	require.Len(t, x, 2)
	assert.Equal(t, []ingest.Outcome{ingest.Unknown, ingest.Unknown}, []ingest.Outcome{x[0].Outcome, x[1].Outcome}, "nothing says how it ended")
	assert.True(t, run.Episodes()[0].Open)
	for _, order := range [][]string{{root, llm2, tool2, pending, tool1, llm1}, {root, llm2, tool2, tool1, pending, llm1}} {
		run, r := load(t, strings.Join(order, "\n"))
		assert.Equal(t, want, decodetest.Lines(run))
		assert.Equal(t, 1, r.Skipped)
	}
	running := root[:strings.Index(root, `"end_time"`)] + `"end_time":null,"status":"pending","inputs":{"messages":[{"type":"human","content":"q?"}]},"outputs":null,` + meta + `}`
	early, late := []byte(running+"\n"+llm1+"\n"+pending), []byte(strings.Join([]string{root, llm2, tool2, tool1, llm1}, "\n"))
	for _, files := range [][][]byte{{early, late}, {late, early}} {
		b := decodetest.New()
		b.File(t, langsmith.Format, "a", files[0])
		r := b.File(t, langsmith.Format, "b", files[1])
		assert.Equal(t, want, decodetest.Lines(b.Run(t, r)), "in another file")
	}
}

// Only the roots were exported: their outputs hold the whole conversation.
func TestRootAlone(t *testing.T) {
	run, _ := load(t, "["+root+"]")
	assert.Equal(t, []string{"message/user q?", `tool_call/agent find c1 {"q":"a"}`, `tool_call/agent find c2 {"q":"b"}`,
		"tool_result/tool c1 ok found a", "tool_result/tool c2 fail error boom", "message/agent it is a", "claim/harness success ok"}, decodetest.Lines(run))
	assert.Len(t, run.Executions(), 2)
}

// Programs without LangChain trace their own functions: OpenAI's messages, and
// tools that are chains and name no call.
func TestTraceable(t *testing.T) {
	llm := func(id, at, in, out string) string {
		return `{"id":"` + id + `","trace_id":"t","parent_run_id":"t","dotted_order":"20260105T1000` + at + `000000Zt.20260105T1000` + at + `100000Z` + id +
			`","name":"ChatOpenAI","run_type":"llm","status":"success","end_time":"2026-01-05T10:00:` + at + `.9","inputs":{"messages":[` + in + `],"tools":[{"type":"function","function":{"name":"sql"}}]},` +
			`"outputs":{"choices":[{"index":0,"message":` + out + `}],"model":"m-2","usage_metadata":{"input_tokens":9,"output_tokens":2,"total_tokens":12}}}`
	}
	ask := `{"role":"system","content":"p"},{"role":"user","content":"how many?"}`
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"k1","type":"function","function":{"name":"sql","arguments":"{\"query\": \"one\"}"}},{"id":"k2","type":"function","function":{"name":"sql","arguments":"{\"query\": \"two\"}"}}]}`
	tool := func(id, at, query, result string) string {
		return `{"id":"` + id + `","trace_id":"t","parent_run_id":"t","name":"sql","run_type":"chain","start_time":"2026-01-05T10:00:` + at + `","end_time":"2026-01-05T10:00:` + at + `.5","status":"success","inputs":{"query":"` + query + `"},"outputs":{"output":"` + result + `"}}`
	}
	run, _ := load(t, strings.Join([]string{
		`{"id":"t","trace_id":"t","name":"Emma","run_type":"chain","start_time":"2026-01-05T10:00:00","end_time":"2026-01-05T10:00:20","status":"success","inputs":{"question":"how many?"},"outputs":{"output":"3"}}`,
		llm("l1", "01", ask, call), tool("a", "03", "two", "r2"), tool("b", "04", "one", "Error: r1"),
		llm("l2", "05", ask+","+call+`,{"role":"tool","tool_call_id":"k1","content":"Error: r1"},{"role":"tool","tool_call_id":"k2","content":"r2"}`, `{"role":"assistant","content":"3"}`),
	}, "\n"))
	assert.Equal(t, []string{"message/user how many?", "message/harness p", "model_call/agent",
		`tool_call/agent sql k1 "{\"query\": \"one\"}"`, `tool_call/agent sql k2 "{\"query\": \"two\"}"`,
		"tool_result/tool sql k2 ok r2", "tool_result/tool sql k1 fail error Error: r1", "model_call/agent", "message/agent 3", "claim/harness success ok"}, decodetest.Lines(run))
	assert.True(t, run.Usage().Violation, "the total is not the sum")
}

// A tool that no model called is a call of its own; traced twice it is one.
func TestToolsAlone(t *testing.T) {
	run, _ := load(t, `[{"id":"t","name":"job","run_type":"chain","inputs":{"x":1,"y":2},"outputs":{"done":true},"status":"error","error":"TimeoutError('timed out')","start_time":"2026-01-05T10:00:00","end_time":"2026-01-05T10:00:05"},
{"id":"a","trace_id":"t","parent_run_id":"t","name":"fetch","run_type":"tool","inputs":{"url":"u"},"outputs":{"output":"page"},"start_time":"2026-01-05T10:00:01","end_time":"2026-01-05T10:00:02","status":"success"},
{"id":"b","trace_id":"t","parent_run_id":"a","name":"fetch","run_type":"tool","inputs":{"url":"u"},"outputs":{"output":"page"},"start_time":"2026-01-05T10:00:01","end_time":"2026-01-05T10:00:02","status":"success"}]`)
	assert.Equal(t, []string{`message/user {"x":1,"y":2}`, `tool_call/agent fetch a {"url":"u"}`, "tool_result/tool fetch a ok page",
		"error/harness TimeoutError unknown timed_out TimeoutError('timed out')"}, decodetest.Lines(run))
}

// What runs inside a tool is a sub-agent, and its prompt no request.
func TestSubAgent(t *testing.T) {
	sub := strings.NewReplacer(`"l1"`, `"s1"`, `"parent_run_id":"t"`, `"parent_run_id":"x1"`, "q?", "sub?", "10:00:01", "10:00:03", "10:00:02", "10:00:03.5", "c1", "d1", "c2", "d2").Replace(llm1)
	run, _ := load(t, strings.Join([]string{root, llm2, tool2, tool1, llm1, sub}, "\n"))
	agents := map[string]int{}
	for i := range run.Events {
		agents[run.Events[i].Agent]++
	}
	assert.Equal(t, map[string]int{"": len(want), "x1": 4}, agents)
	assert.Len(t, run.Episodes(), 1)
	assert.Equal(t, 1, decodetest.Count(run, ingest.Claim))
}

func TestErrors(t *testing.T) {
	for text, wantOutcome := range map[string]string{
		`"APIConnectionError('Connection error: read ECONNRESET')"`:   "unknown lost",
		`"ValueError('no')Traceback"`:                                 "fail error",
		`"CancelledError()"`:                                          "unknown interrupted",
		`"GraphInterrupt((Interrupt(value='ok?', resumable=True),))"`: "pending interrupted",
		`"ParentCommand(Command(goto='b'))"`:                          "ok",
	} {
		run, _ := load(t, `[{"id":"a","trace_id":"t","parent_run_id":"t","name":"f","run_type":"tool","inputs":{},"start_time":"2026-01-05T10:00:01","end_time":"2026-01-05T10:00:02","status":"error","error":`+text+`}]`)
		e := run.Events[1]
		assert.Equal(t, wantOutcome, strings.TrimSpace(fmt.Sprint(e.Outcome, " ", e.Reason)), text)
	}
}

// Turns of one conversation are traces of one thread; each repeats the history
// and counts what is its own.
func TestThread(t *testing.T) {
	turn := func(id, history, q, a string) string {
		return `{"id":"` + id + `","trace_id":"` + id + `","name":"ChatX","run_type":"llm","status":"success","start_time":"2026-01-05T10:00:00","end_time":"2026-01-05T10:00:01","inputs":{"messages":[` + history +
			`{"role":"user","content":"` + q + `"}]},"outputs":{"message":{"role":"assistant","content":"` + a + `"}},` + meta + `}`
	}
	b := decodetest.New()
	r := b.Again(t, langsmith.Format, "a", []byte(turn("t1", "", "one", "eins")+"\n"+turn("t2", `{"role":"user","content":"one"},{"role":"assistant","content":"eins"},`, "two", "zwei")))
	require.Len(t, r.Runs, 2)
	groups, err := ingest.Group(b.Store, r.Runs, nil)
	require.NoError(t, err)
	assert.Len(t, groups, 1)
	for _, id := range r.Runs {
		run := b.Load(t, id)
		word := map[string][]string{"t1": {"one", "eins"}, "t2": {"two", "zwei"}}[run.Meta.Native]
		assert.Equal(t, []string{"message/user " + word[0], "model_call/agent", "message/agent " + word[1], "claim/harness success ok"}, decodetest.Lines(run))
	}
}

// Some programs note the end of a model's answer only after its tools ran; the
// call still comes first. Arguments may stand in a member of their own.
func TestLateEnd(t *testing.T) {
	run, _ := load(t, `[{"id":"l1","trace_id":"t","parent_run_id":"t","name":"turn","run_type":"llm","start_time":"2026-09-02T23:55:59+00:00","end_time":"2026-09-02T23:56:02.85+00:00","error":null,
"inputs":{"messages":[{"role":"user","content":"go"}]},"outputs":{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"k1","name":"add","input":{"n":1}},{"type":"tool_use","id":"k2","name":"add","input":{"n":2}}]},
"extra":{"metadata":{"usage_metadata":{"input_tokens":5609,"output_tokens":38,"total_tokens":5647,"input_token_details":{"cache_read":4936,"ephemeral_5m_input_tokens":671}}}}},
{"id":"x2","trace_id":"t","parent_run_id":"t","name":"add","run_type":"tool","start_time":"2026-09-02T23:56:00.6+00:00","end_time":"2026-09-02T23:56:00.61+00:00","error":null,"inputs":{"input":{"n":2}},"outputs":{"content":[{"type":"text","text":"two"}]}},
{"id":"x1","trace_id":"t","parent_run_id":"t","name":"add","run_type":"tool","start_time":"2026-09-02T23:56:00.7+00:00","end_time":"2026-09-02T23:56:00.71+00:00","error":null,"inputs":{"input":{"n":1}},"outputs":{"is_error":true,"content":[{"type":"text","text":"no"}]}},
{"id":"t","trace_id":"t","parent_run_ids":[],"name":"agent","run_type":"chain","start_time":"2026-09-02T23:55:58+00:00","end_time":"2026-09-02T23:56:03+00:00","error":null,"inputs":{"messages":[{"role":"user","content":"go"}]},"outputs":{},
"feedback":[{"key":"correct","score":true,"comment":"yes"},{"key":"stars","score":4}]}]`)
	assert.Equal(t, []string{"message/user go", "model_call/agent", "message/agent ok", `tool_call/agent add k1 {"n":1}`, `tool_call/agent add k2 {"n":2}`,
		"tool_result/tool add k2 ok two", "tool_result/tool add k1 fail error no", "claim/harness success ok", "score/harness correct ok yes"}, decodetest.Lines(run))
	assert.Equal(t, ingest.Usage{InputUncached: 2, CacheRead: 4936, CacheWrite5m: 671, Output: 38}, run.Usage())
	assert.NotZero(t, run.Grade&ingest.HasGrader)
}

// The command line tool has names of its own, and lists traces with their runs.
func TestCommandLine(t *testing.T) {
	r := strings.NewReplacer(`"id":"l1"`, `"run_id":"l1"`, `"id":"t","trace_id"`, `"run_id":"t","trace_id"`, `"extra":{"metadata"`, `"custom_metadata"`, `,"runtime":{"library":"langchain-core","library_version":"1.2"}},`, `,`, `"total_tokens":245,`, ``)
	run, _ := load(t, `[{"trace_id":"t","run_count":2,"runs":[`+r.Replace(root)+`,`+r.Replace(llm1)+`]}]`)
	assert.Equal(t, []string{"th"}, run.Meta.Links)
	assert.Equal(t, 2, decodetest.Count(run, ingest.ToolCall))
	flat, _ := load(t, `{"run_id":"a","trace_id":"t","name":"m","run_type":"llm","parent_run_id":null,"start_time":"2026-01-05T10:00:00Z","end_time":"2026-01-05T10:00:01Z","status":"success","token_usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9},"costs":{"total_cost":0.5},"inputs":{},"outputs":{}}`)
	assert.Equal(t, ingest.Usage{InputUncached: 7, Output: 2, Cost: 0.5}, flat.Usage())
}

func TestDetect(t *testing.T) {
	for data, want := range map[string]bool{
		root: true, "[" + llm1: true, `{"runs":[` + tool1: true, tool1[:40]: false, tool1[:200]: true,
		`{"runs":[]}`: false, `{"run_type":"nightly","id":1,"name":"x"}`: false, `{"id":"a","name":"b","inputs":{}}`: false, `[]`: false, ``: false,
	} {
		assert.Equal(t, want, langsmith.Format.Detect([]byte(data)), data)
	}
}

func TestWrongTypes(t *testing.T) {
	n := 0
	for _, doc := range []string{llm1, tool1, `{"runs":[` + strings.TrimSuffix(tool2, "}") + `,"child_runs":[{"id":"z","run_type":"llm"}]}]}`} {
		for data := range decodetest.Mutations([]byte(doc)) {
			n++
			decodetest.Survives(t, langsmith.Format, data)
		}
	}
	require.Greater(t, n, 500)
}

func TestKeepsTheRest(t *testing.T) {
	r := decodetest.Survives(t, langsmith.Format, []byte(root+"\n{broken\n"+llm1+"\n7\n"+llm2[:100]))
	assert.Equal(t, []int{2, 3}, []int{r.Stored + r.Duplicates, r.Quarantined})
	r = decodetest.Survives(t, langsmith.Format, []byte(`[{"run_type":"llm"},`+root+`]`))
	assert.Equal(t, 1, r.Skipped, "a run without any id")
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("[" + strings.Join([]string{root, llm2, tool2, tool1, llm1}, ",") + "]"))
	f.Add([]byte(llm1 + "\n" + tool1))
	f.Add([]byte(`{"runs":[` + root + `]}`))
	f.Add([]byte(`{"id":"a","run_type":"chain","child_runs":[{"id":"b","run_type":"tool","parent_run_id":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { decodetest.Survives(t, langsmith.Format, data) })
}
