package langfuse_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/langfuse"
)

func load(t *testing.T, data string) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	require.True(t, langfuse.Format.Detect([]byte(data)), data)
	b := decodetest.New()
	r := b.Again(t, langfuse.Format, "observations.jsonl", []byte(data))
	return b.Run(t, r), r
}

// A trace as the API gives it: an agent whose tool fails.
const (
	common = `"traceId":"t","sessionId":"s","environment":"default"`
	agent  = `{"id":"o1",` + common + `,"type":"AGENT","name":"desk","startTime":"2026-02-03T10:00:00.000Z","endTime":"2026-02-03T10:00:09.000Z","level":"DEFAULT","parentObservationId":null,` +
		`"input":{"messages":[{"role":"user","content":"what's up?"}]},"output":"sorry"}`
	gen1 = `{"id":"o2",` + common + `,"type":"GENERATION","name":"chat","startTime":"2026-02-03T10:00:01.000Z","endTime":"2026-02-03T10:00:02.000Z","level":"DEFAULT","parentObservationId":"o1","model":"m-1",` +
		`"input":[{"role":"system","content":"p"},{"role":"user","content":"what's up?"}],` +
		`"output":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]},` +
		`"usageDetails":{"input":60,"input_cached_tokens":40,"output":6,"output_reasoning_tokens":4,"total":110},"costDetails":{"input":0.1,"output":0.1,"total":0.2}}`
	look = `{"id":"o3",` + common + `,"type":"TOOL","name":"look","startTime":"2026-02-03T10:00:03.000Z","endTime":"2026-02-03T10:00:04.000Z","level":"ERROR","statusMessage":"Connection reset by peer","parentObservationId":"o1","input":{"q":1},"output":null}`
	gen2 = `{"id":"o4",` + common + `,"type":"GENERATION","name":"chat","startTime":"2026-02-03T10:00:05.000Z","endTime":"2026-02-03T10:00:08.000Z","level":"DEFAULT","parentObservationId":"o1","model":"m-1",` +
		`"input":[{"role":"system","content":"p"},{"role":"user","content":"what's up?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"reset"}],` +
		`"output":{"role":"assistant","content":"sorry"},"usageDetails":{"input":200,"cache_read_input_tokens":50,"output":5,"total":205}}`
)

var want = []string{
	"message/user what's up?", "message/harness p", "model_call/agent", `tool_call/agent look c1 "{\"q\":1}"`,
	"tool_result/tool look c1 unknown lost Connection reset by peer", "model_call/agent", "message/agent sorry",
}

// exported writes an observation as the blob storage export does: snake case,
// times without a zone, inputs and outputs as JSON in a string.
func exported(t *testing.T, observation string) string {
	t.Helper()
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(observation), &all))
	out := map[string]any{}
	for name, v := range all {
		if text, ok := v.(string); ok && strings.HasSuffix(name, "Time") {
			v = strings.NewReplacer("T", " ", "Z", "000").Replace(text)
		}
		if _, text := v.(string); (name == "input" || name == "output") && v != nil && !text {
			inner, err := json.Marshal(v)
			require.NoError(t, err)
			v = string(inner)
		}
		out[strings.ToLower(regexp.MustCompile(`([A-Z])`).ReplaceAllString(name, "_$1"))] = v
	}
	line, err := json.Marshal(out)
	require.NoError(t, err)
	return string(line)
}

