package suite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/review"
	"github.com/faultline-dev/faultline/regress/suite"
)

const twice = `{"faultline":"event/v1","run_id":"r","id":"a","kind":"message","actor":"user","at":"2026-03-01T10:00:00Z","text":"Order the lamp."}
{"faultline":"event/v1","run_id":"r","id":"b","kind":"tool_call","actor":"agent","at":"2026-03-01T10:00:01Z","call_id":"1","tool":"create_order","arguments":{"item":"lamp"}}
{"faultline":"event/v1","run_id":"r","id":"c","kind":"tool_result","actor":"tool","at":"2026-03-01T10:00:31Z","call_id":"1","outcome":"ok","text":"order 76 placed"}
{"faultline":"event/v1","run_id":"r","id":"d","kind":"tool_call","actor":"agent","at":"2026-03-01T10:00:32Z","call_id":"2","tool":"create_order","arguments":{"item":"lamp"}}
{"faultline":"event/v1","run_id":"r","id":"e","kind":"tool_result","actor":"tool","at":"2026-03-01T10:00:33Z","call_id":"2","outcome":"ok","text":"order 77 placed"}
{"faultline":"event/v1","run_id":"r","id":"f","kind":"claim","actor":"agent","at":"2026-03-01T10:00:40Z","text":"Done."}
{"faultline":"contract/v1","tool":"create_order","effect":"external_write","identity":["item"],"lookup":"get_orders"}
`

const duplicate = "idempotency/duplicate-effect"

// mined is a candidate of twice, with words put in place of others.
func mined(t testing.TB, swap ...string) *regress.Case {
	t.Helper()
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "trace.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.NewReplacer(swap...).Replace(twice)), 0o644))
	store := memstore.New()
	res, err := scan.Run(ctx, []string{file}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All(), Workers: 1}
	out, err := classify.Run(ctx, in)
	require.NoError(t, err)
	for _, f := range out.Verdicts[0].Findings {
		if f.Rule == duplicate {
			c, err := regress.FromFinding(ctx, in, out.Verdicts, f.ID, regress.Options{})
			require.NoError(t, err)
			c.Expect, err = review.Propose(ctx, c, in)
			require.NoError(t, err)
			return c
		}
	}
	t.Fatal("no finding")
	return nil
}

func approved(t testing.TB, c *regress.Case) *regress.Case {
	t.Helper()
	out, err := review.Approve(context.Background(), c, rules.All(), review.Decision{By: "mira", Why: "once"})
	require.NoError(t, err)
	return out
}

func named(name string, c *regress.Case) check.Named { return check.Named{Name: name, Case: c} }

// with is a copy of a case, changed.
func with(c *regress.Case, change func(*regress.Case)) *regress.Case {
	out := *c
	change(&out)
	return &out
}

func TestLint(t *testing.T) {
	c := mined(t)
	good := with(approved(t, c), func(c *regress.Case) { c.Components = []string{"gate"} })
	ruleOnly := with(good, func(c *regress.Case) { c.Expect = c.Expect[:1] })
	idle := with(good, func(c *regress.Case) {
		c.Expect = append(c.Expect[:1:1], expect.Expect{Invariant: expect.AtMost, N: 1, Call: &expect.Call{Tool: "create_order"}, Same: []string{"item"}})
	})
	for _, tt := range []struct {
		name string
		c    check.Named
		want []suite.Kind
	}{
		{"good", named("a", good), nil},
		{"candidate", named("a", c), []suite.Kind{suite.Unreviewed}},
		{"retired", named("a", with(c, func(c *regress.Case) { c.Status = regress.Retired })), nil},
		{"malformed", check.Named{Name: "a", Err: errors.New("a:3: no case")}, []suite.Kind{suite.Malformed}},
		{"no component", named("a", with(good, func(c *regress.Case) { c.Components = nil })), []suite.Kind{suite.Unlinked}},
		{"rule only", named("a", ruleOnly), []suite.Kind{suite.Shallow}},
		{"passes idle", named("a", idle), []suite.Kind{suite.Idle}},
		{"silent", named("a", with(good, func(c *regress.Case) { c.Fingerprint = "0123456789ab" })), []suite.Kind{suite.Silent}},
		{"toothless", named("a", with(good, func(c *regress.Case) {
			c.Expect = append(c.Expect, expect.Expect{Invariant: expect.Never, Call: &expect.Call{Tool: "cancel_order"}})
		})), []suite.Kind{suite.Toothless}},
		{"twin breaks too", named("a", with(good, func(c *regress.Case) { c.Fixed = c.Trace })), []suite.Kind{suite.Toothless, suite.Toothless}},
	} {
		got, err := suite.Lint(context.Background(), []check.Named{tt.c}, nil, rules.All())
		require.NoError(t, err)
		var kinds []suite.Kind
		for _, p := range got {
			kinds = append(kinds, p.Kind)
			require.NotEmpty(t, p.Text)
		}
		require.Equal(t, tt.want, kinds, tt.name)
	}
	got, err := suite.Lint(context.Background(), []check.Named{named("a", good), named("b", good)}, []string{"gate", "loop"}, rules.All())
	require.NoError(t, err)
	require.Equal(t, []suite.Problem{
		{Kind: suite.Twice, Name: "b", ID: good.ID, Text: "holds the same failure as a"},
		{Kind: suite.Unheld, Name: "loop", Text: "no approved case guards it"},
	}, got)
}

