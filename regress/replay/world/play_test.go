package world

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/dialect"
)

// shop is a script with an order, through HTTP; more is further members.
func shop(more string) string {
	return `{"version":1,"prompt":"Order a mug.",
 "turns":[{"id":"order","calls":[{"tool":"create_order","args":{"account":17,"sku":"mug-red"}}]},
          {"id":"done","say":"The order is placed."}],
 "tools":[{"name":"create_order","via":"http","server":"shop","method":"POST","path":"/orders","effect":"create","resource":"order","identity":["account","sku"]},
          {"name":"find_orders","via":"http","server":"shop","method":"GET","path":"/orders","effect":"lookup","resource":"order"}],
 ` + more + `"expect":[{"invariant":"exactly-once","call":{"tool":"create_order"},"same":["account","sku"]}]}`
}

// grade grades the script's own expectations by the ledger.
func (st *stage) grade() (grades []expect.Grade) {
	seen := expect.Seen{Acts: st.Acts(), Kinds: []expect.ActKind{expect.Called, expect.Effected, expect.Asked, expect.ProviderStop, expect.Crossed}}
	for _, e := range st.script.Expect {
		grades = append(grades, e.Grade(seen).Grade)
	}
	return grades
}

// TestPlay: a whole script in every dialect, under the names that harnesses give.
func TestPlay(t *testing.T) {
	for _, tc := range []struct {
		name    dialect.Name
		offer   string
		rewrite bool
	}{
		{dialect.Chat, "create_order", false},
		{dialect.Chat, "shop_create_order", false},
		{dialect.Chat, "shop__create_order", false},
		{dialect.Responses, "create_order", false},
		{dialect.Responses, "mcp__shop create_order", false},
		{dialect.Messages, "mcp__shop__create_order", false},
		{dialect.Gemini, "mcp_shop_create_order", false},
		{dialect.Gemini, "create_order", true},
	} {
		t.Run(string(tc.name)+" "+tc.offer, func(t *testing.T) {
			st := open(t, shop(""), Options{})
			c := st.client(t, tc.name, "read_file", tc.offer)
			c.rewrite = tc.rewrite
			said, err := c.run()
			require.NoError(t, err)
			require.Equal(t, "The order is placed.", said)
			require.Equal(t, []string{
				"user-request", "model-request ok: turn order", "call create_order ok", "effect create_order ok", "model-request ok: turn done",
			}, st.kinds())
			require.Empty(t, st.Failures())
			require.Equal(t, []expect.Grade{expect.Held}, st.grade())
			if !tc.rewrite {
				require.NotEmpty(t, st.Ledger()[2].CallID)
			}
		})
	}
}

// TestSame: two plays that go the same way are the same, side by side.
func TestSame(t *testing.T) {
	a, b := open(t, shop(""), Options{}), open(t, shop(""), Options{})
	ca, cb := a.client(t, dialect.Chat, "create_order"), b.client(t, dialect.Chat, "create_order")
	for range 2 {
		_, calls, err := ca.ask()
		require.NoError(t, err)
		_, other, err := cb.ask()
		require.NoError(t, err)
		require.Equal(t, calls, other)
		for i := range calls {
			ca.carry(calls[i])
			cb.carry(other[i])
		}
	}
	require.Equal(t, a.Ledger(), b.Ledger())
	require.Equal(t, 1, a.effects())
}

// TestNotOffered: the failure names what was asked, what is offered and every
// way in which the one was looked for in the other.
func TestNotOffered(t *testing.T) {
	st := open(t, shop(""), Options{})
	_, _, err := st.client(t, dialect.Messages, "read_file", "mcp__other__list").ask()
	require.ErrorContains(t, err, "400")
	require.ErrorContains(t, err, "create_order")
	f := st.Failures()
	require.Equal(t, Unanswerable, f[0].Kind)
	stages := strings.Join(f[0].Stages, "\n")
	for _, want := range []string{"read_file, mcp__other__list", "own name", "shop__create_order", "namespace"} {
		require.Contains(t, stages, want)
	}
}

