package dialect

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bodies are one conversation in each dialect: a system text, a question, a
// call of create_order, and what came back.
var bodies = map[Name]struct{ path, body string }{
	Chat: {"/v1/chat/completions", `{"model":"m","stream":true,"messages":[
		{"role":"system","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"Order a mug."}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"shop__create_order","arguments":"{\"sku\":\"mug\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"{\"id\":7}"}],
		"tools":[{"type":"function","function":{"name":"shop__create_order","parameters":{}}}]}`},
	Responses: {"/v1/responses", `{"model":"m","stream":true,"store":false,"instructions":"Be brief.","input":[
		{"type":"message","role":"user","content":[{"type":"input_text","text":"Order a mug."}]},
		{"type":"reasoning","summary":[]},
		{"type":"function_call","call_id":"c1","name":"create_order","namespace":"mcp__shop","arguments":"{\"sku\":\"mug\"}"},
		{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"{\"id\":7}"}]}],
		"tools":[{"type":"function","name":"shell"},{"type":"namespace","name":"mcp__shop","tools":[{"type":"function","name":"create_order"}]}]}`},
	Messages: {"/v1/messages?beta=true", `{"model":"m","stream":true,"system":[{"type":"text","text":"Be brief."}],"messages":[
		{"role":"user","content":"Order a mug."},
		{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"mcp__shop__create_order","input":{"sku":"mug"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"id\":7}"}],"is_error":true}]}],
		"tools":[{"name":"mcp__shop__create_order","input_schema":{}}]}`},
	Gemini: {"/v1beta/models/m:streamGenerateContent?alt=sse", `{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[
		{"role":"user","parts":[{"text":"Order a mug."}]},
		{"role":"model","parts":[{"functionCall":{"id":"c1","name":"mcp_shop_create_order","args":{"sku":"mug"}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"mcp_shop_create_order","response":{"error":"{\"id\":7}"}}}]}],
		"tools":[{"functionDeclarations":[{"name":"mcp_shop_create_order"}]}]}`},
}

// TestRead: whatever the dialect, the conversation is the same.
func TestRead(t *testing.T) {
	for name, in := range bodies {
		t.Run(string(name), func(t *testing.T) {
			r := httptest.NewRequest("POST", in.path, strings.NewReader(in.body))
			r.Header.Set("Session-Id", "s1")
			routed, ok := Route(r)
			require.True(t, ok)
			require.Equal(t, name, routed)
			q, err := Read(name, r, []byte(in.body))
			require.NoError(t, err)
			require.Equal(t, "m", q.Model)
			require.True(t, q.Stream)
			require.Equal(t, "s1", q.Session)
			require.Equal(t, []string{"Be brief.", "Order a mug."}, q.Texts)
			require.Len(t, q.Calls, 1)
			require.Equal(t, "c1", q.Calls[0].ID)
			require.JSONEq(t, `{"sku":"mug"}`, string(q.Calls[0].Args))
			require.Len(t, q.Results, 1)
			require.Equal(t, "c1", q.Results[0].CallID)
			require.Equal(t, q.Calls[0].Name, q.Results[0].Tool)
			require.JSONEq(t, `{"id":7}`, q.Results[0].Text)
			require.Equal(t, name == Messages || name == Gemini, q.Results[0].Error, "two dialects have a flag")
			last := q.Tools[len(q.Tools)-1]
			require.Contains(t, last.Namespace+last.Name, "create_order")
		})
	}
}

// TestGeminiWithoutIDs: calls and results that carry no id pair by their place.
func TestGeminiWithoutIDs(t *testing.T) {
	body := `{"contents":[
		{"parts":[{"functionCall":{"name":"f","args":{"n":1}}},{"functionCall":{"name":"f","args":{"n":2}}}]},
		{"parts":[{"functionResponse":{"name":"f","response":{"output":"one"}}},{"functionResponse":{"name":"f","response":{"a":2}}}]}]}`
	q, err := Read(Gemini, httptest.NewRequest("POST", "/v1beta/models/m:generateContent", nil), []byte(body))
	require.NoError(t, err)
	require.False(t, q.Stream)
	require.Equal(t, q.Calls[0].ID, q.Results[0].CallID)
	require.Equal(t, q.Calls[1].ID, q.Results[1].CallID)
	require.NotEqual(t, q.Calls[0].ID, q.Calls[1].ID)
	require.Equal(t, "one", q.Results[0].Text)
	require.JSONEq(t, `{"a":2}`, q.Results[1].Text)
}

func TestReadRefuses(t *testing.T) {
	for name := range bodies {
		for _, bad := range []string{"", "[]", "{", `{"messages":1,"input":[1],"contents":1}`, strings.Repeat("[", 20_000)} {
			_, err := Read(name, httptest.NewRequest("POST", "/", nil), []byte(bad))
			require.ErrorIs(t, err, ErrRequest, "%s: %.20q", name, bad)
		}
	}
	_, err := Read("telex", httptest.NewRequest("POST", "/", nil), []byte("{}"))
	require.ErrorIs(t, err, ErrRequest)
	for _, other := range []string{"/v1/embeddings", "/", "/v1/messages/count_tokens"} {
		_, ok := Route(httptest.NewRequest("POST", other, nil))
		require.False(t, ok, other)
	}
}

func FuzzRead(f *testing.F) {
	names := []Name{Chat, Responses, Messages, Gemini}
	for i, n := range names {
		f.Add(i, []byte(bodies[n].body))
	}
	f.Fuzz(func(t *testing.T, i int, body []byte) {
		name := names[(i%4+4)%4]
		q, err := Read(name, httptest.NewRequest("POST", "/v1beta/models/m:generateContent", nil), body)
		if err == nil && q.Dialect != name {
			t.Fatalf("read as %s", q.Dialect)
		}
	})
}
