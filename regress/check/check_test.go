package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

// order is a run that orders once for each outcome given.
func order(id string, end string, outcomes ...string) txtar.File {
	var b strings.Builder
	seq := 0
	line := func(format string, args ...any) {
		seq++
		fmt.Fprintf(&b, `{"faultline":"event/v1","run_id":%q,"id":"e%d","at":"2026-05-04T09:00:%02dZ",`, id, seq, seq)
		fmt.Fprintf(&b, format+"}\n", args...)
	}
	line(`"kind":"message","actor":"user","text":"Order the mugs."`)
	for i, o := range outcomes {
		line(`"kind":"tool_call","actor":"agent","call_id":"c%d","tool":"create_order","arguments":{"account":17,"sku":"mug-red"}`, i)
		if o != "" {
			line(`"kind":"tool_result","actor":"tool","call_id":"c%d","tool":"create_order","outcome":%q,"text":"order 9%d"`, i, o, i)
		}
	}
	if end != "" {
		line(`"kind":"message","actor":"agent","text":%q`, end)
	}
	return txtar.File{Name: id + ".jsonl", Data: []byte(b.String())}
}

var once = expect.Expect{Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: "create_order"}, Same: []string{"account", "sku"}}

// TestTrials: what runs of one task come to, and that the invalid ones count.
func TestTrials(t *testing.T) {
	in := readFiles(t, []txtar.File{
		order("good", "Ordered.", "ok"),
		order("twice", "Ordered.", "ok", "ok"),
		order("unsure", "Ordered.", "unknown"),
		order("cut", "", ""),
		order("other", "Nothing to do."),
	})
	got := outcome(t, in, once)
	by := map[string]Outcome{}
	for _, trial := range got.Trials {
		name := trial.Source[strings.LastIndexByte(trial.Source, '/')+1:]
		by[strings.TrimSuffix(name, ".jsonl")] = trial.Outcome
	}
	require.Equal(t, map[string]Outcome{"good": Passed, "twice": Regressed, "unsure": CannotTell, "cut": Invalid}, by)
	require.Equal(t, Regressed, got.Outcome)
	require.Equal(t, 1, got.Passed)
	require.NotNil(t, got.Rate)
	require.InDelta(t, .25, got.Rate.PassAt, 1e-12)
	require.True(t, got.Fails())
}

// TestSummary: a case is as bad as its worst trial, and without one it passed
// nothing.
func TestSummary(t *testing.T) {
	good, cut, unsure, none := order("good", "Ordered.", "ok"), order("cut", "", ""), order("unsure", "Ordered.", "unknown"), order("none", "Hello.")
	for _, tc := range []struct {
		files []txtar.File
		want  Outcome
		fails bool
	}{
		{[]txtar.File{good}, Passed, false},
		{[]txtar.File{good, cut}, Invalid, true},
		{[]txtar.File{good, cut, unsure}, CannotTell, true},
		{[]txtar.File{none}, NotExercised, false},
	} {
		got := outcome(t, readFiles(t, tc.files), once)
		require.Equal(t, tc.want, got.Outcome, got.Detail)
		require.Equal(t, tc.fails, got.Fails())
	}
}

func TestRepeatsAndBaseline(t *testing.T) {
	ctx := context.Background()
	in := readFiles(t, []txtar.File{order("a", "Ordered.", "ok"), order("b", "Ordered.", "ok", "ok")})
	cases := []Named{approved("c1", once), approved("c2", expect.Expect{Invariant: expect.Never, Call: &expect.Call{Tool: "create_*"}})}
	cases = append(cases, Named{Name: "mined.txtar", Case: &regress.Case{ID: "c3", Status: regress.Candidate, Expect: []expect.Expect{once}}})
	first, err := Run(ctx, in, cases, Options{Repeats: 3})
	require.NoError(t, err)
	require.True(t, first.Cases[0].TooFew)
	require.InDelta(t, 1-.125, first.Cases[0].Rate.PassAt, 1e-12)
	require.InDelta(t, .125, first.Cases[0].Rate.PassAll, 1e-12)
	require.Equal(t, Skipped, first.Cases[2].Outcome)
	require.False(t, first.OK())

	data, err := NewBaseline(first).Bytes()
	require.NoError(t, err)
	base, err := ParseBaseline("b.json", data)
	require.NoError(t, err)
	again, err := Run(ctx, in, cases, Options{Baseline: base})
	require.NoError(t, err)
	require.True(t, again.Cases[0].Known)
	require.True(t, again.OK(), "what was known does not fail")

	mended, err := Run(ctx, in, cases[:1], Options{Baseline: base, Runs: []string{runOf(t, first, "a.jsonl")}})
	require.NoError(t, err)
	require.Equal(t, 1, mended.Runs)
	require.True(t, mended.Cases[0].Fixed)

	for _, bad := range []string{"", "{", `{"version":2,"cases":[]}`, `{"version":1,"case":[]}`} {
		_, err := ParseBaseline("b.json", []byte(bad))
		require.ErrorIs(t, err, ErrBaseline)
	}
}

