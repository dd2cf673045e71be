package derive

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// derived is the script of a scenario's finding of its own rule.
func derived(t *testing.T, rule, scenario string) (*script.Script, error) {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "fixtures", "rules", filepath.FromSlash(rule), scenario+".txtar"))
	require.NoError(t, err)
	dir, ctx := t.TempDir(), context.Background()
	for _, f := range ar.Files {
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
				return Script(ctx, in, v.Run, f)
			}
		}
	}
	t.Fatalf("no finding of %s in %s", rule, scenario)
	return nil, nil
}

// TestEffects: the write, its contract, the look-up and the fault come from the
// trace, whatever the format.
func TestEffects(t *testing.T) {
	for _, tc := range []struct {
		rule, scenario string
		tool, server   string
		identity       []string
		lookup         string
		need           script.Need
		point          script.Point
		kill           bool
	}{
		{"idempotency/blind-retry", "fire-mcp-log", "create_order", "shop", []string{"quantity", "sku"}, "find_order", script.May, script.ReplyLate, false},
		{"idempotency/blind-retry", "fire-mcp-ticket-contract", "create_ticket", "helpdesk", []string{"queue", "subject"}, "search_tickets", script.May, script.ReplyLate, false},
		{"idempotency/blind-retry", "fire-orphan-then-resent", "create_contact", "crm", []string{"company", "email", "source"}, "find_contacts", script.May, script.CommittedNotReplied, true},
		{"idempotency/blind-retry", "fire-504-body-as-result", "create_booking", "tools", []string{"night", "room"}, "find_reservation", script.May, script.CommittedNotReplied, false},
		{"idempotency/unreconciled", "fire-lookup-timed-out-too", "create_invoice", "books", []string{"number"}, "get_invoice", script.Must, script.ReplyLate, false},
		{"handoff/dropped-operation", "fire-pending-in-handoff-record", "create_purchase_order", "tools", []string{"item", "quantity", "reference"}, "find_order_order", script.Must, script.CommittedNotReplied, true},
	} {
		t.Run(tc.rule+"/"+tc.scenario, func(t *testing.T) {
			s, err := derived(t, tc.rule, tc.scenario)
			require.NoError(t, err)
			require.Len(t, s.Tools, 2)
			write, look := s.Tools[0], s.Tools[1]
			require.Equal(t, []string{tc.tool, tc.server, tc.lookup}, []string{write.Name, write.Server, look.Name})
			require.Equal(t, tc.identity, write.Identity)
			require.Equal(t, tc.need, look.Need)
			require.Equal(t, script.Fault{Point: tc.point, Tool: tc.tool, Kill: tc.kill}, *s.Fault)
			require.Equal(t, tc.tool, s.Turns[0].Calls[0].Tool)
			require.NotEmpty(t, s.Prompt)
			require.Equal(t, []expect.Expect{{Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: tc.tool}, Same: tc.identity}}, s.Expect)
			require.NoError(t, s.Validate())
		})
	}
}

// TestGatesAndStops: a claim against a red check, and a provider's stop.
func TestGatesAndStops(t *testing.T) {
	for rule, scenario := range map[string]string{
		"acceptance/check-not-run": "fire-stream-jest-no-tests", "acceptance/missing-check": "fire-chinese-task",
	} {
		s, err := derived(t, rule, scenario)
		require.NoError(t, err)
		require.Equal(t, "sh check.sh", s.Check)
		require.Contains(t, s.Files, "check.sh")
		require.Equal(t, expect.NotAccepted, s.Expect[0].Invariant)
		require.NotEmpty(t, s.Turns[0].Say)
		require.NoError(t, s.Validate())
	}
	s, err := derived(t, "idempotency/dispatch-after-stop", "fire-refusal-stop-reason")
	require.NoError(t, err)
	require.Equal(t, script.Refusal, s.Turns[0].Stop)
	require.Equal(t, expect.Stop, s.Expect[0].Invariant)
}

// TestNotDerivable: what the world cannot bring about again is said, with the
// reason.
func TestNotDerivable(t *testing.T) {
	for rule, tc := range map[string][2]string{
		"idempotency/blind-retry": {"fire-gh-issue-create", "command of the harness's own shell"},
		"handoff/repeated-work":   {"fire-write-after-compaction", "cites no write outside"},
		"acceptance/masked-exit":  {"", "needs the workspace or the model"},
		"model/wrong-result":      {"", "needs the workspace or the model"},
	} {
		scenario := tc[0]
		if scenario == "" {
			files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "rules", filepath.FromSlash(rule), "fire-*.txtar"))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			scenario = filepath.Base(files[0][:len(files[0])-len(".txtar")])
		}
		_, err := derived(t, rule, scenario)
		require.ErrorIs(t, err, ErrNotDerivable)
		require.Contains(t, Reason(err), tc[1])
	}
}
