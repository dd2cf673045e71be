package span_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/span"
)

// attrs makes attributes of names and values; values are texts.
func attrs(pairs ...string) (out []span.Attr) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, span.Attr{Key: pairs[i], Value: span.Text(nil, pairs[i], []byte(pairs[i+1]))})
	}
	return out
}

// run brings spans of one trace into a store and loads it.
func run(t testing.TB, spans ...span.Span) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	b := decodetest.New()
	f := decode.Format{Name: "spans", Version: 1, Grade: span.Grade, Derives: true, Decode: func(_ *decode.Input, w *decode.Writer) error {
		d := span.NewDecoder(w)
		defer d.Close()
		for i := range spans {
			s := spans[i]
			if s.Trace == "" {
				s.Trace = "t1"
			}
			if s.Start == 0 {
				s.Start, s.End = uint64(1767225600+i*10)*1e9, uint64(1767225605+i*10)*1e9
			}
			fault, err := d.Take(&s, 1, int64(i), 1)
			require.NoError(t, err)
			require.NoError(t, fault)
		}
		return nil
	}}
	r := b.Again(t, f, "spans", []byte(strings.Repeat("x", len(spans))))
	return b.Run(t, r), r
}

func said(r *ingest.Run) (out []string) {
	for i := range r.Events {
		e := &r.Events[i]
		s := fmt.Sprintf("%s/%s", e.Kind, e.Actor)
		for _, v := range []string{e.Name, e.Call, string(e.Outcome), string(e.Reason), r.Text(e)} {
			if v != "" {
				s += " " + v
			}
		}
		out = append(out, s)
	}
	return out
}

// TestRendering: one form whatever the order of attributes.
func TestRendering(t *testing.T) {
	s := span.Span{Trace: "0a", ID: "0b", Parent: "0c", Name: "n", Kind: "client", Start: 1, End: 2, Status: "error", Message: "m",
		Attrs:  attrs("l.10.x", "a", "l.9.x", `{"k": [1]}`, "l.9.content", `{"k":1}`, "cut", `{"k":`),
		Events: []span.Event{{Name: "e", Time: 3, Attrs: attrs("a", "b")}}, Links: []span.Link{{Trace: "1a", ID: "1b"}},
		Resource: []byte(`{"service.name":"s"}`), Scope: []byte(`{}`), Dropped: 2}
	assert.Equal(t, `{"traceId":"0a","spanId":"0b","parentSpanId":"0c","name":"n","kind":"client","start":"1","end":"2","status":"error","message":"m","dropped":2,`+
		`"attributes":{"cut":"{\"k\":","l.9.content":"{\"k\":1}","l.9.x":{"k": [1]},"l.10.x":"a"},`+
		`"events":[{"name":"e","time":"3","attributes":{"a":"b"}}],"links":[{"traceId":"1a","spanId":"1b","attributes":{}}],"resource":{"service.name":"s"},"scope":{}}`,
		string(s.Append(nil)))
	assert.Equal(t, `"NaN"`, string(span.Float(nil, nan())))
	assert.Equal(t, `"x\ufffd"`, strings.ReplaceAll(string(span.Quote(nil, []byte("x\xff"))), "\ufffd", `\ufffd`))
}

func nan() float64 { zero := 0.0; return zero / zero }

