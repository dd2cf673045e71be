package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// stage is a world with its listeners.
type stage struct {
	*World
	model, tools, control string
}

func open(t testing.TB, text string, o Options) *stage {
	t.Helper()
	s, err := script.Parse("test.json", []byte(text))
	require.NoError(t, err)
	w, err := New(s, o)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	st := &stage{World: w}
	listen := func(serve func(net.Listener)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		serve(l)
		return l.Addr().String()
	}
	st.model, st.tools, st.control = "http://"+listen(w.ServeModel), "http://"+listen(w.ServeTools), listen(w.ServeControl)
	return st
}

// turn is a piece of a client's history.
type piece struct {
	said   string
	user   bool
	call   *dialect.Call
	result *dialect.Result
}

// client is a small harness: it asks in a dialect and carries calls out by HTTP.
type client struct {
	t       testing.TB
	st      *stage
	name    dialect.Name
	offers  []dialect.Offer
	history []piece
	rewrite bool          // ids of its own
	timeout time.Duration // of a tool; 0: 2 s
	resend  int           // how often a tool's wrapper sends again after no answer
	http    *http.Client
}

func (st *stage) client(t testing.TB, name dialect.Name, offers ...string) *client {
	c := &client{t: t, st: st, name: name, http: &http.Client{Transport: &http.Transport{}}}
	for _, o := range offers {
		space, own, ok := strings.Cut(o, " ")
		if !ok {
			space, own = "", o
		}
		c.offers = append(c.offers, dialect.Offer{Name: own, Namespace: space})
	}
	t.Cleanup(c.http.CloseIdleConnections)
	c.history = append(c.history, piece{said: st.script.Prompt, user: true})
	return c
}

type m = map[string]any

var paths = map[dialect.Name]string{dialect.Chat: "/v1/chat/completions", dialect.Responses: "/v1/responses",
	dialect.Messages: "/v1/messages", dialect.Gemini: "/v1beta/models/g:generateContent"}

// body is a request in the client's dialect.
func (c *client) body() []byte {
	var list, tools []any
	for _, p := range c.history {
		list = append(list, c.piece(p))
	}
	for _, o := range c.offers {
		tools = append(tools, c.offer(o))
	}
	out := m{"model": "m"}
	switch c.name {
	case dialect.Responses:
		out["input"], out["tools"] = list, tools
	case dialect.Gemini:
		out["contents"] = list
		if len(tools) > 0 {
			out["tools"] = []any{m{"functionDeclarations": tools}}
		}
	default:
		out["messages"], out["tools"] = list, tools
	}
	data, err := json.Marshal(out, json.Deterministic(true))
	require.NoError(c.t, err)
	return data
}

func (c *client) offer(o dialect.Offer) any {
	switch {
	case c.name == dialect.Chat:
		return m{"type": "function", "function": m{"name": o.Name}}
	case c.name == dialect.Responses && o.Namespace != "":
		return m{"type": "namespace", "name": o.Namespace, "tools": []any{m{"type": "function", "name": o.Name}}}
	case c.name == dialect.Responses:
		return m{"type": "function", "name": o.Name}
	}
	return m{"name": o.Name}
}

func (c *client) piece(p piece) any {
	role := "assistant"
	if p.user {
		role = "user"
	}
	switch c.name {
	case dialect.Chat:
		switch {
		case p.call != nil:
			return m{"role": role, "tool_calls": []any{m{"id": p.call.ID, "type": "function", "function": m{"name": p.call.Name, "arguments": string(p.call.Args)}}}}
		case p.result != nil:
			return m{"role": "tool", "tool_call_id": p.result.CallID, "content": p.result.Text}
		}
		return m{"role": role, "content": p.said}
	case dialect.Responses:
		switch {
		case p.call != nil:
			return m{"type": "function_call", "call_id": p.call.ID, "name": p.call.Name, "namespace": p.call.Namespace, "arguments": string(p.call.Args)}
		case p.result != nil:
			return m{"type": "function_call_output", "call_id": p.result.CallID, "output": p.result.Text}
		}
		return m{"type": "message", "role": role, "content": p.said}
	case dialect.Messages:
		switch {
		case p.call != nil:
			return m{"role": role, "content": []any{m{"type": "tool_use", "id": p.call.ID, "name": p.call.Name, "input": p.call.Args}}}
		case p.result != nil:
			return m{"role": "user", "content": []any{m{"type": "tool_result", "tool_use_id": p.result.CallID, "content": p.result.Text, "is_error": p.result.Error}}}
		}
		return m{"role": role, "content": p.said}
	}
	var part any = m{"text": p.said}
	switch {
	case p.call != nil && c.rewrite:
		part = m{"functionCall": m{"name": p.call.Name, "args": p.call.Args}}
	case p.call != nil:
		part = m{"functionCall": m{"id": p.call.ID, "name": p.call.Name, "args": p.call.Args}}
	case p.result != nil:
		r := m{"id": p.result.CallID, "name": p.result.Tool, "response": m{"output": p.result.Text}}
		if c.rewrite {
			delete(r, "id")
		}
		part = m{"functionResponse": r}
	}
	return m{"role": role, "parts": []any{part}}
}

