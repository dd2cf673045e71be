package world

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/regress/replay/mcp"
	"github.com/faultline-dev/faultline/regress/script"
)

// overHTTP serves one server of the Model Context Protocol.
func (w *World) overHTTP(rw http.ResponseWriter, r *http.Request, name string, body []byte) {
	s := w.servers[name]
	w.mu.Lock()
	gone := w.gone(connOf(r.Context()).session)
	if s == nil && !gone {
		w.fail(Unanswerable, "request to the MCP server "+clip(name), "server: the script names "+w.serverNames())
	}
	w.mu.Unlock()
	switch {
	case gone:
		panic(http.ErrAbortHandler)
	case s == nil:
		http.Error(rw, "replay: no such MCP server", http.StatusNotFound)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.ServeHTTP(rw, r)
}

func (w *World) serverNames() string {
	var names []string
	for i := range w.script.Tools {
		if t := &w.script.Tools[i]; t.Via == script.MCP {
			names = append(names, t.Server)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// callMCP answers a call of a tool.
func (w *World) callMCP(ctx context.Context, c mcp.Call) mcp.Answer {
	i := w.toolOf(c.Server, c.Tool)
	if i < 0 {
		w.mu.Lock()
		w.fail(Unanswerable, fmt.Sprintf("call of %s at the MCP server %s", clip(c.Tool), clip(c.Server)), "tools: the server has none of that name")
		w.mu.Unlock()
		return mcp.Answer{Text: "the script has none of that name", Unknown: true}
	}
	a := w.dispatch(delivery{
		tool: &w.script.Tools[i], args: object(c.Args), request: c.Request, callID: callID(c.Meta), key: metaKey(c.Meta), conn: connOf(ctx),
	})
	out := mcp.Answer{Text: a.say(), Error: a.failed(), Lost: a.lost, Delay: a.delay, Close: a.dies}
	if a.after {
		out.After = w.kill
	}
	if a.body != nil && !a.failed() {
		out.Structured = encode(a.body)
	}
	return out
}

func (w *World) toolOf(server, name string) int {
	for i := range w.script.Tools {
		if t := &w.script.Tools[i]; t.Via == script.MCP && t.Server == server && t.Name == name {
			return i
		}
	}
	return -1
}

// callID is the model's call id, where a harness hands it on.
func callID(meta jsontext.Value) string {
	m := object(meta)
	for _, name := range []string{"callId", "call_id", "toolCallId", "tool_call_id", "claudecode/toolUseId"} {
		if s, ok := m[name].(string); ok {
			return s
		}
	}
	return ""
}

func metaKey(meta jsontext.Value) string {
	m := object(meta)
	for _, name := range []string{"idempotencyKey", "idempotency_key", "Idempotency-Key"} {
		if s, ok := m[name].(string); ok {
			return s
		}
	}
	return ""
}

// schema is that of a tool's arguments; without one its identity names some.
func schema(t *script.Tool) jsontext.Value {
	if len(t.Schema) > 0 {
		return t.Schema
	}
	properties := args{}
	for _, n := range t.Identity {
		properties[n] = args{}
	}
	return encode(args{"type": "object", "properties": properties})
}