// TestShapes reads one conversation in the words of every convention.
func TestShapes(t *testing.T) {
	want := []string{"message/harness be brief", "message/user hi", "message/agent calling", "tool_call/agent f c1", "tool_result/tool f c1 ok 7",
		"model_call/agent", "message/agent done"}
	for name, a := range map[string][]span.Attr{
		"genai": attrs("gen_ai.operation.name", "chat", "gen_ai.system_instructions", `[{"type":"text","content":"be brief"}]`,
			"gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"hi"}]},{"role":"assistant","parts":[{"type":"text","content":"calling"},{"type":"tool_call","id":"c1","name":"f","arguments":{"a":1}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","name":"f","result":"7"}]}]`,
			"gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"done"}],"finish_reason":"stop"}]`),
		"openinference": attrs("openinference.span.kind", "LLM", "llm.input_messages.0.message.role", "system", "llm.input_messages.0.message.content", "be brief",
			"llm.input_messages.1.message.role", "user", "llm.input_messages.1.message.contents.0.message_content.type", "text", "llm.input_messages.1.message.contents.0.message_content.text", "hi",
			"llm.input_messages.2.message.role", "assistant", "llm.input_messages.2.message.content", "calling", "llm.input_messages.2.message.tool_calls.0.tool_call.id", "c1",
			"llm.input_messages.2.message.tool_calls.0.tool_call.function.name", "f", "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments", `{"a":1}`,
			"llm.input_messages.3.message.role", "tool", "llm.input_messages.3.message.tool_call_id", "c1", "llm.input_messages.3.message.name", "f", "llm.input_messages.3.message.content", "7",
			"llm.output_messages.0.message.role", "assistant", "llm.output_messages.0.message.content", "done", "input.value", "ignored"),
		"openllmetry": attrs("llm.request.type", "chat", "gen_ai.prompt.0.role", "system", "gen_ai.prompt.0.content", "be brief", "gen_ai.prompt.1.role", "user", "gen_ai.prompt.1.content", "hi",
			"gen_ai.prompt.2.role", "assistant", "gen_ai.prompt.2.content", "calling", "gen_ai.prompt.2.tool_calls.0.id", "c1", "gen_ai.prompt.2.tool_calls.0.name", "f", "gen_ai.prompt.2.tool_calls.0.arguments", `{"a":1}`,
			"gen_ai.prompt.3.role", "tool", "gen_ai.prompt.3.tool_call_id", "c1", "gen_ai.prompt.3.name", "f", "gen_ai.prompt.3.content", "7",
			"gen_ai.completion.0.role", "assistant", "gen_ai.completion.0.content", "done", "gen_ai.completion.0.finish_reason", "stop"),
		"ai sdk": attrs("ai.operationId", "ai.streamText.doStream", "ai.prompt.messages",
			`[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"text","text":"calling"},{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{"a":1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f","output":"7"}]}]`,
			"ai.response.text", "done"),
		"langchain": attrs("openinference.span.kind", "LLM", "input.value",
			`{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","SystemMessage"],"kwargs":{"content":"be brief","type":"system"}},{"lc":1,"type":"constructor","id":["x","HumanMessage"],"kwargs":{"content":"hi","type":"human"}},{"lc":1,"type":"constructor","id":["x","AIMessage"],"kwargs":{"content":"calling","type":"ai","tool_calls":[{"name":"f","args":{"a":1},"id":"c1","type":"tool_call"}]}},{"lc":1,"type":"constructor","id":["x","ToolMessage"],"kwargs":{"content":"7","type":"tool","name":"f","tool_call_id":"c1"}}]]}`,
			"output.value", `{"generations":[[{"text":"done","message":{"kwargs":{"content":"done","type":"ai"}}}]]}`),
		"anthropic": attrs("langfuse.observation.type", "generation", "langfuse.observation.input",
			`{"system":"be brief","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"calling"},{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","name":"f","content":"7"}]}]}`,
			"langfuse.observation.output", "done"),
		"gemini": attrs("langsmith.span.kind", "llm", "gen_ai.prompt",
			`[{"role":"system","parts":[{"text":"be brief"}]},{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"calling"},{"function_call":{"id":"c1","name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"function_response":{"id":"c1","name":"f","response":"7"}}]}]`,
			"gen_ai.completion", `{"role":"model","parts":[{"text":"done"}]}`),
		"transcript": attrs("gen_ai.operation.name", "chat", "events",
			`[{"content":"be brief","role":"system","event.name":"gen_ai.system.message"},{"content":"hi","role":"user","event.name":"gen_ai.user.message"},{"role":"assistant","content":"calling","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":{"a":1}}}],"event.name":"gen_ai.assistant.message"},{"content":"7","role":"tool","id":"c1","name":"f","event.name":"gen_ai.tool.message"},{"index":0,"message":{"role":"assistant","content":"done"},"event.name":"gen_ai.choice"}]`),
	} {
		r, _ := run(t, span.Span{ID: "s1", Attrs: a})
		assert.Equal(t, want, said(r), name)
		assert.Len(t, r.Executions(), 1, name)
	}
}

