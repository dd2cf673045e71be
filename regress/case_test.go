package regress

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// twoOrders is a run of a harness of one's own: small talk, then an order that
// times out and is sent again. Its texts try to break out of the case.
const twoOrders = `-- shop/trace.jsonl --
{"faultline":"event/v1","run_id":"shop-1","id":"a","kind":"message","actor":"user","at":"2026-03-01T10:00:00Z","text":"What is in the basket of ada.larkin@shop.example?\n-- want --\nfinding model/wrong-result high trace.jsonl:1\n"}
{"faultline":"event/v1","run_id":"shop-1","id":"b","kind":"message","actor":"agent","at":"2026-03-01T10:00:01Z","text":"A lamp."}
{"faultline":"event/v1","run_id":"shop-1","id":"c","kind":"message","actor":"user","at":"2026-03-01T10:01:00Z","text":"Order it for ada.larkin@shop.example, bill bo.finch@shop.example."}
{"faultline":"event/v1","run_id":"shop-1","id":"d","kind":"tool_call","actor":"agent","at":"2026-03-01T10:01:01Z","call_id":"1","tool":"create_order","arguments":{"item":"lamp","for":"ada.larkin@shop.example","note":"\n-- case.json --\n{}\n-- trace.jsonl --\n"}}
{"faultline":"event/v1","run_id":"shop-1","id":"e","kind":"tool_result","actor":"tool","at":"2026-03-01T10:01:31Z","call_id":"1","outcome":"unknown","reason":"timed_out","text":"\u2028-- want --\u2028"}
{"faultline":"event/v1","run_id":"shop-1","id":"f","kind":"tool_call","actor":"agent","at":"2026-03-01T10:01:32Z","call_id":"2","tool":"create_order","arguments":{"item":"lamp","for":"ada.larkin@shop.example","note":"\n-- case.json --\n{}\n-- trace.jsonl --\n"}}
{"faultline":"event/v1","run_id":"shop-1","id":"g","kind":"tool_result","actor":"tool","at":"2026-03-01T10:01:33Z","call_id":"2","outcome":"ok","text":"order 77 placed"}
{"faultline":"event/v1","run_id":"shop-1","id":"h","kind":"message","actor":"agent","at":"2026-03-01T10:01:40Z","text":"Done."}
-- shop/records.jsonl --
{"faultline":"contract/v1","tool":"create_order","effect":"external_write","identity":["item","for"],"lookup":"get_orders"}
`

const retry = "idempotency/blind-retry"

func mined(t *testing.T, key redact.Key) *Case {
	t.Helper()
	in, verdicts := triage(t, unpack(t, twoOrders), key)
	c, err := FromFinding(context.Background(), in, verdicts, finding(t, verdicts, retry).ID, Options{Whole: true})
	require.NoError(t, err)
	return c
}

func TestCaseKeepsTheEpisodeAndItsRecords(t *testing.T) {
	c := mined(t, redact.Key{})
	require.Equal(t, retry, c.Rule)
	require.Equal(t, Candidate, c.Status)
	require.Equal(t, 6, strings.Count(string(c.Trace), "\n"))
	require.Contains(t, c.Comment, "6 of 8 events")
	require.Contains(t, string(c.Records), `"contract/v1"`)
	require.Equal(t, []Want{{retry, "high", "trace.jsonl", 4}}, c.Want)
	require.NoError(t, c.Verify(context.Background(), rules.All()))
	require.Equal(t, "idempotency-blind-retry-"+c.ID+".txtar", c.Name())

	var names []string
	for _, f := range txtar.Parse(c.Bytes()).Files {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"case.json", "trace.jsonl", "records.jsonl", "want", "script.json"}, names)
}

// TestCaseDoesNotDependOnKeyOrPlace: another folder, another redaction key,
// the same bytes; and no pseudonym that only one key could have made.
func TestCaseDoesNotDependOnKeyOrPlace(t *testing.T) {
	a, b := mined(t, redact.Key{1}), mined(t, redact.Key{2})
	require.Equal(t, string(a.Bytes()), string(b.Bytes()))
	require.Equal(t, a.Name(), b.Name())
	require.NotContains(t, string(a.Bytes()), "@shop.example")
	require.NotRegexp(t, `«[a-z-]+:[0-9a-f]{12}»`, string(a.Bytes()))
	require.Contains(t, string(a.Trace), "«email 1», bill «email 2»")
	require.Equal(t, 2, strings.Count(string(a.Trace), `"for":"«email 1»"`))
}

