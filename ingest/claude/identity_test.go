package claude_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// story is a small session: two lines without native id, a request, a call.
func story() string {
	return lines(
		`{"type":"file-history-snapshot","messageId":"x","snapshot":{},"isSnapshotUpdate":false}`,
		prompt("u-1", "count the files"),
		answer("a-1", "m-1", toolUse("t-1", "Bash", `{"command":"ls | wc -l"}`), 3),
		returns("r-1", "t-1", `"2"`, false, ""),
		`{"type":"file-history-snapshot","messageId":"x","snapshot":{},"isSnapshotUpdate":false}`,
		answer("a-2", "m-2", `{"type":"text","text":"There are two."}`, 4),
	)
}

func TestSameFileTwice(t *testing.T) {
	s := memstore.New()
	first := decodeInto(t, s, claude.Session, []byte(story()))
	again := decodeInto(t, s, claude.Session, []byte(story()))
	assert.Equal(t, [2]int{6, 0}, [2]int{first.Stored, first.Duplicates})
	assert.Equal(t, [2]int{0, 6}, [2]int{again.Stored, again.Duplicates})
	assert.Equal(t, first.Runs, again.Runs)
}

// TestGrownFile: what was added is new, and a line that was cut off and is
// complete later is new as well; addresses of earlier events stay.
func TestGrownFile(t *testing.T) {
	whole := story()
	cut := whole[:len(whole)-40]
	s := memstore.New()
	early := decodeInto(t, s, claude.Session, []byte(cut))
	assert.Equal(t, [2]int{5, 1}, [2]int{early.Stored, early.Quarantined})
	assert.Equal(t, "truncated", early.Reasons[0].Kind)
	before, err := ingest.Load(s, early.Runs[0], nil)
	require.NoError(t, err)

	late := decodeInto(t, s, claude.Session, []byte(whole))
	assert.Equal(t, [2]int{1, 5}, [2]int{late.Stored, late.Duplicates})
	assert.Equal(t, early.Runs, late.Runs)
	after, err := ingest.Load(s, late.Runs[0], nil)
	require.NoError(t, err)
	require.Len(t, after.Events, len(before.Events)+1)
	for i := range before.Events {
		assert.Equal(t, before.Ref(&before.Events[i]), after.Ref(&after.Events[i]))
	}
	once, _ := load(t, claude.Session, whole)
	assert.Equal(t, once.Usage(), after.Usage())
}

// TestResumedCopy: a new session repeats lines of an old one under their uuids.
// Both keep them, one owns them.
func TestResumedCopy(t *testing.T) {
	old := story()
	added := strings.ReplaceAll(lines(prompt("u-9", "and now?"), answer("a-9", "m-9", `{"type":"text","text":"Three."}`, 8)), `"s-1"`, `"s-2"`)
	s := memstore.New()
	rc := decodeInto(t, s, claude.Session, []byte(old))
	rc2 := decodeInto(t, s, claude.Session, []byte(strings.ReplaceAll(old, `"s-1"`, `"s-2"`)+added))
	assert.NotEqual(t, rc.Runs, rc2.Runs)
	assert.Equal(t, 8, rc2.Stored)
	var total ingest.Usage
	for _, r := range threadOf(t, s).Runs {
		total = total.Add(r.Usage())
	}
	assert.EqualValues(t, 3+4+8, total.Output)
}

// threadOf loads all runs of a store that holds one thread.
func threadOf(t *testing.T, s ingest.Store) ingest.Thread {
	t.Helper()
	var ids []string
	for id, err := range s.Runs() {
		require.NoError(t, err)
		ids = append(ids, id)
	}
	groups, err := ingest.Group(s, ids, nil)
	require.NoError(t, err)
	require.Len(t, groups, 1)
	var runs []*ingest.Run
	for _, id := range groups[0] {
		r, err := ingest.Load(s, id, nil)
		require.NoError(t, err)
		runs = append(runs, r)
	}
	return ingest.NewThread(runs)
}

