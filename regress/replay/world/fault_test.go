package world

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// The late of the tests, and the time-out of a tool, which is less.
const (
	late    = 150 * time.Millisecond
	timeout = 40 * time.Millisecond
)

// faulty is the shop with a fault.
func faulty(point script.Point, more string) string {
	return shop(fmt.Sprintf(`"fault":{"point":%q%s},`, point, more))
}

// play runs the client; a kill ends its session and it starts again, with its
// history where keeps is set.
func play(t *testing.T, text string, o Options, keeps bool, set func(*client)) *stage {
	t.Helper()
	killed := make(chan bool, 1)
	o.Late = late
	o.Kill = func(script.Point) { killed <- true }
	st := open(t, text, o)
	c := st.client(t, dialect.Chat, "create_order", "find_orders")
	c.timeout = timeout
	if set != nil {
		set(c)
	}
	for range 4 {
		_, err := c.run()
		if err == nil && len(killed) == 0 {
			return st
		}
		if st.script.Fault.Kills() && !slices.Contains(st.kinds(), "boundary") {
			<-killed
			st.Restarted()
			c.http.CloseIdleConnections() // a dead process has none
			for i := len(c.history) - 1; i > 0 && c.history[i].result != nil && strings.HasPrefix(c.history[i].result.Text, "Error"); i-- {
				c.history = c.history[:i] // what the dead process heard, nobody wrote down
			}
			if !keeps {
				c.history = c.history[:1]
			}
		}
	}
	t.Fatal("the play does not end: " + strings.Join(st.kinds(), "; "))
	return nil
}

