package review_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/review"
)

var ctx = context.Background()

// mined makes the case of the only finding of a rule in an archive.
func mined(t *testing.T, ar *txtar.Archive, rule string) *regress.Case {
	t.Helper()
	dir := t.TempDir()
	for _, f := range ar.Files {
		if f.Name == "want" {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, f.Data, 0o644))
	}
	store := memstore.New()
	res, err := scan.Run(ctx, []string{dir}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All(), Workers: 1}
	for _, path := range res.Configs {
		c, err := config.Load(path)
		require.NoError(t, err)
		in.Configs = append(in.Configs, c)
	}
	out, err := classify.Run(ctx, in)
	require.NoError(t, err)
	for _, v := range out.Verdicts {
		for _, f := range v.Findings {
			if f.Rule == rule {
				c, err := regress.FromFinding(ctx, in, out.Verdicts, f.ID, regress.Options{})
				require.NoError(t, err)
				c.Expect, err = review.Propose(ctx, c, in)
				require.NoError(t, err)
				return c
			}
		}
	}
	t.Fatalf("no finding of %s", rule)
	return nil
}

const twice = `-- trace.jsonl --
{"faultline":"event/v1","run_id":"r","id":"a","kind":"message","actor":"user","at":"2026-03-01T10:00:00Z","text":"Order the lamp."}
{"faultline":"event/v1","run_id":"r","id":"b","kind":"tool_call","actor":"agent","at":"2026-03-01T10:00:01Z","call_id":"1","tool":"create_order","arguments":{"item":"lamp","note":"x"}}
{"faultline":"event/v1","run_id":"r","id":"c","kind":"tool_result","actor":"tool","at":"2026-03-01T10:00:31Z","call_id":"1","outcome":"ok","text":"order 76 placed"}
{"faultline":"event/v1","run_id":"r","id":"d","kind":"tool_call","actor":"agent","at":"2026-03-01T10:00:32Z","call_id":"2","tool":"create_order","arguments":{"item":"lamp","note":"x"}}
{"faultline":"event/v1","run_id":"r","id":"e","kind":"tool_result","actor":"tool","at":"2026-03-01T10:00:33Z","call_id":"2","outcome":"ok","text":"order 77 placed"}
{"faultline":"event/v1","run_id":"r","id":"f","kind":"claim","actor":"agent","at":"2026-03-01T10:00:40Z","text":"Done."}
-- records.jsonl --
{"faultline":"contract/v1","tool":"create_order","effect":"external_write","identity":["item"],"lookup":"get_orders"}
`

const duplicate = "idempotency/duplicate-effect"

func orderedTwice(t *testing.T) *regress.Case {
	return mined(t, txtar.Parse([]byte(twice)), duplicate)
}

// once is the trace with the second order left out.
func once() []byte {
	lines := strings.SplitAfter(twice, "\n")
	return []byte(strings.Join([]string{lines[1], lines[2], lines[3], lines[6]}, ""))
}

func TestProposesWhatTheContractNames(t *testing.T) {
	c := orderedTwice(t)
	require.Equal(t, []expect.Expect{
		{Invariant: expect.RuleSilent, Rule: duplicate, Fingerprint: c.Fingerprint},
		{Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: "create_order"}, Same: []string{"item"}},
	}, c.Expect)
}

// TestProposalsOfScenarios: a proposal is always broken on the case's own
// trace, and the rules that say plainly what should have been propose it.
func TestProposalsOfScenarios(t *testing.T) {
	for rule, want := range map[string]expect.Kind{
		"idempotency/duplicate-effect":     expect.ExactlyOnce,
		"acceptance/failed-check-accepted": expect.NotAccepted,
		"acceptance/missing-check":         expect.NotAccepted,
		"handoff/repeated-work":            expect.NoRepeat,
		"acceptance/broken-invariant":      expect.Before,
		"permission/forbidden-action":      expect.Denied,
	} {
		files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "rules", filepath.FromSlash(rule), "fire*.txtar"))
		require.NoError(t, err)
		require.NotEmpty(t, files, rule)
		plain := 0
		for _, file := range files {
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			c := mined(t, ar, rule)
			results, err := review.Grade(ctx, c, rules.All(), false)
			require.NoError(t, err)
			for _, r := range results {
				require.Equal(t, expect.Broken, r.Grade, "%s: %s", file, r.Why)
				if r.Expect.Invariant == want {
					plain++
				}
			}
		}
		t.Logf("%s: %d of %d", rule, plain, len(files))
		require.Positive(t, plain, rule)
	}
}