func TestTrace(t *testing.T) {
	all := []string{gen2, look, gen1, agent}
	var rows []string
	for _, o := range all {
		rows = append(rows, exported(t, o))
	}
	trace := `{"id":"t","projectId":"p","name":"chat","timestamp":"2026-02-03T10:00:00.000Z","public":false,"sessionId":"s","input":{"messages":[{"role":"user","content":"what's up?"}]},"output":"sorry","latency":9.5,"observations":[` + strings.Join(all, ",\n") + `],"scores":[]}`
	for name, data := range map[string]string{
		"API page":    `{"data":[` + strings.Join(all, ",") + `],"meta":{"page":1}}`,
		"list":        "[" + strings.Join(all, ",\n ") + "]",
		"export":      strings.Join(rows, "\n") + "\n",
		"export list": "[" + strings.Join(rows, ",") + "]",
		"trace":       trace,
		"traces":      "[" + trace + "]",
		"download":    `{"trace":` + trace + `}`,
		"beside":      `{"trace":{"id":"t","name":"chat","timestamp":"2026-02-03T10:00:00.000Z","sessionId":"s","public":false},"observations":[` + strings.Join(all, ",") + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			run, r := load(t, data)
			assert.Equal(t, want, decodetest.Lines(run))
			assert.Equal(t, []string{"t", "m-1"}, []string{run.Meta.Native, run.Meta.Model})
			assert.Equal(t, []string{"s"}, run.Meta.Links)
			assert.Equal(t, ingest.Usage{InputUncached: 210, CacheRead: 90, Output: 15, Reasoning: 4, Cost: 0.2}, run.Usage())
			assert.Len(t, run.Executions(), 1)
			assert.Equal(t, r.Units, r.Stored)
			quality := ingest.Exact
			if strings.HasPrefix(name, "export") {
				quality = ingest.Inferred
			}
			assert.Equal(t, quality, run.Events[0].Quality)
			assert.Equal(t, "2026-02-03T10:00:00Z", run.Start().Format("2006-01-02T15:04:05Z07:00"))
		})
	}
}

// Input and output are selectable: without them, calls and usage are still told.
func TestFieldGroups(t *testing.T) {
	run, _ := load(t, `{"id":"o3","trace_id":"t","type":"TOOL","name":"look","start_time":"2026-02-03 10:00:03.000000","end_time":"2026-02-03 10:00:04.000000","parent_observation_id":"o1","level":"DEFAULT"}
{"id":"o2","trace_id":"t","type":"GENERATION","start_time":"2026-02-03 10:00:01.000000","end_time":"2026-02-03 10:00:02.000000","usage_details":{"input":9,"output":2},"total_cost":0.5}`)
	assert.Equal(t, []string{"model_call/agent", "tool_call/agent look o3", "tool_result/tool look o3 ok"}, decodetest.Lines(run))
	assert.Equal(t, ingest.Usage{InputUncached: 9, Output: 2, Cost: 0.5}, run.Usage())
}

// A session of a coding agent as a hook sends it: turns, answers and tools, the
// names of which have a prefix; the root names a parent that is not there.
func TestHook(t *testing.T) {
	run, _ := load(t, `{"data":[
{"id":"a","traceId":"t","type":"SPAN","name":"Turn 1","startTime":"2026-02-03T10:00:00Z","endTime":"2026-02-03T10:00:09Z","parentObservationId":"gone","isRootObservation":true,"sessionId":"","input":{"role":"user","content":"fix it"},"output":{"role":"assistant","content":"done"}},
{"id":"b","traceId":"t","type":"GENERATION","name":"Response","startTime":"2026-02-03T10:00:01Z","endTime":"2026-02-03T10:00:08Z","parentObservationId":"a","model":"m","input":{"role":"user","content":"fix it"},"output":{"role":"assistant","content":"done"}},
{"id":"c","traceId":"t","type":"TOOL","name":"Tool: Bash","startTime":"2026-02-03T10:00:02Z","endTime":"2026-02-03T10:00:03Z","parentObservationId":"a","input":{"command":"make"},"output":"Exit code 2\nno rule"}]}`)
	assert.Equal(t, []string{"message/user fix it", `tool_call/agent Bash c {"command":"make"}`, "tool_result/tool Bash c fail error Exit code 2\nno rule",
		"model_call/agent", "message/agent done"}, decodetest.Lines(run))
	assert.Equal(t, 2, *run.Events[2].Exit)
	assert.Empty(t, run.Meta.Links)
}