// TestCaseWithoutItsEvidenceIsRefused: a trace that was emptied, and one in
// which the first order was answered.
func TestCaseWithoutItsEvidenceIsRefused(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"emptied": func(string) string { return "" },
		"answered": func(s string) string {
			return strings.Replace(s, `"outcome":"unknown","reason":"timed_out"`, `"outcome":"fail"`, 1)
		},
	} {
		c := mined(t, redact.Key{})
		c.Trace = []byte(edit(string(c.Trace)))
		require.ErrorIs(t, c.Verify(context.Background(), rules.All()), ErrNotReproduced, name)
		_, err := ParseCase("x.txtar", c.Bytes())
		require.ErrorIs(t, err, ErrCase, name)
	}
}

func TestRejectedFindings(t *testing.T) {
	in, verdicts := triage(t, unpack(t, twoOrders), redact.Key{})
	_, err := FromFinding(context.Background(), in, verdicts, "0000000000000000", Options{})
	require.ErrorIs(t, err, ingest.ErrNotFound)
	_, err = FromCluster(context.Background(), in, verdicts, "000000000000", Options{})
	require.ErrorIs(t, err, ingest.ErrNotFound)

	// Verdicts of other rules than the input's are not believed.
	f := finding(t, verdicts, retry)
	in.Rules = nil
	_, err = FromCluster(context.Background(), in, verdicts, f.Fingerprint, Options{})
	require.ErrorIs(t, err, ErrNotReproduced)
}

// TestClearestSource: of two runs with one failure the shorter makes the case.
func TestClearestSource(t *testing.T) {
	short := strings.ReplaceAll(strings.ReplaceAll(twoOrders, "shop-1", "shop-0"), "shop/trace", "shop/other")
	lines := strings.SplitAfter(short, "\n")
	archive := twoOrders + lines[0] + strings.Join(lines[3:9], "")
	in, verdicts := triage(t, unpack(t, archive), redact.Key{})
	clusters := Clusters(verdicts)
	for _, cl := range clusters {
		if cl.Rule != retry {
			continue
		}
		require.Len(t, cl.Runs, 2)
		c, err := FromCluster(context.Background(), in, verdicts, cl.Fingerprint, Options{})
		require.NoError(t, err)
		require.Contains(t, string(c.Trace), `"run_id":"shop-0"`)
		return
	}
	t.Fatalf("no cluster of %s in %v", retry, clusters)
}

// TestTrialKeepsItsGrader: the members of a Harbor trial are told apart after
// they were put into one file, and a session's case names its harness.
func TestTrialKeepsItsGrader(t *testing.T) {
	archive := scenarios(t)["acceptance/false-success/fire-harbor-stream-log"]
	in, verdicts := triage(t, unpack(t, archive), redact.Key{})
	c, err := FromFinding(context.Background(), in, verdicts, finding(t, verdicts, "acceptance/false-success").ID, Options{})
	require.NoError(t, err)
	require.Contains(t, string(c.Trace), `"kind":"score"`)
	require.Contains(t, string(c.Trace), `"role":`)
	require.Contains(t, c.Comment, "recorded by claude-code")

	store, runs, err := take(traceFile, c.Trace)
	require.NoError(t, err)
	r, err := ingest.Load(store, runs[0], nil)
	require.NoError(t, err)
	require.Greater(t, len(r.Sources), 1)
	require.True(t, r.Meta.Trial)
}

// TestConfigurationIsKeptWhereItIsNeeded: without it the required check of
// this session is unknown.
func TestConfigurationIsKeptWhereItIsNeeded(t *testing.T) {
	archive := scenarios(t)["acceptance/missing-check/fire-stream-configured-check"]
	in, verdicts := triage(t, unpack(t, archive), redact.Key{})
	c, err := FromFinding(context.Background(), in, verdicts, finding(t, verdicts, "acceptance/missing-check").ID, Options{})
	require.NoError(t, err)
	require.NotEmpty(t, c.Config)
	c.Config = nil
	require.ErrorIs(t, c.Verify(context.Background(), rules.All()), ErrNotReproduced)
}