// TestReopened: only what a later run shows again is reopened, and later is
// what the runs themselves say.
func TestReopened(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	base := &regress.Case{ID: "c1", Rule: "a/b", Fingerprint: "f", Status: regress.Approved, Sources: []regress.Source{{Run: "old", Harness: "codex", At: day(3)}}}
	retired := with(base, func(c *regress.Case) { c.Status = regress.Retired })
	for _, tt := range []struct {
		name string
		c    *regress.Case
		run  classify.Verdict
		want string
	}{
		{"not fixed", base, classify.Verdict{Began: day(9)}, ""},
		{"candidate", with(base, func(c *regress.Case) { c.Status, c.FixedOn = regress.Candidate, "2026-03-05" }), classify.Verdict{Began: day(9)}, ""},
		{"its own run", retired, classify.Verdict{Run: "old", Began: day(9)}, ""},
		{"after the day", with(base, func(c *regress.Case) { c.FixedOn = "2026-03-05" }), classify.Verdict{Began: day(5)}, "began on 2026-03-05"},
		{"before the day", with(base, func(c *regress.Case) { c.FixedOn = "2026-03-05" }), classify.Verdict{Began: day(4)}, ""},
		{"no time", with(base, func(c *regress.Case) { c.FixedOn = "2026-03-05" }), classify.Verdict{}, ""},
		{"that version", with(base, func(c *regress.Case) { c.FixedIn = "1.4" }), classify.Verdict{Version: "1.4.0"}, "has version 1.4.0, fixed in 1.4"},
		{"later version", with(base, func(c *regress.Case) { c.FixedIn = "v1.9.0" }), classify.Verdict{Version: "1.10.0-rc1"}, "has version"},
		{"earlier version", with(base, func(c *regress.Case) { c.FixedIn = "1.10" }), classify.Verdict{Version: "1.9.9", Began: day(9)}, ""},
		{"a version before a day", with(base, func(c *regress.Case) { c.FixedIn, c.FixedOn = "1.10", "2026-03-05" }), classify.Verdict{Version: "1.9.9", Began: day(9)}, ""},
		{"another harness", with(base, func(c *regress.Case) { c.FixedIn = "1.10" }), classify.Verdict{Version: "2.0", Harness: "gemini-cli"}, ""},
		{"no number", with(base, func(c *regress.Case) { c.FixedIn = "main" }), classify.Verdict{Version: "2.0"}, ""},
		{"retired, later", retired, classify.Verdict{Began: day(4)}, "after the retired case's own"},
		{"retired, earlier", retired, classify.Verdict{Began: day(2)}, ""},
	} {
		if tt.run.Run == "" {
			tt.run.Run = "new"
		}
		tt.run.Findings = []classify.Finding{{Rule: "a/b", Fingerprint: "f", Severity: classify.High}}
		verdicts := []classify.Verdict{tt.run}
		got := suite.Hold(regress.Clusters(verdicts), verdicts, []check.Named{named("x", tt.c)})
		require.Len(t, got, 1)
		require.Len(t, got[0].Cases, 1)
		require.Equal(t, tt.c.Status == regress.Approved, got[0].Held)
		if tt.want == "" {
			require.Empty(t, got[0].Reopened, tt.name)
		} else {
			require.Contains(t, got[0].Reopened, tt.want, tt.name)
		}
	}
}

func TestCoverage(t *testing.T) {
	held := []suite.Held{{Held: true}, {}, {Cases: []suite.Holder{{}}}}
	gate := &regress.Case{ID: "c1", Status: regress.Approved, Components: []string{"gate", "loop"}}
	mine := &regress.Case{ID: "c2", Status: regress.Candidate, Components: []string{"resume"}}
	got := suite.Cover(held, []check.Named{named("a", gate), named("b", mine), {Name: "c"}}, []string{"gate", "verifier"})
	require.Equal(t, 1, got.Held)
	require.Equal(t, 2, got.Guarded)
	require.Equal(t, []suite.Component{
		{Name: "gate", Cases: []string{"c1"}}, {Name: "loop", Cases: []string{"c1"}}, {Name: "resume", Cases: []string{}}, {Name: "verifier", Cases: []string{}},
	}, got.Components)
}

// BenchmarkSuite reads and lints 10,000 approved cases, each with a trace of
// its own.
func BenchmarkSuite(b *testing.B) {
	dir, good := b.TempDir(), approved(b, mined(b))
	for i := range 10_000 {
		c := with(good, func(c *regress.Case) {
			c.Trace = []byte(strings.ReplaceAll(string(c.Trace), "lamp", fmt.Sprintf("lamp %d", i)))
		})
		_, err := regress.ParseCase(c.Name(), c.Bytes())
		_, id, _ := strings.Cut(err.Error(), `hashes to "`) // the error tells what it ought to be
		c.ID, _, _ = strings.Cut(id, `"`)
		require.NoError(b, os.WriteFile(filepath.Join(dir, c.Name()), c.Bytes(), 0o644))
	}
	b.ResetTimer()
	for b.Loop() {
		cases, err := check.Load(dir)
		require.NoError(b, err)
		require.Len(b, cases, 10_000)
		listed := b.Elapsed()
		problems, err := suite.Lint(context.Background(), cases, nil, rules.All())
		require.NoError(b, err)
		require.Len(b, problems, 2*10_000-1)
		b.ReportMetric(listed.Seconds(), "list-s")
		b.ReportMetric((b.Elapsed() - listed).Seconds(), "lint-s")
	}
}