// TestUnmet: what must happen and did not is a failure, unless the provider
// stopped the work.
func TestUnmet(t *testing.T) {
	st := open(t, shop(""), Options{})
	require.Equal(t, []string{"turn order was not reached", "turn done was not reached"}, texts(st.Failures(), Unmet))
	_, _, err := st.client(t, dialect.Chat, "create_order").ask()
	require.NoError(t, err)
	require.Equal(t, []string{"turn done was not reached"}, texts(st.Failures(), Unmet))

	must := strings.Replace(shop(""), `"effect":"lookup"`, `"need":"must","effect":"lookup"`, 1)
	st = open(t, must, Options{})
	_, err = st.client(t, dialect.Chat, "create_order").run()
	require.NoError(t, err)
	require.Equal(t, []string{"tool find_orders was not called"}, texts(st.Failures(), Unmet))

	st = open(t, shop(`"fault":{"point":"provider-stop","turn":"order"},`), Options{})
	_, _, err = st.client(t, dialect.Chat, "create_order").ask()
	require.NoError(t, err)
	require.Empty(t, st.Failures())
}

func texts(failures []Failure, kind string) (out []string) {
	for _, f := range failures {
		if f.Kind == kind {
			out = append(out, f.Text)
		}
	}
	return out
}

// TestNever: a turn and a tool that must not be reached.
func TestNever(t *testing.T) {
	st := open(t, strings.Replace(shop(""), `"effect":"create"`, `"need":"never","effect":"create"`, 1), Options{})
	_, err := st.client(t, dialect.Chat, "create_order").run()
	require.NoError(t, err)
	require.Equal(t, []string{"tool create_order was called"}, texts(st.Failures(), HitNever))

	st = open(t, strings.Replace(shop(""), `"id":"done"`, `"need":"never","id":"done"`, 1), Options{})
	_, err = st.client(t, dialect.Chat, "create_order").run()
	require.NoError(t, err)
	require.Equal(t, []string{"turn done was reached"}, texts(st.Failures(), HitNever))
}

// TestCap: a harness that asks for ever is told so once, and its play is over.
func TestCap(t *testing.T) {
	over := make(chan bool, 9)
	st := open(t, shop(""), Options{MaxRequests: 5, Over: func() { over <- true }})
	c := st.client(t, dialect.Chat, "create_order")
	for i := range 9 {
		_, _, err := c.ask()
		c.history = c.history[:1]
		require.Equal(t, i >= 5, err != nil)
	}
	<-over
	require.Empty(t, over)
	require.Equal(t, []string{"more than 5 requests to the model"}, texts(st.Failures(), Cap))
}

// TestSide: requests beside the conversation have fixed answers and are no
// requests of the script.
func TestSide(t *testing.T) {
	st := open(t, shop(""), Options{})
	side := func(said string) string {
		c := st.client(t, dialect.Messages)
		c.history = append([]piece{{said: said, user: true}}, c.history...)
		answer, calls, err := c.ask()
		require.NoError(t, err)
		require.Empty(t, calls)
		return answer
	}
	require.Equal(t, "Replay", side("Write a short title for this conversation."))
	require.Contains(t, side("Is this a new topic?"), "isNewTopic")
	require.Contains(t, side("Summarize the conversation."), "Summary")
	for path, want := range map[string]string{"/v1/messages/count_tokens": "input_tokens", "/v1beta/models/g:countTokens": "totalTokens"} {
		resp, err := http.Post(st.model+path, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		data, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		require.Contains(t, string(data), want)
	}
	for _, e := range st.Ledger()[1:] {
		require.Equal(t, Side, e.Kind)
	}
	require.Len(t, st.Acts(), 1)
	require.Empty(t, texts(st.Failures(), Unanswerable))
}

// TestStrange: what is no request of any dialect is unanswerable.
func TestStrange(t *testing.T) {
	st := open(t, shop(""), Options{})
	for path, body := range map[string]string{"/v1/embeddings": "{}", "/v1/messages": "[", "/v1/responses": "{"} {
		resp, err := http.Post(st.model+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		resp.Body.Close()
		require.GreaterOrEqual(t, resp.StatusCode, 400)
	}
	resp, err := http.Get(st.model + "/favicon.ico")
	require.NoError(t, err)
	resp.Body.Close()
	require.Len(t, texts(st.Failures(), Unanswerable), 3)
}

// TestLog: the log has every entry as it was made.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	st := open(t, shop(""), Options{Log: &log})
	_, err := st.client(t, dialect.Chat, "create_order").run()
	require.NoError(t, err)
	st.Close()
	require.Len(t, strings.Split(strings.TrimSpace(log.String()), "\n"), len(st.Ledger()))
	require.Contains(t, log.String(), `"resource":"order-`)
}