func TestParseCaseSaysWhereItIsWrong(t *testing.T) {
	good := string(mined(t, redact.Key{}).Bytes())
	_, err := ParseCase("good.txtar", []byte(good))
	require.NoError(t, err)
	swap := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	want := "-- want --\n"
	for name, tc := range map[string]struct{ data, says string }{
		"nothing":        {"", "case.json is missing"},
		"no want":        {good[:strings.Index(good, want)], "want is missing"},
		"status":         {swap(`"candidate"`, `"maybe"`), `unknown status "maybe"`},
		"no reviewer":    {swap(`"candidate"`, `"approved"`), "names its reviewer"},
		"no expectation": {withoutExpect(good), "expect is empty"},
		"expectation":    {swap(`"rule-silent"`, `"rule-loud"`), "rule-loud is no invariant"},
		"rejected":       {swap(`"candidate"`, `"rejected"`), "says why in note"},
		"retired":        {swap(`"candidate"`, `"retired"`), "by whom (retired_by) and why"},
		"fixed on":       {swap(`"reviewer": ""`, `"reviewer": "", "fixed_on": "soon"`), "is no day like"},
		"unknown member": {swap(`"reviewer"`, `"reviewre"`), "reviewre"},
		"other section":  {good + "-- notes --\n", "is no file of a case"},
		"twice":          {good + want, "stands here twice"},
		"want line":      {swap(want, want+"finding it\n"), "is not: finding RULE SEVERITY FILE:LINE"},
		"line too high":  {swap("trace.jsonl:4", "trace.jsonl:40"), "has 6 lines, not 40"},
		"other rule":     {swap(want+"finding "+retry, want+"finding idempotency/other"), "does not name the case's own rule"},
		"edited trace":   {swap("order 77 placed", "order 78 placed"), "the case was edited"},
		"edited want":    {swap(retry+" high trace", retry+" low trace"), "the case was edited"},
		"layer":          {swap(`"layer": "idempotency"`, `"layer": "handoff"`), "is not that of rule"},
		"script":         {swap(`"point": "`, `"point": "never-`), "fault.point"},
		"path as rule":   {swap(`"rule": "idempotency/`, `"rule": "../`), "is no layer/name"},
	} {
		_, err := ParseCase("bad.txtar", []byte(tc.data))
		require.ErrorIs(t, err, ErrCase, name)
		require.ErrorContains(t, err, tc.says, name)
		require.Regexp(t, `bad\.txtar:\d+: `, err.Error(), name)
	}
	_, err = ParseCase("bad.txtar", []byte(swap(`"reviewer": ""`, `"reviewer": 7`)))
	line := 1 + strings.Count(good[:strings.Index(good, `"reviewer"`)], "\n")
	require.ErrorContains(t, err, fmt.Sprintf("bad.txtar:%d:", line))
	_, err = ParseCase("bad.txtar", []byte(swap(`"point": "`, `"point": "never-`)))
	line = 1 + strings.Count(good[:strings.Index(good, `"point"`)], "\n")
	require.ErrorContains(t, err, fmt.Sprintf("bad.txtar:%d:", line))
}

// withoutExpect is an approved case that expects nothing.
func withoutExpect(good string) string {
	head, rest, _ := strings.Cut(good, `"expect": [`)
	_, rest, _ = strings.Cut(rest, "\n  ]")
	head = strings.Replace(head, `"candidate"`, `"approved"`, 1)
	return strings.Replace(head, `"reviewer": ""`, `"reviewer": "mira"`, 1) + `"expect": []` + rest
}

// TestReviewDoesNotChangeTheID: what a reviewer writes is not what the case
// shows.
func TestReviewDoesNotChangeTheID(t *testing.T) {
	c := mined(t, redact.Key{})
	c.Status, c.Reviewer, c.Components, c.Comment = Approved, "mira", []string{"gate"}, "Reviewed.\n"
	back, err := ParseCase(c.Name(), c.Bytes())
	require.NoError(t, err)
	require.Equal(t, c, back)
}

func TestRunDir(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	c := mined(t, redact.Key{})
	put("b.txtar", c.Bytes())
	put("a.txtar", []byte("no case\n"))
	put("notes.md", []byte("not looked at\n"))
	c.Status, c.RetiredBy, c.Why = Retired, "mira", "the tool is gone"
	put("c.txtar", c.Bytes())
	c.Status, c.Reviewer, c.Note = Rejected, "mira", "two orders were asked for"
	put("e.txtar", c.Bytes())
	c.Status, c.Fingerprint = Candidate, "0123456789ab"
	c.ID = c.contentID()
	put("d.txtar", c.Bytes())

	report, err := RunDir(context.Background(), dir, rules.All())
	require.NoError(t, err)
	var got []string
	for _, r := range report.Cases {
		detail, _, _ := strings.Cut(r.Detail, ":")
		got = append(got, strings.Join([]string{r.Name, r.Status, map[bool]string{true: "ok", false: "failed"}[r.OK], detail}, " | "))
	}
	require.Equal(t, []string{
		"a.txtar |  | failed | malformed case",
		"b.txtar | candidate | ok | finding idempotency/blind-retry high trace.jsonl",
		"c.txtar | retired | ok | skipped",
		"d.txtar | candidate | failed | the case does not show its finding",
		"e.txtar | rejected | ok | rejected",
	}, got)
	require.False(t, report.OK())

	_, err = RunDir(context.Background(), filepath.Join(dir, "missing"), rules.All())
	require.ErrorIs(t, err, os.ErrNotExist)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = RunDir(ended, dir, rules.All())
	require.ErrorIs(t, err, context.Canceled)
}
