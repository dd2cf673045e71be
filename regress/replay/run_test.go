//go:build linux

package replay

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/script"
)

const orderScript = `{
  "version": 1,
  "prompt": "Order a red mug for account 17.",
  "files": {"README.md": "# shop\n"},
  "turns": [
    {"id": "order", "calls": [{"tool": "create_order", "args": {"account": 17, "sku": "mug-red"}}]},
    {"id": "done", "say": "The order is placed."}
  ],
  "tools": [
    {"name": "create_order", "via": "http", "server": "shop", "method": "POST", "path": "/orders",
     "effect": "create", "resource": "order", "identity": ["account", "sku"]}
  ],
  "expect": [{"invariant": "exactly-once", "call": {"tool": "create_order"}, "same": ["account", "sku"]}]
}`

// load reads a script; change replaces parts of the text: old, new, old, new…
func load(t *testing.T, text string, change ...string) *Subject {
	t.Helper()
	for i := 0; i+1 < len(change); i += 2 {
		require.Contains(t, text, change[i])
		text = strings.Replace(text, change[i], change[i+1], 1)
	}
	s, err := Load("order.json", []byte(text))
	require.NoError(t, err)
	return s
}

// withFault adds a fault to the script.
func withFault(fault string) []string {
	return []string{`"expect":`, `"fault": ` + fault + `, "expect":`}
}

// options drive one of the harnesses of this binary.
func options(words ...string) Options {
	return Options{
		Harness: "generic", Command: append([]string{os.Args[0], "harness"}, words...), Resume: append([]string{os.Args[0], "harness"}, words...),
		Timeout: 30 * time.Second, ToolTimeout: time.Second,
	}
}

// replay plays a subject, or skips where nothing can be isolated.
func replay(t *testing.T, s *Subject, o Options) []*Result {
	t.Helper()
	results, err := Run(context.Background(), s, o)
	if errors.Is(err, sandbox.ErrNoNamespace) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return results
}

// one plays a subject with one model mode.
func one(t *testing.T, s *Subject, m Mode, o Options) *Result {
	t.Helper()
	o.Modes = []Mode{m}
	results := replay(t, s, o)
	require.Len(t, results, 1)
	t.Logf("%s: %s; sessions %+v", results[0].Status, results[0].Why, results[0].Sessions)
	return results[0]
}

func TestPasses(t *testing.T) {
	results := replay(t, load(t, orderScript), options("careful"))
	require.Len(t, results, 2)
	for i, m := range []Mode{Persistent, Passive} {
		r := results[i]
		assert.Equal(t, Passed, r.Status, r.Why)
		assert.Equal(t, m, r.Model)
		assert.Equal(t, sandbox.Isolated, r.Network)
		assert.Equal(t, 2, r.Requests)
		assert.Equal(t, []Calls{{Tool: "create_order", World: 1, Log: 0}}, r.Calls)
		require.Len(t, r.Expect, 1)
		assert.Equal(t, expect.Held, r.Expect[0].Grade)
		require.Len(t, r.Sessions, 1)
		assert.Zero(t, r.Sessions[0].Exit)
	}
}

// TestLostReply: the order is placed and nobody says so. Who asks again decides
// whether the case fails, and the result names who it was.
func TestLostReply(t *testing.T) {
	s := load(t, orderScript, withFault(`{"point": "committed-not-replied", "tool": "create_order"}`)...)
	for _, c := range []struct {
		harness string
		mode    Mode
		want    Status
		by      string
	}{
		{"careful", Passive, Passed, ""},
		{"careful", Persistent, Failed, "model"},
		{"hasty", Passive, Failed, "wrapper"},
	} {
		t.Run(c.harness+" "+string(c.mode), func(t *testing.T) {
			r := one(t, s, c.mode, options(c.harness))
			assert.Equal(t, c.want, r.Status, r.Why)
			assert.Equal(t, []script.Point{script.CommittedNotReplied}, r.Faults)
			if c.by == "" {
				assert.Empty(t, r.Resent)
			} else {
				assert.Equal(t, []Resent{{"create_order", c.by, 1}}, r.Resent)
			}
		})
	}
}

// TestKilled: the world kills the harness at the fault and starts it again with
// its resume command.
func TestKilled(t *testing.T) {
	s := load(t, orderScript, withFault(`{"point": "committed-not-replied", "tool": "create_order", "kill": true}`)...)
	r := one(t, s, Persistent, options("careful"))
	require.Len(t, r.Sessions, 2)
	assert.True(t, r.Sessions[0].Killed)
	assert.Equal(t, 137, r.Sessions[0].Exit)
	assert.Zero(t, r.Sessions[1].Exit)
	assert.Equal(t, Failed, r.Status, "a harness that kept nothing orders again")

	o := options("careful")
	o.Resume = nil
	r = one(t, s, Persistent, o)
	assert.Equal(t, NotReplayable, r.Status)
	assert.Contains(t, r.Why, "--resume-command")
}