// ask sends the history and reads what the model says.
func (c *client) ask() (said string, calls []dialect.Call, err error) {
	resp, err := c.http.Post(c.st.model+paths[c.name], "application/json", bytes.NewReader(c.body()))
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return "", nil, fmt.Errorf("%s: %s", resp.Status, data)
	}
	said, calls = c.read(data)
	if said != "" {
		c.history = append(c.history, piece{said: said})
	}
	for i := range calls {
		c.history = append(c.history, piece{call: &calls[i]})
	}
	return said, calls, nil
}

func (c *client) read(data []byte) (said string, calls []dialect.Call) {
	var in struct {
		Choices []struct {
			Message struct {
				Content   string `json:"content"`
				ToolCalls []struct {
					ID       string `json:"id"`
					Function struct {
						Name      string `json:"name"`
						Arguments string `json:"arguments"`
					} `json:"function"`
				} `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
		Output []struct {
			Type      string `json:"type"`
			CallID    string `json:"call_id"`
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
			Arguments string `json:"arguments"`
			Content   []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"output"`
		Content []struct {
			Type  string         `json:"type"`
			Text  string         `json:"text"`
			ID    string         `json:"id"`
			Name  string         `json:"name"`
			Input jsontext.Value `json:"input"`
		} `json:"content"`
		Candidates []struct {
			Content struct {
				Parts []struct {
					Text string `json:"text"`
					Call *struct {
						ID   string         `json:"id"`
						Name string         `json:"name"`
						Args jsontext.Value `json:"args"`
					} `json:"functionCall"`
				} `json:"parts"`
			} `json:"content"`
		} `json:"candidates"`
	}
	require.NoError(c.t, json.Unmarshal(data, &in), string(data))
	for _, x := range in.Choices {
		said += x.Message.Content
		for _, k := range x.Message.ToolCalls {
			calls = append(calls, dialect.Call{ID: k.ID, Name: k.Function.Name, Args: jsontext.Value(k.Function.Arguments)})
		}
	}
	for _, x := range in.Output {
		for _, p := range x.Content {
			said += p.Text
		}
		if x.Type == "function_call" {
			calls = append(calls, dialect.Call{ID: x.CallID, Name: x.Name, Namespace: x.Namespace, Args: jsontext.Value(x.Arguments)})
		}
	}
	for _, x := range in.Content {
		said += x.Text
		if x.Type == "tool_use" {
			calls = append(calls, dialect.Call{ID: x.ID, Name: x.Name, Args: x.Input})
		}
	}
	for _, x := range in.Candidates {
		for _, p := range x.Content.Parts {
			said += p.Text
			if p.Call != nil {
				calls = append(calls, dialect.Call{ID: p.Call.ID, Name: p.Call.Name, Args: p.Call.Args})
			}
		}
	}
	return said, calls
}

// result is what a tool came to.
func (c *client) result(call dialect.Call, text string) {
	c.history = append(c.history, piece{result: &dialect.Result{CallID: call.ID, Tool: call.Name, Text: text}})
}

// orders are the routes of the shop.
var orders = map[string][2]string{"create_order": {"POST", "/http/shop/orders"}, "find_orders": {"GET", "/http/shop/orders"}}

func (c *client) own(name string) string {
	for own := range orders {
		if strings.HasSuffix(name, own) {
			return own
		}
	}
	return name
}

var errNoAnswer = errors.New("request timed out")

// send carries a call out once.
func (c *client) send(name string, body []byte) (string, error) {
	timeout := c.timeout
	if timeout == 0 {
		timeout = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	route := orders[c.own(name)]
	url := c.st.tools + route[1]
	if route[0] == "GET" {
		for name, v := range object(body) {
			url += "?" + name + "=" + text(v)
		}
		body = nil
	}
	req, err := http.NewRequestWithContext(ctx, route[0], url, bytes.NewReader(body))
	require.NoError(c.t, err)
	resp, err := c.http.Do(req)
	if err != nil {
		return "", errNoAnswer
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", errNoAnswer
	}
	return string(data), nil
}

// carry carries a call out as its wrapper does and keeps the result.
func (c *client) carry(call dialect.Call) {
	text, err := c.send(call.Name, call.Args)
	for n := 0; err != nil && n < c.resend; n++ {
		text, err = c.send(call.Name, call.Args)
	}
	if err != nil {
		text = "Error: " + err.Error()
	}
	c.result(call, text)
}

// run loops until the model makes no more calls.
func (c *client) run() (said string, err error) {
	for range 50 {
		said, calls, err := c.ask()
		if err != nil || len(calls) == 0 {
			return said, err
		}
		for _, call := range calls {
			c.carry(call)
		}
	}
	return "", errors.New("no end")
}

// kinds is the ledger in short: what happened, to what, and how.
func (st *stage) kinds() []string {
	var out []string
	for _, e := range st.Ledger() {
		s := string(e.Kind)
		for _, x := range []string{e.Tool, e.Outcome, string(e.Fault), e.By} {
			if x != "" {
				s += " " + x
			}
		}
		if e.Kind == "model-request" || e.Kind == Side {
			s += ": " + e.Text
		}
		out = append(out, s)
	}
	return out
}

func (st *stage) effects() (n int) {
	for _, e := range st.Ledger() {
		if e.Kind == "effect" {
			n++
		}
	}
	return n
}
