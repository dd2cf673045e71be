package world

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

const hub = `{"version":1,"prompt":"Open a pull request.",
 "turns":[{"id":"open","calls":[{"tool":"create_pr","args":{"title":"Fix it's \"bug\"","base":"main"}}]},{"id":"done","say":"Opened."}],
 "tools":[{"name":"create_pr","via":"command","server":"gh","words":["pr","create"],"effect":"create","resource":"pull","identity":["title"]},
          {"name":"list_prs","via":"command","server":"gh","words":["pr","list"],"effect":"lookup","resource":"pull"},
          {"name":"view_pr","via":"command","server":"gh","words":["pr","view","{id}"],"effect":"lookup","resource":"pull"},
          {"name":"auth","via":"command","server":"gh","words":["auth","status"],"reply":"Logged in."},
          {"name":"file_issue","via":"mcp","server":"tracker","effect":"create","resource":"issue","identity":["title"]},
          {"name":"find_issues","via":"mcp","server":"tracker","effect":"lookup","resource":"issue"}],
 %s"expect":[]}`

// ask sends one header and reads one line.
func (st *stage) shim(t *testing.T, header string) (p printed, err error) {
	t.Helper()
	c, err := net.Dial("tcp", st.control)
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, header+"\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(c).ReadBytes('\n')
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(line, &p)
}

func argv(words ...string) string {
	line, _ := json.Marshal(words)
	return fmt.Sprintf(`{"kind":"command","argv":%s,"dir":"/w"}`, line)
}

// TestCommand: a command's words are its arguments, its effects can be looked up,
// and what the script does not know is unanswerable with the reasons.
func TestCommand(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, ""), Options{})
	p, err := st.shim(t, argv("/shims/gh", "pr", "create", "--title", "Fix it", "--base=main", "--draft", "extra"))
	require.NoError(t, err)
	require.Zero(t, p.Exit, string(p.Stderr))
	var made struct{ ID, Title, Base string }
	require.NoError(t, json.Unmarshal(p.Stdout, &made, json.MatchCaseInsensitiveNames(true)))
	require.Equal(t, "Fix it", made.Title)
	require.Equal(t, "main", made.Base)

	p, err = st.shim(t, argv("gh", "pr", "view", made.ID))
	require.NoError(t, err)
	require.Contains(t, string(p.Stdout), `"count":1`)
	p, err = st.shim(t, argv("gh", "pr", "list", "--limit", "5"))
	require.NoError(t, err)
	require.Contains(t, string(p.Stdout), made.ID)
	p, err = st.shim(t, argv("gh", "auth", "status"))
	require.NoError(t, err)
	require.Equal(t, "Logged in.\n", string(p.Stdout))
	require.Equal(t, 1, st.effects())
	require.Equal(t, "gh pr create --title Fix it --base=main --draft extra", st.Acts()[1].Command)

	p, err = st.shim(t, argv("gh", "repo", "delete"))
	require.NoError(t, err)
	require.Equal(t, 127, p.Exit)
	p, err = st.shim(t, argv("kubectl"))
	require.NoError(t, err)
	require.Equal(t, 127, p.Exit)
	require.Equal(t, []string{"command: gh repo delete", "command: kubectl"}, texts(st.Failures(), Unanswerable))
	require.Contains(t, strings.Join(st.Failures()[0].Stages, "\n"), "create_pr: the words begin with pr create")
}

// TestThroughShell: a tool that is a command is called through the harness's
// shell, with everything quoted.
func TestThroughShell(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, ""), Options{})
	_, calls, err := st.client(t, dialect.Messages, "Read", "Bash").ask()
	require.NoError(t, err)
	require.Equal(t, "Bash", calls[0].Name)
	require.Equal(t, `gh pr create --base main --title 'Fix it'\''s "bug"'`, object(calls[0].Args)["command"])
	_, calls, err = st.client(t, dialect.Responses, "exec_command").ask()
	require.NoError(t, err)
	require.Contains(t, object(calls[0].Args)["cmd"], "gh pr create")
}

// TestCommandFault: a command whose reply is lost says so itself.
func TestCommandFault(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, `"fault":{"point":"committed-not-replied","tool":"create_pr"},`), Options{})
	p, err := st.shim(t, argv("gh", "pr", "create", "--title", "A"))
	require.NoError(t, err)
	require.Equal(t, 1, p.Exit)
	require.Contains(t, string(p.Stderr), "timed out")
	require.Equal(t, 1, st.effects())

	killed := make(chan bool, 1)
	st = open(t, fmt.Sprintf(hub, `"fault":{"point":"committed-not-replied","tool":"create_pr","kill":true},`), Options{Kill: func(script.Point) { killed <- true }})
	_, err = st.shim(t, argv("gh", "pr", "create", "--title", "A"))
	require.ErrorIs(t, err, io.EOF)
	<-killed
	require.Equal(t, 1, st.effects())
}

// TestPush: every ref of a push is an effect, without what changes from play to
// play.
func TestPush(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, ""), Options{})
	zero, a, b := strings.Repeat("0", 40), strings.Repeat("a", 40), strings.Repeat("b", 40)
	p, err := st.shim(t, fmt.Sprintf(`{"kind":"git","repo":"origin","refs":["%s %s refs/heads/main","%s %s refs/tags/v1",""]}`, a, b, zero, a))
	require.NoError(t, err)
	require.Zero(t, p.Exit)
	require.Equal(t, 2, st.effects())
	require.Equal(t, args{"repo": "origin", "ref": "refs/tags/v1", "change": "create"}, st.Ledger()[3].Args)
	require.Equal(t, "git push origin main", st.Ledger()[1].Command)
}

// TestPipe: the Model Context Protocol through the shim's pipe, with the harness
// killed after the reply.
func TestPipe(t *testing.T) {
	killed := make(chan bool, 1)
	text := fmt.Sprintf(hub, `"fault":{"point":"replied-not-recorded","tool":"file_issue"},`)
	st := open(t, text, Options{Kill: func(script.Point) { killed <- true }})
	c, err := net.Dial("tcp", st.control)
	require.NoError(t, err)
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	lines := bufio.NewReader(c)
	call := func(id int, name, a string) string {
		fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"callId":"x"}}}`+"\n", id, name, a)
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		return line
	}
	io.WriteString(c, `{"kind":"mcp","server":"tracker"}`+"\n")
	require.Contains(t, call(1, "find_issues", `{}`), `\"count\":0`)
	require.Contains(t, call(2, "file_issue", `{"title":"a"}`), "issue-")
	<-killed
	require.Equal(t, []script.Point{script.RepliedNotRecorded}, st.Fired())
	st.Restarted()
	require.Equal(t, 1, st.effects())
}

// TestStrangeControl: what is no header ends its connection and nothing else.
func TestStrangeControl(t *testing.T) {
	st := open(t, fmt.Sprintf(hub, ""), Options{})
	for _, line := range []string{"GET / HTTP/1.1", `{"kind":"rm"}`, `{"kind":"mcp","server":"nobody"}`, `[]`, ""} {
		_, err := st.shim(t, line)
		require.Error(t, err, line)
	}
	require.GreaterOrEqual(t, len(texts(st.Failures(), Unanswerable)), 3)
	p, err := st.shim(t, argv("gh", "auth", "status"))
	require.NoError(t, err)
	require.Zero(t, p.Exit)
}