func TestApprove(t *testing.T) {
	c := orderedTwice(t)
	yes := review.Decision{By: "mira", Why: "orders are placed once", Fixed: once(), FixedIn: "1.4.0"}
	got, err := review.Approve(ctx, c, rules.All(), yes)
	require.NoError(t, err)
	require.Equal(t, regress.Approved, got.Status)
	require.Equal(t, "mira", got.Reviewer)
	require.Equal(t, "1.4.0", got.FixedIn)
	require.Equal(t, string(once()), string(got.Fixed))
	require.Equal(t, c.ID, got.ID)
	require.Equal(t, regress.Candidate, c.Status, "what was given stays as it was")

	again, err := review.Approve(ctx, got, rules.All(), review.Decision{By: "mira", Why: "orders are placed once"})
	require.NoError(t, err)
	require.Equal(t, string(got.Bytes()), string(again.Bytes()))
}

// TestApproveRefuses what could not fail, and what a mended run would fail too.
func TestApproveRefuses(t *testing.T) {
	c := orderedTwice(t)
	yes := review.Decision{By: "mira", Why: "orders are placed once"}
	for name, tc := range map[string]struct {
		expect []expect.Expect
		edit   func(*review.Decision)
		says   string
	}{
		"nobody":                  {c.Expect, func(d *review.Decision) { d.By = " " }, "nobody is named"},
		"no words":                {c.Expect, func(d *review.Decision) { d.Why = "" }, "nothing is said"},
		"expects nothing":         {nil, nil, "expects nothing"},
		"held on its source":      {[]expect.Expect{{Invariant: expect.Never, Call: &expect.Call{Tool: "cancel_order"}}}, nil, "is not broken on the case's own trace but held"},
		"cannot be told":          {[]expect.Expect{{Invariant: expect.Stop}}, nil, "but cannot tell"},
		"twin that is not mended": {c.Expect, func(d *review.Decision) { d.Fixed = c.Trace }, "is not held on the mended trace but broken"},
		"twin that is no trace":   {c.Expect, func(d *review.Decision) { d.Fixed = []byte("mended\n") }, "fixed.jsonl"},
		"twin of nothing":         {c.Expect, func(d *review.Decision) { d.Fixed = []byte(once()[:120]) }, ""},
		"twin that is a marker":   {c.Expect, func(d *review.Decision) { d.Fixed = append(once(), "-- want --\n"...) }, ""},
	} {
		with, d := *c, yes
		with.Expect = tc.expect
		if tc.edit != nil {
			tc.edit(&d)
		}
		_, err := review.Approve(ctx, &with, rules.All(), d)
		require.ErrorIs(t, err, review.ErrRefused, name)
		require.ErrorContains(t, err, tc.says, name)
	}
}

func TestRetireAndReject(t *testing.T) {
	c := orderedTwice(t)
	retired, err := review.Retire(c, review.Decision{By: "mira", Why: "the tool is gone", FixedOn: "2026-04-01"})
	require.NoError(t, err)
	require.Equal(t, regress.Retired, retired.Status)
	_, err = review.Retire(c, review.Decision{By: "mira", Why: "gone", FixedOn: "soon"})
	require.ErrorIs(t, err, review.ErrRefused)

	rejected, err := review.Reject(c, review.Decision{By: "mira", Why: "two lamps were asked for"})
	require.NoError(t, err)
	require.Equal(t, regress.Rejected, rejected.Status)
	require.Len(t, rejected.Expect, 1)
	_, err = review.Retire(rejected, review.Decision{By: "mira", Why: "gone"})
	require.ErrorIs(t, err, review.ErrRefused)
}

// TestIdle: that a rule is silent, a harness that does nothing manages too.
func TestIdle(t *testing.T) {
	c := orderedTwice(t)
	require.False(t, review.Idle(c))
	c.Expect = c.Expect[:1]
	require.True(t, review.Idle(c))
}
