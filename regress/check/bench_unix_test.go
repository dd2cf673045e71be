//go:build unix

package check

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

// BenchmarkCheck grades the runs of the demo against 1,000 approved cases, all
// rules among them. cpu-s is the whole check, judging included; x-of-judging
// sets it beside judging alone.
func BenchmarkCheck(b *testing.B) {
	ctx, store := context.Background(), memstore.New()
	res, err := scan.Run(ctx, []string{filepath.Join("..", "..", "fixtures", "demo")}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(b, err)
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All(), Workers: 1}
	var cases []Named
	for i := range 1000 {
		rule := in.Rules[i%len(in.Rules)].Name
		cases = append(cases, Named{Name: fmt.Sprintf("%d.txtar", i), Case: &regress.Case{ID: fmt.Sprint(i), Rule: rule, Status: regress.Approved, Expect: []expect.Expect{
			{Invariant: expect.RuleSilent, Rule: rule}, {Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: "create_*"}, Same: []string{"*"}},
		}}})
	}
	for b.Loop() {
		start := cpu(b)
		_, err := classify.Run(ctx, in)
		require.NoError(b, err)
		judged := cpu(b)
		r, err := Run(ctx, in, cases, Options{})
		require.NoError(b, err)
		require.Len(b, r.Cases, 1000)
		end := cpu(b)
		b.ReportMetric(end-judged, "cpu-s")
		b.ReportMetric((end-judged)/(judged-start), "x-of-judging")
	}
}

// cpu is what this process used so far, in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
