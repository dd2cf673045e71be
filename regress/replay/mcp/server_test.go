package mcp

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// shop has a tool whose answers a test decides by its name.
func shop(answers map[string]Answer) *Server {
	s := &Server{Name: "shop", Tools: []Tool{{Name: "create_order", Description: "Order.", Task: true}}}
	s.Call = func(_ context.Context, c Call) Answer {
		if c.Tool != "create_order" {
			return Answer{Unknown: true, Text: "not sold here"}
		}
		var args struct {
			SKU string `json:"sku"`
		}
		_ = json.Unmarshal(c.Args, &args)
		if a, ok := answers[args.SKU]; ok {
			return a
		}
		return Answer{Text: `{"id":7}`, Structured: jsontext.Value(`{"id":7}`)}
	}
	for name := range answers {
		s.Tools[0].Description += " " + name
	}
	return s
}

// connections are a client of the official SDK on each transport.
func connections(t *testing.T, s *Server) map[string]sdk.Transport {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.ServeConn(ctx, there)
		there.Close()
	}()
	t.Cleanup(func() { cancel(); here.Close(); <-ended })
	return map[string]sdk.Transport{
		"http":  &sdk.StreamableClientTransport{Endpoint: srv.URL, MaxRetries: -1},
		"stdio": &sdk.IOTransport{Reader: here, Writer: here},
	}
}

// TestOfficialClient: the client of the official SDK lists and calls tools on
// both transports, and is told of failures in the protocol's two ways.
func TestOfficialClient(t *testing.T) {
	s := shop(map[string]Answer{"sold out": {Text: "sold out", Error: true}, "twice": {Text: "once", Twice: true}})
	for name, transport := range connections(t, s) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, transport, nil)
			require.NoError(t, err)
			defer session.Close()
			require.NoError(t, session.Ping(ctx, nil))
			tools, err := session.ListTools(ctx, nil)
			require.NoError(t, err)
			require.Len(t, tools.Tools, 1)
			require.Equal(t, "create_order", tools.Tools[0].Name)

			call := func(tool, sku string) (*sdk.CallToolResult, error) {
				return session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: map[string]any{"sku": sku}})
			}
			ok, err := call("create_order", "mug")
			require.NoError(t, err)
			require.False(t, ok.IsError)
			require.Equal(t, `{"id":7}`, ok.Content[0].(*sdk.TextContent).Text)
			bad, err := call("create_order", "sold out")
			require.NoError(t, err)
			require.True(t, bad.IsError)
			_, err = call("create_planet", "mug")
			require.ErrorContains(t, err, "unknown tool")
			twice, err := call("create_order", "twice")
			require.NoError(t, err)
			require.Equal(t, "once", twice.Content[0].(*sdk.TextContent).Text)
		})
	}
}

// TestAnswersThatFail: what is lost never comes, what is late comes late, and
// what closes the connection closes it; others are answered meanwhile.
func TestAnswersThatFail(t *testing.T) {
	s := shop(map[string]Answer{"lost": {Lost: true}, "late": {Text: "late", Delay: 100 * time.Millisecond}, "close": {Close: true}})
	for name, transport := range connections(t, s) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, transport, nil)
			require.NoError(t, err)
			defer session.Close()
			call := func(ctx context.Context, sku string) error {
				_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "create_order", Arguments: map[string]any{"sku": sku}})
				return err
			}
			short, stop := context.WithTimeout(ctx, 300*time.Millisecond)
			defer stop()
			var wg sync.WaitGroup
			wg.Go(func() {
				if call(short, "lost") == nil {
					t.Error("the lost answer came")
				}
			})
			require.NoError(t, call(ctx, "mug"), "others are answered meanwhile")
			require.NoError(t, call(ctx, "late"))
			wg.Wait()
			require.Error(t, call(ctx, "close"))
		})
	}
}

// raw sends lines to a server and gives the lines that come back.
func raw(t *testing.T, s *Server, lines ...string) []string {
	t.Helper()
	here, there := net.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- s.ServeConn(context.Background(), there)
		there.Close()
	}()
	go func() {
		for _, l := range lines {
			_, _ = io.WriteString(here, l+"\n")
			time.Sleep(20 * time.Millisecond) // one after the other
		}
		time.Sleep(50 * time.Millisecond)
		here.Close()
	}()
	var out []string
	in := bufio.NewScanner(here)
	for in.Scan() {
		out = append(out, in.Text())
	}
	<-done
	return out
}

// TestTasks: both dialects of tasks, and a client that knows none.
func TestTasks(t *testing.T) {
	ask := `{"jsonrpc":"2.0","id":%ID,"method":"tools/call","params":{"name":"create_order","arguments":{"sku":"mug"}%MORE}}`
	call := func(id, more string) string { return strings.NewReplacer("%ID", id, "%MORE", more).Replace(ask) }
	method := func(id, name, task string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + name + `","params":{"taskId":"` + task + `"}}`
	}
	got := raw(t, shop(nil),
		call("1", `,"task":{"ttl":60000}`), method("2", "tasks/get", "shop-task-1"), method("3", "tasks/get", "shop-task-1"), method("4", "tasks/result", "shop-task-1"),
		call("5", `,"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`),
		method("6", "tasks/get", "shop-task-2"), method("7", "tasks/get", "shop-task-2"),
		method("8", "tasks/cancel", "shop-task-2"), method("9", "tasks/get", "nobody"), `{"jsonrpc":"2.0","id":10,"method":"tasks/list"}`, call("11", ""))
	require.Len(t, got, 11)
	for i, want := range []string{
		`"task":{"createdAt"`, `"status":"working"`, `"status":"completed"`, `"io.modelcontextprotocol/related-task":{"taskId":"shop-task-1"}`,
		`"resultType":"task"`, `"status":"working"`, `"result":{"content":[{"text":"{\"id\":7}"`,
		`"status":"completed"`, `"code":-32602`, `"taskId":"shop-task-2"`, `"structuredContent":{"id":7}`,
	} {
		require.Contains(t, got[i], want)
	}
}

// TestMalformed: what is no request gets an error of the protocol, and the
// connection goes on.
func TestMalformed(t *testing.T) {
	got := raw(t, shop(nil), "{", "[]", `{"id":1}`, `{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, `{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	require.Len(t, got, 6)
	for i, want := range []string{"-32700", "-32600", "-32600", "-32601", "-32602", `"id":"p"`} {
		require.Contains(t, got[i], want)
	}
}

func TestHTTPMethods(t *testing.T) {
	srv := httptest.NewServer(shop(nil))
	defer srv.Close()
	for _, tc := range []struct {
		method, body string
		status       int
	}{
		{"GET", "", http.StatusMethodNotAllowed}, {"DELETE", "", http.StatusNoContent}, {"POST", "[", http.StatusBadRequest},
		{"POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, http.StatusAccepted},
		{"POST", strings.Repeat(" ", maxMessage+1), http.StatusRequestEntityTooLarge},
	} {
		req, err := http.NewRequest(tc.method, srv.URL, strings.NewReader(tc.body))
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, tc.status, resp.StatusCode, tc.method)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"x"}}`))
	s := shop(nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, bad := parse(data); bad == nil && m.asks() {
			if _, err := encode(s.handle(context.Background(), m).reply); err != nil {
				t.Fatal(err)
			}
		}
	})
}