func TestUsage(t *testing.T) {
	for details, want := range map[string]ingest.Usage{
		`"usageDetails":{"input":10,"output":5,"total":15}`:                                                  {InputUncached: 10, Output: 5},
		`"usageDetails":{"input":10,"input_cached_tokens":4,"output":5,"total":19}`:                          {InputUncached: 10, CacheRead: 4, Output: 5},
		`"usageDetails":{"input":10,"input_cache_read":4,"output":5,"output_reasoning":2,"total":15}`:        {InputUncached: 6, CacheRead: 4, Output: 5, Reasoning: 2},
		`"usageDetails":{"input":10,"cache_creation_input_tokens":3,"input_cache_creation_1h":2,"output":5}`: {InputUncached: 10, CacheWrite5m: 3, CacheWrite1h: 2, Output: 5},
		`"usageDetails":{"input":10,"input_audio_tokens":1,"output":5,"output_audio_tokens":2,"total":18}`:   {InputUncached: 11, Output: 7},
		`"usageDetails":{"input":10,"output":5,"total":99}`:                                                  {InputUncached: 10, Output: 5, Violation: true},
		`"usageDetails":{},"usage":{"input":3,"output":2,"total":5,"unit":"TOKENS"}`:                         {InputUncached: 3, Output: 2},
		`"promptTokens":3,"completionTokens":2,"totalTokens":5`:                                              {InputUncached: 3, Output: 2},
		`"usageDetails":{},"inputUsage":7,"outputUsage":1,"totalUsage":8,"totalCost":0.25`:                   {InputUncached: 7, Output: 1, Cost: 0.25},
		`"usageDetails":{"input":"x"}`:                                                                       {},
	} {
		run, _ := load(t, `{"id":"o","traceId":"t","startTime":"2026-02-03T10:00:00Z","endTime":"2026-02-03T10:00:01Z","type":"GENERATION",`+details+`}`)
		assert.Equal(t, want, run.Usage(), details)
	}
}

func TestScores(t *testing.T) {
	scores := `{"id":"s1","trace_id":"t","observation_id":null,"name":"helpful","value":0.75,"data_type":"NUMERIC","source":"EVAL","timestamp":"2026-02-03 11:00:00.000000","comment":"good"}
{"id":"s2","trace_id":"t","observation_id":"o4","name":"correct","value":0,"string_value":"False","data_type":"BOOLEAN","source":"ANNOTATION","timestamp":"2026-02-03 11:00:01.000000"}
{"id":"s3","trace_id":"t","name":"tone","value":"polite","data_type":"CATEGORICAL","source":"API","timestamp":"2026-02-03 11:00:02.000000"}
{"id":"s4","trace_id":null,"session_id":"s","observation_id":null,"name":"session","value":1,"data_type":"NUMERIC"}`
	b := decodetest.New()
	b.Again(t, langfuse.Format, "o", []byte(strings.Join([]string{gen2, look, gen1, agent}, "\n")))
	r := b.Again(t, langfuse.Format, "s", []byte(scores))
	require.True(t, langfuse.Format.Detect([]byte(scores)))
	run := b.Run(t, r)
	assert.Equal(t, append(slices.Clone(want), "score/harness helpful good", "score/harness correct fail False", "score/harness tone polite"), decodetest.Lines(run))
	assert.Equal(t, 0.75, *run.Events[len(want)].Value)
	assert.Equal(t, 1, r.Skipped, "a score of a session")
	assert.NotZero(t, run.Grade&ingest.HasGrader)
}

// A run that fails ends with its error; one that is not over has no end.
func TestEnds(t *testing.T) {
	failed := strings.Replace(agent, `"level":"DEFAULT"`, `"level":"ERROR","statusMessage":"request timed out"`, 1)
	run, _ := load(t, failed+"\n"+gen1)
	last := run.Events[len(run.Events)-1]
	assert.Equal(t, []any{ingest.Error, ingest.Unknown, ingest.TimedOut}, []any{last.Kind, last.Outcome, last.Reason})
	open := strings.NewReplacer(`"endTime":"2026-02-03T10:00:09.000Z"`, `"endTime":null`, `"output":"sorry"`, `"output":null`).Replace(agent)
	run, _ = load(t, open+"\n"+gen1)
	assert.True(t, run.Episodes()[0].Open)
	run, r := load(t, open+"\n"+gen1+"\n"+agent)
	assert.Equal(t, 1, r.Skipped, "the one that ended counts")
	assert.Len(t, run.Episodes(), 1)
}