// TestOutcome: the class of an error first, then its words; then the envelope.
func TestOutcome(t *testing.T) {
	for want, a := range map[string][]string{
		"ok":                  {"gen_ai.tool.call.result", "fine"},
		"fail error":          {"!", "no seats", "error.type", "tool_error"},
		"fail error ":         {"gen_ai.tool.call.result", `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		"fail error  ":        {"!", "request timed out inside", "error.type", "tool_error"},
		"unknown timed_out":   {"!", "x", "error.type", "TimeoutError"},
		"unknown timed_out ":  {"!", "", "rpc.response.status_code", "DEADLINE_EXCEEDED"},
		"unknown lost":        {"!", "x", "error.type", "ConnectionResetError"},
		"unknown interrupted": {"!", "", "error.type", "asyncio.CancelledError"},
		"fail rejected":       {"!", "bad", "rpc.response.status_code", "-32602"},
		"fail error   ":       {"!", "connect ECONNREFUSED 127.0.0.1", "error.type", "Error"},
		"unknown lost ":       {"!", "read ECONNRESET", "error.type", "Error"},
		"fail denied":         {"!", "The user doesn't want to proceed"},
	} {
		s := span.Span{ID: "s1", Attrs: attrs("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "f")}
		if a[0] == "!" {
			s.Status, s.Message, a = "error", a[1], a[2:]
		}
		s.Attrs = append(s.Attrs, attrs(a...)...)
		r, _ := run(t, s)
		x := r.Executions()
		require.Len(t, x, 1)
		assert.Equal(t, strings.TrimSpace(want), strings.TrimSpace(string(x[0].Outcome)+" "+string(x[0].Reason)), want)
	}
}

// TestUsage: input includes the cache; what does not add up is flagged.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		attrs []string
		want  ingest.Usage
	}{
		{[]string{"gen_ai.usage.input_tokens", "50", "gen_ai.usage.output_tokens", "9", "gen_ai.usage.cache_read.input_tokens", "20", "gen_ai.usage.cache_creation.input_tokens", "5", "gen_ai.usage.reasoning.output_tokens", "4"},
			ingest.Usage{InputUncached: 25, CacheRead: 20, CacheWrite5m: 5, Output: 9, Reasoning: 4}},
		{[]string{"llm.token_count.prompt", "8", "llm.token_count.completion", "2", "llm.token_count.total", "11", "llm.cost.total", "0.25"},
			ingest.Usage{InputUncached: 8, Output: 2, Cost: 0.25, Violation: true}},
		{[]string{"gen_ai.usage.input_tokens", "3", "gen_ai.usage.cache_read.input_tokens", "7"}, ingest.Usage{CacheRead: 7, Violation: true}},
		{[]string{"gen_ai.usage.input_tokens", "NaN"}, ingest.Usage{}},
	} {
		r, _ := run(t, span.Span{ID: "s1", Attrs: append(attrs("gen_ai.operation.name", "chat"), attrs(c.attrs...)...)})
		assert.Equal(t, c.want, r.Usage(), c.attrs)
	}
}

// TestClock: broken clocks give no time, or one that is inferred, never an order
// in which a result comes before its call.
func TestClock(t *testing.T) {
	tool := attrs("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "f")
	for name, c := range map[string]struct {
		start, end uint64
		want       [2]ingest.TimeQuality
	}{
		"good":             {1767225600e9, 1767225601e9, [2]ingest.TimeQuality{ingest.Exact, ingest.Exact}},
		"end before start": {1767225600e9, 1767225500e9, [2]ingest.TimeQuality{ingest.Exact, ingest.Inferred}},
		"end beyond":       {1767225600e9, 1<<64 - 1, [2]ingest.TimeQuality{ingest.Exact, ingest.Inferred}},
		"both beyond":      {1 << 63, 1<<64 - 1, [2]ingest.TimeQuality{ingest.NoTime, ingest.NoTime}},
		"start beyond":     {1 << 63, 1767225601e9, [2]ingest.TimeQuality{ingest.Inferred, ingest.Exact}},
	} {
		r, _ := run(t, span.Span{ID: "s1", Start: c.start, End: c.end, Attrs: tool})
		assert.Equal(t, []string{"tool_call/harness f s1", "tool_result/tool f s1 ok"}, said(r), name)
		assert.Equal(t, c.want, [2]ingest.TimeQuality{r.Events[0].Quality, r.Events[1].Quality}, name)
		assert.False(t, r.Events[1].At.Before(r.Events[0].At), name)
	}
}

// Cycles of parents end; so does a chain of any depth.
func TestTrees(t *testing.T) {
	tool := func(id, parent, name string) span.Span {
		return span.Span{ID: id, Parent: parent, Attrs: attrs("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", name)}
	}
	r, receipt := run(t, tool("a", "b", "f"), tool("b", "c", "g"), tool("c", "a", "h"), tool("d", "d", "f"))
	assert.Len(t, r.Executions(), 4)
	assert.Zero(t, receipt.Collapsed)
	var deep []span.Span
	for i := range 3000 {
		deep = append(deep, tool(fmt.Sprint("s", i+1), fmt.Sprint("s", i), fmt.Sprint("f", i)))
	}
	r, _ = run(t, deep...)
	assert.Len(t, r.Executions(), 3000)
}

// TestHistory: what is said twice is told twice, what is repeated once.
func TestHistory(t *testing.T) {
	chat := func(id, in, out string) span.Span {
		return span.Span{ID: id, Attrs: attrs("gen_ai.operation.name", "chat", "gen_ai.response.id", "r"+id, "gen_ai.input.messages", in, "gen_ai.output.messages", out)}
	}
	yes, ok := `{"role":"user","content":"yes"}`, `{"role":"assistant","content":"ok"}`
	r, _ := run(t, chat("1", "["+yes+"]", "["+ok+"]"), chat("2", "["+yes+","+ok+","+yes+"]", "["+ok+"]"), chat("3", "["+yes+","+ok+","+yes+","+ok+","+yes+"]", "["+ok+"]"))
	assert.Equal(t, []string{"message/user yes", "model_call/agent", "message/agent ok", "message/user yes", "model_call/agent", "message/agent ok",
		"message/user yes", "model_call/agent", "message/agent ok"}, said(r))
	assert.Len(t, r.Episodes(), 3)

	// A conversation that the provider keeps: requests hold news only.
	r, _ = run(t, chat("1", "["+yes+"]", "["+ok+"]"), chat("2", `[{"role":"user","content":"more"}]`, "["+ok+"]"))
	assert.Equal(t, []string{"message/user yes", "model_call/agent", "message/agent ok", "message/user more", "model_call/agent", "message/agent ok"}, said(r))
}

func FuzzTake(f *testing.F) {
	f.Add("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"x"}]}]`, "gen_ai.operation.name", "chat")
	f.Add("llm.input_messages.0.message.tool_calls.0.tool_call.id", "c", "openinference.span.kind", "LLM")
	f.Add("input.value", `{"input_str":"x","kwargs":{"tool_call_id":"c"},"inputs":{}}`, "openinference.span.kind", "TOOL")
	f.Add("ai.prompt", `{"system":"s","prompt":"p","messages":[[{"lc":1,"id":["AIMessage"],"kwargs":{"content":[{"type":"tool_use"}]}}]]}`, "ai.operationId", "ai.generateText")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		r, _ := run(t, span.Span{ID: "s1", Attrs: attrs(k1, v1, k2, v2), Events: []span.Event{{Name: "gen_ai.choice", Attrs: attrs(k1, v1)}, {Name: "exception", Attrs: attrs(k2, v2)}}})
		r.Executions()
		r.Episodes()
		r.Usage()
	})
}
