package world

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// TestFit: the names that harnesses give to a tool, and those that are another's.
func TestFit(t *testing.T) {
	tool := &script.Tool{Name: "create_order", Server: "shop", Via: script.MCP}
	for name, want := range map[dialect.Offer]int{
		{Name: "create_order"}:                          qualified - 1,
		{Name: "CreateOrder"}:                           foreign,
		{Name: "create-order"}:                          bare,
		{Name: "mcp__shop__create_order"}:               qualified,
		{Name: "mcp_shop_create_order"}:                 qualified,
		{Name: "shop_create_order"}:                     qualified,
		{Name: "shop__create_order"}:                    qualified,
		{Name: "shop.create_order"}:                     qualified,
		{Name: "create_order", Namespace: "mcp__shop"}:  qualified,
		{Name: "create_order", Namespace: "shop"}:       qualified,
		{Name: "create_order", Namespace: "mcp__other"}: foreign,
		{Name: "workshop_create_order"}:                 foreign,
		{Name: "mcp__other__create_order"}:              foreign,
		{Name: "mcp__shop__create_order_now"}:           foreign,
		{Name: "re_create_order"}:                       foreign,
		{Name: ""}:                                      foreign,
	} {
		require.Equal(t, want, fit(tool, name), name)
	}
	best, ok := offered(tool, []dialect.Offer{{Name: "create_order"}, {Name: "mcp__shop__create_order"}})
	require.True(t, ok)
	require.Equal(t, "mcp__shop__create_order", best.Name)
}

// TestAnswers: what a model takes for an answer.
func TestAnswers(t *testing.T) {
	st := open(t, shop(""), Options{})
	tool := &st.script.Tools[0]
	made := st.store.apply(tool, args{"account": 1, "sku": "a"}, "")
	for text, want := range map[string]bool{
		made.say(): true,
		`{"status":"cancelled","id":"` + made.resource + `"}`: true,
		"":                                    false,
		"  \n":                                false,
		"null":                                false,
		`{"count":0,"items":[]}`:              true,
		"MCP error -32001: Request timed out": false,
		"Error: connect ECONNREFUSED 127.0.0.1:1": false,
		"tool call was cancelled by the user":     false,
		"context deadline exceeded":               false,
		"Placed.":                                 true,
	} {
		require.Equal(t, want, st.answers(tool, dialect.Result{Text: text}), text)
	}
	require.False(t, st.answers(tool, dialect.Result{Text: made.say(), Error: true}))
}

// TestContentDecides: the same request has the same turn whenever it comes, and
// results in any order, or of a call under a strange id, count.
func TestContentDecides(t *testing.T) {
	st := open(t, `{"version":1,"prompt":"p","turns":[
  {"id":"plan","say":"First I look."},
  {"id":"look","calls":[{"tool":"read","args":{"path":"a"}},{"tool":"read","args":{"path":"b"}}]},
  {"id":"done","say":"Done."}],"tools":[{"name":"read","via":"builtin"}],"expect":[]}`, Options{})
	plan := piece{said: "First I look."}
	step := func(pieces ...piece) string {
		c := st.client(t, dialect.Chat, "read")
		c.history = append(c.history, pieces...)
		said, calls, err := c.ask()
		require.NoError(t, err)
		for _, k := range calls {
			said += " " + text(object(k.Args)["path"])
		}
		return said
	}
	call := func(id, path string) piece {
		return piece{call: &dialect.Call{ID: id, Name: "read", Args: jsontext.Value(`{"path":"` + path + `","limit":9}`)}}
	}
	result := func(id string) piece { return piece{result: &dialect.Result{CallID: id, Tool: "read", Text: "text"}} }
	for range 2 {
		require.Equal(t, "First I look.", step())
		require.Equal(t, " a b", step(plan))
		require.Equal(t, " b", step(plan, call("x", "a"), result("x")))
		require.Equal(t, " a", step(plan, call("x", "b"), result("x")))
		require.Equal(t, "Done.", step(plan, call("x", "a"), call("y", "b"), result("y"), result("x")))
		require.Equal(t, "Done.", step(plan, call("x", "a"), call("y", "b"), result("y"), result("x"), piece{said: "Done."}, piece{said: "Sure?", user: true}))
	}
}

// TestOtherShell: a script made of one harness's shell plays with another's.
func TestOtherShell(t *testing.T) {
	st := open(t, `{"version":1,"prompt":"p","turns":[{"id":"test","calls":[{"tool":"Bash","args":{"command":"go test","timeout":5}}]},
  {"id":"done","say":"Done."}],"tools":[{"name":"Bash","via":"builtin"}],"expect":[]}`, Options{})
	c := st.client(t, dialect.Responses, "exec_command")
	_, calls, err := c.ask()
	require.NoError(t, err)
	require.Equal(t, dialect.Call{ID: calls[0].ID, Name: "exec_command", Args: jsontext.Value(`{"cmd":"go test"}`)}, calls[0])
	c.result(calls[0], "Process exited with code 0")
	c.history[1].call.ID, c.history[2].result.CallID = "own", "own"
	said, _, err := c.ask()
	require.NoError(t, err)
	require.Equal(t, "Done.", said)
	require.Equal(t, "go test", st.Acts()[2].Command)
}

// TestBuiltin: a call of the harness's own tool is in the ledger once, when its
// result is shown.
func TestBuiltin(t *testing.T) {
	st := open(t, `{"version":1,"prompt":"p","turns":[{"id":"test","calls":[{"tool":"bash","args":{"command":"go test ./..."}}]},
  {"id":"done","say":"Done."}],"tools":[{"name":"bash","via":"builtin","need":"must"}],"expect":[]}`, Options{})
	c := st.client(t, dialect.Messages, "Bash")
	_, calls, err := c.ask()
	require.NoError(t, err)
	require.Len(t, st.Failures(), 2)
	c.result(calls[0], "ok")
	for range 2 {
		_, _, err = c.ask()
		require.NoError(t, err)
	}
	require.Equal(t, []string{"user-request", "model-request ok: turn test", "call bash ok", "model-request ok: turn done", "model-request ok: turn done"}, st.kinds())
	require.Equal(t, "go test ./...", st.Acts()[2].Command)
	require.Empty(t, st.Failures())
}
