package world

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/script"
)

const tickets = `{"version":1,"prompt":"p","turns":[{"id":"a","say":"x","need":"may"}],"tools":[
 {"name":"open","via":"http","server":"desk/v1","method":"POST","path":"/tickets","effect":"create","resource":"ticket","identity":["queue","subject"],"key":"token"},
 {"name":"search","via":"http","server":"desk/v1","method":"GET","path":"/tickets","effect":"lookup","resource":"ticket"},
 {"name":"get","via":"http","server":"desk/v1","method":"GET","path":"/tickets/{id}","effect":"lookup","resource":"ticket"},
 {"name":"mine","via":"http","server":"desk/v1","method":"GET","path":"/tickets/mine","reply":{"own":[]}},
 {"name":"edit","via":"http","server":"desk/v1","method":"PATCH","path":"/tickets/{id}","effect":"update","resource":"ticket"},
 {"name":"close","via":"http","server":"desk/v1","method":"DELETE","path":"/tickets/{ticket_id}","effect":"cancel","resource":"ticket"},
 {"name":"label","via":"http","server":"desk/v1","method":"PUT","path":"/repos/{repo}/labels","effect":"update","resource":"label","identity":["repo"]}],"expect":[]}`

// TestResources: what was made can be looked up by any of its arguments, changed
// and cancelled; only what changes something is an effect.
func TestResources(t *testing.T) {
	st := open(t, tickets, Options{})
	do := func(method, path, kind, body string) (int, string) {
		req, err := http.NewRequest(method, st.tools+"/http/desk/v1"+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", kind)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(data)
	}
	const js, form = "application/json", "application/x-www-form-urlencoded"
	_, none := do("GET", "/tickets?queue=a", "", "")
	require.Equal(t, `{"count":0,"items":[]}`, none)
	code, _ := do("POST", "/tickets", js, `{"queue":"a","subject":"broken","priority":2}`)
	require.Equal(t, 201, code)
	code, _ = do("POST", "/tickets", form, url.Values{"queue": {"b"}, "subject": {"broken"}}.Encode())
	require.Equal(t, 201, code)
	require.Equal(t, 2, st.effects())
	id := st.Ledger()[2].Resource
	require.Equal(t, id, st.Ledger()[3].Resource)

	for query, want := range map[string]string{
		"?subject=broken": `"count":2`, "?queue=a": `"count":1`, "?queue=a&priority=2": `"count":1`, "?priority=3": `"count":0`,
		"?queue=a&page=1&per_page=30": `"count":1`, "?q=anything": `"count":2`, "/" + id: `"queue":"a"`, "/ticket-unknown": `"count":0`, "/mine": `"own"`,
	} {
		_, got := do("GET", "/tickets"+query, "", "")
		require.Contains(t, got, want, query)
	}

	code, text := do("PATCH", "/tickets/"+id, js, `{"priority":1}`)
	require.Equal(t, 200, code)
	require.Contains(t, text, `"priority":1`)
	code, _ = do("PATCH", "/tickets/nothing", js, `{"priority":1}`)
	require.Equal(t, 404, code)
	for range 2 {
		code, text = do("DELETE", "/tickets/"+id, "", "")
		require.Equal(t, 200, code)
		require.Contains(t, text, `"status":"cancelled"`)
	}
	code, _ = do("PUT", "/repos/a%2Fb/labels", js, `{"name":"bug"}`)
	require.Equal(t, 200, code, "nobody makes a label here: it was there before")
	require.Equal(t, 5, st.effects())
	require.Empty(t, texts(st.Failures(), Unanswerable))
}

// TestNoTool: a request that no tool answers fails with what ruled each one out.
func TestNoTool(t *testing.T) {
	st := open(t, tickets, Options{})
	for _, path := range []string{"/http/desk/v1/users", "/http/other/tickets", "/", "/mcp/none", "/http/desk/v1/tickets/a/b"} {
		resp, err := http.Get(st.tools + path)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, 404, resp.StatusCode, path)
	}
	failures := st.Failures()
	require.Len(t, failures, 5)
	require.Contains(t, strings.Join(failures[0].Stages, "\n"), "open: the method is POST, not GET")
	require.Contains(t, strings.Join(failures[0].Stages, "\n"), "search: the path is /http/desk/v1/tickets")
}

// TestStoreSame: ids come from the script and the order, from nothing else.
func TestStoreSame(t *testing.T) {
	s, err := script.Parse("t", []byte(tickets))
	require.NoError(t, err)
	var ids [2][]string
	for i := range ids {
		st := newStore("seed", s)
		for range 3 {
			ids[i] = append(ids[i], st.apply(&s.Tools[0], args{"queue": "a", "subject": "b"}, "").resource)
		}
	}
	require.Equal(t, ids[0], ids[1])
	require.Len(t, map[string]bool{ids[0][0]: true, ids[0][1]: true, ids[0][2]: true}, 3)
}

// TestKeyArgument: an argument is a key as a header is.
func TestKeyArgument(t *testing.T) {
	s, err := script.Parse("t", []byte(tickets))
	require.NoError(t, err)
	st := newStore("seed", s)
	open := func(token, subject string) reply {
		d := delivery{tool: &s.Tools[0], args: args{"queue": "a", "subject": subject, "token": token}}
		return st.apply(d.tool, d.args, d.idempotency())
	}
	first, second := open("t1", "x"), open("t1", "x")
	require.Equal(t, first.resource, second.resource)
	require.True(t, first.effect)
	require.False(t, second.effect)
	require.Equal(t, 409, open("t1", "y").status)
	require.NotEqual(t, first.resource, open("t2", "x").resource)
}
