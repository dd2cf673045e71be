package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Tool is a tool that a server lists.
type Tool struct {
	Name, Description string
	Schema            jsontext.Value // of the arguments; any object where it is absent
	Task              bool           // a client that knows tasks gets one
}

// Call is one tools/call.
type Call struct {
	Server, Tool string
	Args         jsontext.Value // an object; absent arguments are {}
	Meta         jsontext.Value // params._meta, or nil
	Request      string         // the JSON-RPC id
}

// Answer is what becomes of a call.
type Answer struct {
	Text       string
	Structured jsontext.Value // or nil
	Error      bool           // isError: the tool failed
	Unknown    bool           // there is no such tool: a protocol error
	Lost       bool           // no reply is ever sent
	Close      bool           // the connection ends without a reply
	Twice      bool           // the reply is sent twice
	Delay      time.Duration  // before the reply; the call is not held up by it
	// After runs when the last byte of the reply was handed over; nil for none.
	After func()
}

// Server is one MCP server. Its zero value with a Call serves no tools.
type Server struct {
	Name  string
	Tools []Tool
	Call  func(context.Context, Call) Answer

	mu       sync.Mutex
	tasks    map[string]*task
	sessions int
}

// The versions that are spoken, newest last; a client that asks for another
// gets the newest.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// The codes of JSON-RPC that are used.
const (
	parseError     = -32700
	invalidRequest = -32600
	unknownMethod  = -32601
	invalidParams  = -32602
)

// message is a JSON-RPC message in either direction.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method,omitzero"`
	Params  jsontext.Value `json:"params,omitzero"`
	Result  any            `json:"result,omitzero"`
	Error   *rpcError      `json:"error,omitzero"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type object = map[string]any

func failed(code int, format string, args ...any) *rpcError {
	return &rpcError{code, fmt.Sprintf(format, args...)}
}

func encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// parse reads one message. A batch is none.
func parse(data []byte) (message, *rpcError) {
	var m message
	if v := jsontext.Value(data); !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return m, failed(parseError, "no JSON")
	} else if v.Kind() != '{' {
		return m, failed(invalidRequest, "batches are not served")
	}
	err := json.Unmarshal(data, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil || m.Version != "2.0" {
		return m, failed(invalidRequest, "no JSON-RPC 2.0 message")
	}
	return m, nil
}

// asks reports that a message wants a reply.
func (m message) asks() bool { return m.Method != "" && len(m.ID) > 0 && m.ID.Kind() != 'n' }

// outcome is the reply to a message and how it is to be sent.
type outcome struct {
	reply  message
	answer Answer
}

// handle serves one request.
func (s *Server) handle(ctx context.Context, m message) outcome {
	out := outcome{reply: message{Version: "2.0", ID: m.ID}}
	switch m.Method {
	case "initialize":
		out.reply.Result = s.initialize(m.Params)
	case "ping", "logging/setLevel":
		out.reply.Result = object{}
	case "tools/list":
		out.reply.Result = object{"tools": s.list()}
	case "tools/call":
		return s.call(ctx, m)
	case "resources/list", "resources/templates/list", "prompts/list":
		out.reply.Result = object{"resources": []any{}, "resourceTemplates": []any{}, "prompts": []any{}}
	case "tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update":
		out.reply.Result, out.reply.Error = s.taskMethod(m)
	default:
		out.reply.Error = failed(unknownMethod, "no method %q", m.Method)
	}
	return out
}

func (s *Server) initialize(params jsontext.Value) object {
	var in struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &in, jsontext.AllowDuplicateNames(true)) // without a version the newest is offered
	version := versions[len(versions)-1]
	if slices.Contains(versions, in.Version) {
		version = in.Version
	}
	capabilities := object{"tools": object{"listChanged": false}}
	if slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.Task }) {
		capabilities["tasks"] = object{"list": object{}, "cancel": object{}, "requests": object{"tools": object{"call": object{}}}}
		capabilities["extensions"] = object{tasksExtension: object{}}
	}
	return object{"protocolVersion": version, "capabilities": capabilities, "serverInfo": object{"name": s.Name, "version": "1"}}
}

func (s *Server) list() []any {
	out := []any{}
	for _, t := range s.Tools {
		entry := object{"name": t.Name, "description": t.Description, "inputSchema": object{"type": "object"}}
		if len(t.Schema) > 0 {
			entry["inputSchema"] = t.Schema
		}
		if t.Task {
			entry["execution"] = object{"taskSupport": "optional"}
		}
		out = append(out, entry)
	}
	return out
}

// callParams are those of tools/call.
type callParams struct {
	Name string         `json:"name"`
	Args jsontext.Value `json:"arguments"`
	Meta jsontext.Value `json:"_meta"`
	Task *struct {
		TTL *int64 `json:"ttl"`
	} `json:"task"`
}

func (s *Server) call(ctx context.Context, m message) outcome {
	out := outcome{reply: message{Version: "2.0", ID: m.ID}}
	var p callParams
	if err := json.Unmarshal(m.Params, &p, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil || p.Name == "" {
		out.reply.Error = failed(invalidParams, "tools/call wants name and arguments")
		return out
	}
	if len(p.Args) == 0 || p.Args.Kind() == 'n' {
		p.Args = jsontext.Value("{}")
	}
	out.answer = s.Call(ctx, Call{Server: s.Name, Tool: p.Name, Args: p.Args, Meta: p.Meta, Request: string(m.ID)})
	switch a := out.answer; {
	case a.Unknown:
		out.reply.Error = failed(invalidParams, "unknown tool %q: %s", p.Name, a.Text)
	case s.offersTask(p):
		out.reply.Result = s.start(p, a)
	default:
		out.reply.Result = a.result()
	}
	return out
}

// result is a call's result.
func (a Answer) result() object {
	r := object{"content": []any{object{"type": "text", "text": a.Text}}, "isError": a.Error}
	if len(a.Structured) > 0 {
		r["structuredContent"] = a.Structured
	}
	return r
}