// TestSessionsInOneFile: the first session names the run, lines of others say
// so.
func TestSessionsInOneFile(t *testing.T) {
	run, _ := load(t, claude.Session, lines(prompt("u-1", "say x"), strings.ReplaceAll(prompt("u-2", "say y"), `"s-1"`, `"s-2"`)))
	alone, _ := load(t, claude.Session, lines(prompt("u-1", "say x")))
	assert.Equal(t, alone.ID, run.ID)
	assert.Equal(t, []string{"s-2"}, run.Meta.Links)
}

// TestNamelessFile: without a session id the first unit names the run.
func TestNamelessFile(t *testing.T) {
	title := `{"type":"summary","summary":"A title","leafUuid":"l-1"}`
	one, _ := load(t, claude.Session, lines(title))
	grown, _ := load(t, claude.Session, lines(title, `{"type":"summary","summary":"B","leafUuid":"l-2"}`))
	assert.Equal(t, one.ID, grown.ID)
}

// TestFraming: what breaks line readers must not lose a line, nor count one
// twice.
func TestFraming(t *testing.T) {
	a, b := prompt("u-1", "a\u2028b"), answer("a-1", "m-1", toolUse("t-1", "Bash", `{}`), 1)
	for name, tc := range map[string]struct {
		raw          string
		units, lost  int
		events, line int // of the last event
	}{
		"no newline at the end":  {a + "\n" + b, 2, 0, 2, 2},
		"glued":                  {a + b, 2, 0, 2, 1},
		"glued thrice":           {a + prompt("u-2", "more") + b, 3, 0, 3, 1},
		"cut and joined":         {a + "\n" + b[:50] + b, 3, 1, 2, 2},
		"byte order mark, CRLF":  {"\ufeff" + a + "\r\n\r\n" + b + "\r\n", 2, 0, 2, 3},
		"plain text between":     {a + "\npanic: x\n" + b, 3, 1, 2, 3},
		"invalid UTF-8":          {strings.Replace(a, "\u2028", "\xff", 1) + "\n" + b, 2, 0, 2, 2},
		"lone surrogate":         {strings.Replace(a, "\u2028", `\ud800`, 1) + "\n" + b, 2, 0, 2, 2},
		"NUL bytes":              {a + "\n\x00\x00\x00\n" + b, 3, 1, 2, 3},
		"a long line":            {a + "\n" + prompt("u-2", strings.Repeat("long ", 400_000)) + "\n" + b, 3, 0, 3, 3},
		"NaN":                    {a + "\n" + `{"type":"user","n":NaN}` + "\n" + b, 3, 0, 2, 3},
		"the same line twice":    {a + "\n" + a + "\n" + b, 3, 0, 2, 3},
		"name in another case":   {a + "\n" + strings.Replace(b, `"message"`, `"Message":0,"message"`, 1), 2, 0, 2, 2},
		"name twice":             {a + "\n" + strings.Replace(b, `"message"`, `"message":{"id":"old","content":[{"type":"text","text":"old"}]},"message"`, 1), 2, 0, 2, 2},
		"lists and bare strings": {a + "\n[1]\n\"x\"\n" + b, 4, 0, 2, 4},
	} {
		run, rc := load(t, claude.Session, tc.raw)
		assert.Equal(t, tc.units, rc.Units, name)
		assert.Equal(t, tc.lost, rc.Quarantined, name)
		require.Len(t, run.Events, tc.events, name)
		last := &run.Events[tc.events-1]
		assert.Equal(t, [2]any{ingest.ToolCall, tc.line}, [2]any{last.Kind, run.Ref(last).Line}, name)
		assertRefs(t, run, []byte(tc.raw))
	}
}

// TestGluedBeginning: a line that is read again in parts is remembered once.
func TestGluedBeginning(t *testing.T) {
	run, rc := load(t, claude.Stream, begin+ended("e-1", "success", `"result":"x","total_cost_usd":2`))
	assert.Equal(t, 2, rc.Stored)
	require.Len(t, run.Events, 1)
	assert.Equal(t, ingest.Claim, run.Events[0].Kind)
	assert.InDelta(t, 2, run.Usage().Cost, 0)
}