func runOf(t *testing.T, r *Report, file string) string {
	for _, trial := range r.Cases[0].Trials {
		if strings.HasSuffix(trial.Source, file) {
			return trial.Run
		}
	}
	t.Fatalf("no trial of %s", file)
	return ""
}

// TestSeenInLogs grades invariants over scenarios of several formats: broken
// where the failure is, not where something else happened.
func TestSeenInLogs(t *testing.T) {
	gate, stop, repeat := expect.Expect{Invariant: expect.NotAccepted}, expect.Expect{Invariant: expect.Stop}, expect.Expect{Invariant: expect.NoRepeat}
	for scenario, tc := range map[string]struct {
		e    expect.Expect
		want Outcome
	}{
		"acceptance/check-not-run/fire-stream-jest-no-tests":               {gate, Regressed},
		"acceptance/check-not-run/twin-go-no-test-files":                   {gate, Passed},
		"acceptance/failed-check-accepted/fire-native-cargo-red":           {gate, Regressed},
		"acceptance/failed-check-accepted/fire-harbor-make-test-red":       {gate, Regressed},
		"acceptance/failed-check-accepted/fire-record-accepts-failed":      {gate, Regressed},
		"acceptance/failed-check-accepted/twin-record-stays-open":          {gate, NotExercised},
		"acceptance/stale-check/fire-harbor-sed-after-check":               {gate, Regressed},
		"acceptance/stale-check/fire-record-older-commit":                  {gate, Regressed},
		"acceptance/missing-check/twin-make-test":                          {gate, Passed},
		"handoff/repeated-work/fire-sqlite-insert":                         {repeat, Regressed},
		"handoff/repeated-work/fire-atif-continuation":                     {repeat, Regressed},
		"handoff/repeated-work/twin-edit-further":                          {repeat, Passed},
		"handoff/repeated-work/twin-read-again":                            {repeat, Passed},
		"handoff/repeated-work/twin-no-boundary":                           {repeat, NotExercised},
		"idempotency/dispatch-after-stop/fire-refusal-stop-reason":         {stop, Regressed},
		"idempotency/dispatch-after-stop/fire-page-published-after-filter": {stop, Regressed},
		"idempotency/dispatch-after-stop/twin-new-user-request":            {stop, Passed},
		"idempotency/dispatch-after-stop/twin-refusal-in-prose":            {stop, NotExercised},
	} {
		t.Run(scenario, func(t *testing.T) {
			got := outcome(t, read(t, scenario), tc.e)
			require.Equal(t, tc.want, got.Outcome, got.Detail)
		})
	}
}

// TestRuleSilent: a case on its rule is exercised by the rule's occasion.
func TestRuleSilent(t *testing.T) {
	const rule = "idempotency/blind-retry"
	c := approved("c1", expect.Expect{Invariant: expect.RuleSilent, Rule: rule})
	c.Rule = rule
	for scenario, want := range map[string]Outcome{"fire-gh-issue-create": Regressed, "twin-lookup-first": Passed} {
		r, err := Run(context.Background(), read(t, rule+"/"+scenario), []Named{c}, Options{})
		require.NoError(t, err)
		require.Equal(t, want, r.Cases[0].Outcome, scenario)
	}
}