// A step that bears the name of a called tool is that tool; events without an
// end and words about a success are no errors.
func TestSteps(t *testing.T) {
	span := strings.NewReplacer("TOOL", "SPAN", `"level":"ERROR"`, `"level":"WARNING"`, `"output":null`, `"output":"seen"`).Replace(look)
	event := `{"id":"e",` + common + `,"type":"EVENT","name":"note","startTime":"2026-02-03T10:00:04.500Z","level":"ERROR","statusMessage":"odd","parentObservationId":"o1"}`
	run, _ := load(t, strings.Join([]string{agent, gen1, span, event}, "\n"))
	assert.Equal(t, []string{"message/user what's up?", "message/harness p", "model_call/agent", `tool_call/agent look c1 "{\"q\":1}"`,
		"tool_result/tool look c1 ok seen", "error/harness error error odd", "message/agent sorry"}, decodetest.Lines(run))
}

// A text that only looks like JSON stays a text.
func TestTextInput(t *testing.T) {
	for text, want := range map[string]string{`[draft] do it`: `[draft] do it`, ` {"query":"do it"}`: "do it", `{`: `{`, `{\"a\":`: `{\"a\":`} {
		quoted, _ := json.Marshal(text)
		run, _ := load(t, `{"id":"o","traceId":"t","startTime":"2026-02-03T10:00:00Z","type":"SPAN","input":`+string(quoted)+`}`)
		assert.Equal(t, []string{"message/user " + want}, decodetest.Lines(run))
	}
}

func TestDetect(t *testing.T) {
	for data, want := range map[string]bool{
		agent: true, "[" + gen1: true, `{"data":[` + look + `]`: true, agent[:140]: true,
		`{"data":[{"id":"t","timestamp":"x","name":"n","public":false,"sessionId":null,"observations":["a"]}]}`: true,
		`{"id":"t","observations":[{"id":"x"}]}`:                false,
		`{"data":[{"id":1,"type":"SPAN"}]}`:                     false,
		`{"traceId":"t","spanId":"s","name":"n","startTime":1}`: false,
		`{"trace_id":"t","id":"x","name":"n","value":1}`:        false,
		`{"data":[]}`: false,
		`[]`:          false,
	} {
		assert.Equal(t, want, langfuse.Format.Detect([]byte(data)), data)
	}
}

const score = `{"id":"s","traceId":"t","observationId":"o","name":"n","value":1,"stringValue":"x","dataType":"BOOLEAN","comment":"c","timestamp":"2026-02-03 11:00:00"}`

func TestWrongTypes(t *testing.T) {
	n := 0
	trace := `{"trace":{"id":"t","timestamp":"2026-02-03T10:00:00Z","latency":1,"public":true,"release":"r","input":"{\"a\":[1]}","observations":[` + look + `],"scores":[` + score + `]}}`
	for _, doc := range []string{gen1, trace, score} {
		for data := range decodetest.Mutations([]byte(doc)) {
			n++
			decodetest.Survives(t, langfuse.Format, data)
		}
	}
	require.Greater(t, n, 500)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("[" + strings.Join([]string{gen2, look, gen1, agent}, ",") + "]"))
	f.Add([]byte(gen1 + "\n" + score))
	f.Add([]byte(`{"data":[` + look + `]}`))
	f.Add([]byte(`{"trace":{"id":"t","input":"[{\"role\":\"user\",\"content\":\"\\u00e9\"}]","observations":[` + agent + `]}}`))
	f.Fuzz(func(t *testing.T, data []byte) { decodetest.Survives(t, langfuse.Format, data) })
}
