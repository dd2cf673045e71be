package regress

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress/reduce"
)

// noisyOrders is twoOrders with looks around and between, each of which hangs
// under the one before, and a claim that rests on the last of them.
func noisyOrders() string {
	lines := strings.SplitAfter(strings.Replace(twoOrders, "\n-- want --\\nfinding", "", 1), "\n")
	n, under := 0, ""
	looks := func(count int) (out string) {
		for range count {
			n++
			out += fmt.Sprintf(`{"faultline":"event/v1","run_id":"shop-1","id":"n%d","parent_id":%q,"kind":"tool_call","actor":"agent","at":"2026-03-01T10:01:10Z","call_id":"n%d","tool":"read_file","arguments":{"path":"%d.md"}}
{"faultline":"event/v1","run_id":"shop-1","id":"m%d","parent_id":"n%d","kind":"tool_result","actor":"tool","at":"2026-03-01T10:01:10Z","call_id":"n%d","outcome":"ok","text":"a lamp"}
`, n, under, n, n, n, n, n)
			under = fmt.Sprintf("m%d", n)
		}
		return out
	}
	hang := func(line string) string { return strings.Replace(line, `"id":`, `"parent_id":"`+under+`","id":`, 1) }
	var b strings.Builder
	for i, line := range lines {
		if i == 5 || i == 7 { // before each order
			b.WriteString(looks(40))
			line = hang(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestReducedCase(t *testing.T) {
	in, verdicts := triage(t, unpack(t, noisyOrders()), redact.Key{})
	f := finding(t, verdicts, retry)
	var told []reduce.Progress
	c, err := FromFinding(context.Background(), in, verdicts, f.ID, Options{Told: func(p reduce.Progress) { told = append(told, p) }})
	require.NoError(t, err)
	require.NoError(t, c.Verify(context.Background(), rules.All()))
	require.Equal(t, f.Severity, c.Want[0].Severity)
	require.Contains(t, c.Comment, "smallest found")
	require.Equal(t, [2]int{168, 5}, c.Reduced.Events)
	require.True(t, c.Reduced.Complete)
	require.Equal(t, c.Reduced.Judged, len(told))
	require.Less(t, c.Reduced.Bytes[1]*5, c.Reduced.Bytes[0])
	require.NotContains(t, string(c.Trace), "read_file")

	again, err := FromFinding(context.Background(), in, verdicts, f.ID, Options{})
	require.NoError(t, err)
	require.Equal(t, string(c.Bytes()), string(again.Bytes()))
}

// TestSpentBudgetIsSaid: what was found until then is kept, and proved.
func TestSpentBudgetIsSaid(t *testing.T) {
	in, verdicts := triage(t, unpack(t, noisyOrders()), redact.Key{})
	c, err := FromFinding(context.Background(), in, verdicts, finding(t, verdicts, retry).ID, Options{Budget: 2})
	require.NoError(t, err)
	require.Contains(t, c.Comment, "The budget ran out")
	require.Equal(t, 2, c.Reduced.Judged)
	require.False(t, c.Reduced.Complete)
	require.NoError(t, c.Verify(context.Background(), rules.All()))
}

// TestPartsStayWellFormed: whatever is left out, each event hangs under one
// that is there, ids are unique, and calls keep their results.
func TestPartsStayWellFormed(t *testing.T) {
	in, verdicts := triage(t, unpack(t, noisyOrders()), redact.Key{})
	f := finding(t, verdicts, retry)
	m := miner{in: in, finding: f, cited: []string{f.Refs[0].Run}, family: family{}}
	var err error
	m.material, err = in.Material(context.Background(), m.cited...)
	require.NoError(t, err)
	all := scope{parts: m.everything()}
	k := shrinker{miner: &m, scope: all, parts: all.parts[0]}
	k.split()
	require.Less(t, len(k.atoms), all.events()*2/3, "calls and results are one")
	for step := 2; step < 9; step++ {
		var kept []int
		for i := 0; i < len(k.atoms); i += step {
			kept = append(kept, i)
		}
		c := &Case{}
		_, err := m.fill(c, k.keep(kept))
		require.NoError(t, err)
		ids, calls := map[string]bool{"": true}, map[string]int{}
		for line := range strings.Lines(string(c.Trace)) {
			var e record.Event
			require.NoError(t, json.Unmarshal([]byte(line), &e))
			require.True(t, ids[e.ParentID], "step %d: %s hangs under %s, which is gone", step, e.ID, e.ParentID)
			require.True(t, e.ID != "" && !ids[e.ID])
			ids[e.ID] = true
			if e.CallID != "" {
				calls[e.CallID]++
			}
		}
		for id, n := range calls {
			require.Equal(t, 2, n, id)
		}
	}
}