// TestNeedsAClock: a harness that waits for ever cannot be shown a lost reply.
func TestNeedsAClock(t *testing.T) {
	o := options()
	o.Harness, o.Command, o.Resume = "mcphost", []string{os.Args[0]}, nil
	s := load(t, orderScript, withFault(`{"point": "reply-late", "tool": "create_order"}`)...)
	r := one(t, s, Passive, o)
	assert.Equal(t, NotReplayable, r.Status)
	assert.Contains(t, r.Why, "no setting of mcphost")
}

// TestInvalid: a harness that never comes to the fault was not tried.
func TestInvalid(t *testing.T) {
	s := load(t, orderScript, withFault(`{"point": "committed-not-replied", "tool": "create_order"}`)...)
	r := one(t, s, Passive, options("blind"))
	assert.Equal(t, Invalid, r.Status)
	assert.Contains(t, r.Why, "never came to the fault committed-not-replied")
}

func TestNeverEnds(t *testing.T) {
	o := options("forever")
	o.Timeout = 2 * time.Second
	r := one(t, load(t, orderScript), Passive, o)
	assert.Equal(t, CannotTell, r.Status, r.Why)
	assert.True(t, r.Sessions[0].TimedOut)
}

func TestDaemon(t *testing.T) {
	drum := filepath.Join(t.TempDir(), "drum")
	r := one(t, load(t, orderScript), Passive, options("daemon", drum))
	assert.Equal(t, Passed, r.Status, r.Why)
	before, err := os.Stat(drum)
	require.NoError(t, err)
	time.Sleep(50 * time.Millisecond)
	after, err := os.Stat(drum)
	require.NoError(t, err)
	assert.Equal(t, before.Size(), after.Size())
}

func TestFlood(t *testing.T) {
	o := options("flood")
	o.MaxRequests = 10
	r := one(t, load(t, orderScript), Passive, o)
	assert.Equal(t, Failed, r.Status)
	require.NotEmpty(t, r.Failures)
	assert.Contains(t, r.Why, "cap")
	assert.True(t, r.Sessions[0].Killed, "what it does from there on counts for nothing")
	assert.LessOrEqual(t, len(r.Failures), 20, "the failures are not one for each request")
}