// TestFaults: each fault strikes once, at its place, and the ledger says what
// became of the effect, of the reply, and who sent it again.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		keeps        bool // its history over a restart
		passive      bool
		want         []string // of the ledger, without the user's requests
	}{
		{"no effect, asked again", faulty(script.PersistedNotDispatched, ""), true, false, []string{
			"model-request ok: turn order", "call create_order unknown persisted-not-dispatched",
			"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}},
		{"no effect, passive", faulty(script.PersistedNotDispatched, ""), true, true, []string{
			"model-request ok: turn order", "call create_order unknown persisted-not-dispatched", "model-request ok: turn done"}},
		{"effect without a reply", faulty(script.CommittedNotReplied, ""), true, false, []string{
			"model-request ok: turn order", "call create_order unknown committed-not-replied", "effect create_order ok",
			"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}},
		{"effect, reply late", faulty(script.ReplyLate, ""), true, true, []string{
			"model-request ok: turn order", "call create_order unknown reply-late", "effect create_order ok", "model-request ok: turn done"}},
		{"killed before the reply", faulty(script.CommittedNotReplied, `,"kill":true`), false, false, []string{
			"model-request ok: turn order", "call create_order unknown committed-not-replied", "effect create_order ok", "boundary",
			"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}},
		{"killed before the effect", faulty(script.PersistedNotDispatched, `,"kill":true`), false, false, []string{
			"model-request ok: turn order", "call create_order unknown persisted-not-dispatched", "boundary",
			"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}},
		{"killed after the reply", faulty(script.RepliedNotRecorded, ""), false, false, []string{
			"model-request ok: turn order", "call create_order ok replied-not-recorded", "effect create_order ok", "boundary",
			"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}},
		{"killed after the reply, written down", faulty(script.RepliedNotRecorded, ""), true, false, []string{
			"model-request ok: turn order", "call create_order ok replied-not-recorded", "effect create_order ok", "boundary",
			"model-request ok: turn done"}},
		{"killed inside the message", faulty(script.BeforePersist, `,"kill":true`), true, false, []string{
			"model-request ok before-persist: turn order", "boundary",
			"model-request ok: turn order", "call create_order ok", "effect create_order ok", "model-request ok: turn done"}},
		{"cut inside a call", faulty(script.StreamCutInside, ""), true, false, []string{
			"model-request ok stream-cut-inside: turn order",
			"model-request ok: turn order", "call create_order ok", "effect create_order ok", "model-request ok: turn done"}},
		{"cut before", faulty(script.StreamCutBefore, `,"turn":"done"`), true, false, []string{
			"model-request ok: turn order", "call create_order ok", "effect create_order ok",
			"model-request ok stream-cut-before: turn done", "model-request ok: turn done"}},
		{"cut after a call", faulty(script.StreamCutAfterCall, ""), true, false, []string{
			"model-request ok stream-cut-after-call: turn order",
			"model-request ok: turn order", "call create_order ok", "effect create_order ok", "model-request ok: turn done"}},
		{"delivered twice", faulty(script.DuplicateDelivery, ""), true, false, []string{
			"model-request ok duplicate-delivery: turn order", "call create_order ok", "effect create_order ok",
			"call create_order ok loop", "effect create_order ok loop", "model-request ok: turn done"}},
		{"refused", faulty(script.StoppedByProvider, ""), true, false, []string{
			"model-request ok provider-stop: turn order", "provider-stop"}},
		{"the second one", faulty(script.StreamCutBefore, `,"nth":2`), true, false, []string{
			"model-request ok: turn order", "call create_order ok", "effect create_order ok",
			"model-request ok stream-cut-before: turn done", "model-request ok: turn done"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := play(t, tc.script, Options{Passive: tc.passive}, tc.keeps, nil)
			got := slices.DeleteFunc(st.kinds(), func(s string) bool { return s == "user-request" })
			require.Equal(t, tc.want, got)
			require.Equal(t, []script.Point{st.script.Fault.Point}, st.Fired())
			require.Empty(t, texts(st.Failures(), Unmet))
		})
	}
}

// TestStale: the harness is killed when the model hears of the effect, and the
// next session is told what the script says.
func TestStale(t *testing.T) {
	text := shop(`"resume":"Nothing is ordered yet.","fault":{"point":"stale-summary"},`)
	st := play(t, text, Options{}, false, nil)
	require.Equal(t, []string{"user-request", "model-request ok: turn order", "call create_order ok", "effect create_order ok",
		"model-request unknown stale-summary: ", "boundary", "user-request",
		"model-request ok: turn order", "call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}, st.kinds())
	require.Equal(t, "Nothing is ordered yet.", st.Ledger()[6].Text)
}

// TestUnless: a request that says that a turn is done skips it.
func TestUnless(t *testing.T) {
	st := open(t, strings.Replace(shop(""), `"id":"order"`, `"unless":["the mug is ordered"],"id":"order"`, 1), Options{})
	c := st.client(t, dialect.Chat, "create_order")
	c.history[0].said = "Go on: the mug is ordered."
	said, err := c.run()
	require.NoError(t, err)
	require.Equal(t, "The order is placed.", said)
	require.Empty(t, st.Failures())
}

// TestParallelReplyLost: one of two replies does not come; only its call is
// asked again, whatever the order in which they were carried out.
func TestParallelReplyLost(t *testing.T) {
	two := strings.Replace(faulty(script.ParallelReplyLost, `,"nth":2`), `"calls":[`, `"calls":[{"tool":"create_order","args":{"account":17,"sku":"mug-blue"}},`, 1)
	st := play(t, two, Options{}, true, nil)
	require.Equal(t, []string{"user-request", "model-request ok: turn order", "call create_order ok", "effect create_order ok",
		"call create_order unknown parallel-reply-lost", "effect create_order ok", "model-request ok: turn order",
		"call create_order ok model", "effect create_order ok model", "model-request ok: turn done"}, st.kinds())
	require.Equal(t, "mug-red", st.Ledger()[7].Args["sku"])
}

// TestAskedAgain: an answer that stays unclear is asked for three times more.
func TestAskedAgain(t *testing.T) {
	st := open(t, shop(""), Options{})
	c := st.client(t, dialect.Chat, "create_order")
	ids := map[string]bool{}
	for {
		_, calls, err := c.ask()
		require.NoError(t, err)
		if len(calls) == 0 {
			break
		}
		ids[calls[0].ID] = true
		c.result(calls[0], "The request timed out.")
	}
	require.Len(t, ids, 4)
}

// TestNotReplayable: what no world can cause is said before anything runs.
func TestNotReplayable(t *testing.T) {
	kill := func(script.Point) {}
	for want, tc := range map[string]struct {
		text string
		o    Options
	}{
		"approvals do not pass":  {faulty(script.ApprovedNotDispatched, ""), Options{Kill: kill}},
		"resume or files":        {faulty(script.StaleSummary, ""), Options{Kill: kill}},
		"neither is given":       {faulty(script.DeadProcess, ""), Options{Kill: kill}},
		"how long this harness":  {faulty(script.ReplyLate, ""), Options{}},
		"nobody is there":        {faulty(script.RepliedNotRecorded, ""), Options{}},
		"to kill the harness":    {faulty(script.CommittedNotReplied, `,"kill":true`), Options{}},
		"no turn has two calls":  {faulty(script.ParallelReplyLost, ""), Options{}},
		"no turn has such":       {faulty(script.StreamCutInside, `,"turn":"done"`), Options{}},
		"no tool of the script":  {`{"version":1,"prompt":"p","turns":[{"id":"a","say":"x"}],"fault":{"point":"committed-not-replied"},"expect":[]}`, Options{}},
		"the harness's own tool": {`{"version":1,"prompt":"p","turns":[{"id":"a","say":"x"}],"tools":[{"name":"bash","via":"builtin"}],"fault":{"point":"committed-not-replied","tool":"bash"},"expect":[]}`, Options{}},
	} {
		s, err := script.Parse("t", []byte(tc.text))
		require.NoError(t, err)
		_, err = New(s, tc.o)
		require.ErrorIs(t, err, ErrNotReplayable, want)
		require.ErrorContains(t, err, want)
	}
}

// TestLastBreath: between a kill and the restart nothing counts.
func TestLastBreath(t *testing.T) {
	st := open(t, faulty(script.CommittedNotReplied, `,"kill":true`), Options{Kill: func(script.Point) {}})
	c := st.client(t, dialect.Chat, "create_order")
	_, calls, err := c.ask()
	require.NoError(t, err)
	_, err = c.send("create_order", calls[0].Args)
	require.ErrorIs(t, err, errNoAnswer)
	before := st.Ledger()
	_, err = c.send("create_order", calls[0].Args)
	require.ErrorIs(t, err, errNoAnswer)
	_, _, err = c.ask()
	require.Error(t, err)
	require.Equal(t, before, st.Ledger())
	st.Restarted()
	c.http.CloseIdleConnections()
	_, _, err = c.ask()
	require.NoError(t, err)
}

// TestKillAfterReply: the reply is there before the kill.
func TestKillAfterReply(t *testing.T) {
	killed, got := make(chan bool), make(chan string, 1)
	st := open(t, faulty(script.RepliedNotRecorded, ""), Options{Kill: func(script.Point) { <-killed }})
	c := st.client(t, dialect.Chat, "create_order")
	_, calls, err := c.ask()
	require.NoError(t, err)
	text, err := c.send("create_order", calls[0].Args) // it returns while the kill still waits
	require.NoError(t, err)
	got <- text
	require.Contains(t, <-got, `"id":"order-`)
	close(killed)
}

// TestStreamCut: in a stream the complete call arrives, and its end does not.
func TestStreamCut(t *testing.T) {
	for name, body := range map[dialect.Name]string{
		dialect.Chat:      `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"create_order"}}]}`,
		dialect.Responses: `{"model":"m","stream":true,"input":"x","tools":[{"type":"function","name":"create_order"}]}`,
		dialect.Messages:  `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"create_order"}]}`,
	} {
		st := open(t, faulty(script.StreamCutAfterCall, ""), Options{})
		read := func() (string, error) {
			resp, err := http.Post(st.model+paths[name], "application/json", strings.NewReader(body))
			require.NoError(t, err)
			defer resp.Body.Close()
			data, err := io.ReadAll(resp.Body)
			return string(data), err
		}
		cut, err := read()
		require.Error(t, err, name)
		require.Contains(t, cut, "call_", name)
		whole, err := read()
		require.NoError(t, err, name)
		require.Greater(t, len(whole), len(cut), name)
	}
}
