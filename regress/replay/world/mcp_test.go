package world

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
)

// rpc calls a tool over streamable HTTP.
func (st *stage) rpc(t *testing.T, id int, tool, arguments, meta string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`, id, tool, arguments, meta)
	req, err := http.NewRequestWithContext(ctx, "POST", st.tools+"/mcp/tracker", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), err
}

// TestMCP: the same duplicate over MCP, by three hands. A call id that the model
// never gave says nothing.
func TestMCP(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(hub, `"fault":{"point":"committed-not-replied","tool":"file_issue"},`),
		`{"tool":"create_pr","args":{"title":"Fix it's \"bug\"","base":"main"}}`, `{"tool":"file_issue","args":{"title":"a"}}`, 1)
	const title = `{"title":"a"}`
	for _, tc := range []struct {
		id     int
		callID string
		by     string
	}{
		{1, "", "sdk"}, {2, "", "wrapper"}, {2, "made-up", "wrapper"}, {2, "model", "loop"},
	} {
		st := open(t, text, Options{Late: time.Second})
		_, calls, err := st.client(t, dialect.Responses, "mcp__tracker file_issue").ask()
		require.NoError(t, err)
		if tc.callID == "model" {
			tc.callID = calls[0].ID
		}
		meta := fmt.Sprintf(`{"callId":%q}`, tc.callID)
		_, err = st.rpc(t, 1, "file_issue", title, meta)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		reply, err := st.rpc(t, tc.id, "file_issue", title, meta)
		require.NoError(t, err)
		require.Contains(t, reply, "issue-")
		require.Equal(t, []string{tc.by}, st.resent())
		require.Equal(t, calls[0].ID, st.Ledger()[2].CallID)
		require.Equal(t, 2, st.effects())
		found, err := st.rpc(t, 3, "find_issues", title, `{}`)
		require.NoError(t, err)
		require.Contains(t, found, `"count":2`)
	}
}

// TestMCPStrange: a tool that the server has not is an error of the protocol and
// a failure of the play.
func TestMCPStrange(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, ""), Options{})
	reply, err := st.rpc(t, 1, "drop_table", `{}`, `{}`)
	require.NoError(t, err)
	require.Contains(t, reply, "-32602")
	require.Equal(t, []string{"call of drop_table at the MCP server tracker"}, texts(st.Failures(), Unanswerable))
	reply, err = st.rpc(t, 2, "file_issue", `{}`, `{}`)
	require.NoError(t, err)
	require.Contains(t, reply, "the argument title is missing")
	require.Zero(t, st.effects())
}