// TestMisbehaved: what a harness does to the connection, to its output or to
// the network is no reason to fail, and leads nowhere.
func TestMisbehaved(t *testing.T) {
	trap, err := net.Listen("tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	defer trap.Close()
	caught := make(chan struct{}, 10)
	go func() {
		for {
			c, err := trap.Accept()
			if err != nil {
				return
			}
			c.Close()
			caught <- struct{}{}
		}
	}()
	_, port, err := net.SplitHostPort(trap.Addr().String())
	require.NoError(t, err)
	for name, words := range map[string][]string{
		"half a request": {"half"},
		"outside":        {"outside", "127.0.0.1:" + port, "192.0.2.1:80", "169.254.169.254:80"},
		"one gigabyte":   {"loud"},
	} {
		t.Run(name, func(t *testing.T) {
			r := one(t, load(t, orderScript), Passive, options(words...))
			assert.Equal(t, Passed, r.Status, r.Why)
		})
	}
	assert.Empty(t, caught)
}

func TestOutputIsCapped(t *testing.T) {
	r := one(t, load(t, orderScript), Passive, options("loud"))
	assert.Equal(t, int64(1<<30), r.Sessions[0].Printed)
	assert.Less(t, len(r.Sessions[0].Stdout), 3*sandbox.Kept)
}

// TestHome: the harness sees a home and a workspace of its own, and none of
// the user's variables.
func TestHome(t *testing.T) {
	t.Setenv("REPLAY_TEST_SECRET", "sesame")
	o := options("home")
	o.Keep = t.TempDir()
	r := one(t, load(t, orderScript), Passive, o)
	out := r.Sessions[0].Stdout
	assert.Contains(t, out, "secret: \n")
	assert.Contains(t, out, "home: ["+filepath.Join(r.Folder, "home", ".gitconfig")+"]")
	assert.Contains(t, out, "work: ["+filepath.Join(r.Folder, "work", "README.md")+"]")
	ledger, err := os.ReadFile(filepath.Join(r.Folder, "ledger.jsonl"))
	require.NoError(t, err)
	assert.Contains(t, string(ledger), `"kind":"effect","tool":"create_order"`)
	o.Env = []string{"REPLAY_TEST_SECRET=given"}
	assert.Contains(t, one(t, load(t, orderScript), Passive, o).Sessions[0].Stdout, "secret: given\n")
}

func TestCleansUp(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	one(t, load(t, orderScript), Passive, options("careful"))
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestSideBySide: two replays know nothing of each other.
func TestSideBySide(t *testing.T) {
	var wg sync.WaitGroup
	results := make([][]*Result, 2)
	for i := range results {
		wg.Go(func() { results[i], _ = Run(context.Background(), load(t, orderScript), options("careful")) })
	}
	wg.Wait()
	if results[0] == nil {
		t.Skip("nothing can be isolated here")
	}
	for _, list := range results {
		for _, r := range list {
			assert.Equal(t, Passed, r.Status, r.Why)
			assert.Equal(t, []Calls{{Tool: "create_order", World: 1, Log: 0}}, r.Calls)
		}
	}
}

// TestSameTwice: equal plays give equal results.
func TestSameTwice(t *testing.T) {
	s := load(t, orderScript, withFault(`{"point": "committed-not-replied", "tool": "create_order"}`)...)
	var texts []string
	for range 2 {
		data, err := json.Marshal(replay(t, s, options("careful")))
		require.NoError(t, err)
		texts = append(texts, string(data))
	}
	assert.Equal(t, texts[0], texts[1])
}

func TestOpenIsSaid(t *testing.T) {
	o := options("careful")
	o.Network = sandbox.Open
	assert.Equal(t, sandbox.Open, one(t, load(t, orderScript), Passive, o).Network)
}

// TestAccepted: work that is accepted without its check is what the signal of
// acceptance makes visible.
func TestAccepted(t *testing.T) {
	s := load(t, orderScript, `{"invariant": "exactly-once", "call": {"tool": "create_order"}, "same": ["account", "sku"]}`,
		`{"invariant": "not-accepted", "check": "go test ./..."}`)
	r := one(t, s, Passive, options("careful"))
	assert.Equal(t, CannotTell, r.Status, r.Why)
	o := options("careful")
	o.Accept = AcceptExit
	r = one(t, s, Passive, o)
	assert.Contains(t, []Status{Failed, CannotTell}, r.Status, r.Why)
}

const pullScript = `{
  "version": 1,
  "prompt": "Open a pull request.",
  "turns": [{"id": "pr", "calls": [{"tool": "open_pr", "args": {"title": "Fix"}}]}, {"id": "done", "say": "Opened."}],
  "tools": [{"name": "open_pr", "via": "command", "server": "gh", "words": ["pr", "create", "--title", "{title}"],
    "effect": "create", "resource": "pull", "identity": ["title"]}],
  "expect": [{"invariant": "exactly-once", "call": {"tool": "open_pr"}, "same": ["title"]}]
}`

// TestCommand: a command of the harness's shell is a tool of the world.
func TestCommand(t *testing.T) {
	r := one(t, load(t, pullScript), Passive, options("careful"))
	assert.Equal(t, Passed, r.Status, r.Why)
	assert.Equal(t, []Calls{{Tool: "open_pr", World: 1, Log: 0}}, r.Calls)
}

const pushScript = `{
  "version": 1,
  "prompt": "Push the fix.",
  "files": {"main.go": "package main\n"},
  "turns": [{"id": "push", "calls": [{"tool": "push_branch", "args": {"ref": "refs/heads/fix"}}]}, {"id": "done", "say": "Pushed."}],
  "tools": [{"name": "push_branch", "via": "command", "server": "git", "words": ["push"],
    "effect": "update", "resource": "ref", "identity": ["repo", "ref"]}],
  "expect": [{"invariant": "exactly-once", "call": {"tool": "push_branch"}, "same": ["repo", "ref"]}]
}`

// TestPush: the real git pushes to a bare remote, and the remote tells.
func TestPush(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	o := options("careful")
	o.Keep = t.TempDir()
	r := one(t, load(t, pushScript), Passive, o)
	assert.Equal(t, Passed, r.Status, r.Why)
	i := slices.IndexFunc(r.Acts, func(a expect.Act) bool { return a.Kind == expect.Effected })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, "refs/heads/fix", r.Acts[i].Args["ref"])
	out, err := exec.Command("git", "-C", filepath.Join(r.Folder, "remote.git"), "log", "--format=%s", "fix").Output()
	require.NoError(t, err)
	assert.Equal(t, "fix\nstart\n", string(out))
}

// TestNoGit: without git such a script cannot be played, and that is said.
func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := one(t, load(t, pushScript), Passive, options("careful"))
	assert.Equal(t, NotReplayable, r.Status)
	assert.Contains(t, r.Why, "git is not installed")
}

// TestLog: the harness's own log is read, judged and set beside the ledger.
func TestLog(t *testing.T) {
	s := load(t, orderScript, withFault(`{"point": "committed-not-replied", "tool": "create_order"}`)...)
	o := options("hasty", "log")
	o.Logs = []string{"log.json"}
	r := one(t, s, Passive, o)
	assert.Equal(t, 1, r.LogRuns)
	assert.Equal(t, []Calls{{Tool: "create_order", World: 2, Log: 1}}, r.Calls, "the log leaves the retry out")
	o.Logs = []string{"../log.json"}
	_, err := Run(context.Background(), s, o)
	assert.ErrorIs(t, err, ErrOptions)
}
