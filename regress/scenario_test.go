package regress

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// TestEveryFindingBecomesACase: whatever the format, the records and the
// configuration that a finding rests on, its case shows it, is stable and
// is small enough to be read again.
func TestEveryFindingBecomesACase(t *testing.T) {
	for name, archive := range spread(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, verdicts := triage(t, unpack(t, archive), redact.Key{})
			for _, v := range verdicts {
				for _, f := range v.Findings {
					c, err := FromFinding(context.Background(), in, verdicts, f.ID, Options{})
					require.NoError(t, err, f.Rule)
					require.Equal(t, f.Rule, c.Rule)
					require.Equal(t, f.Fingerprint, c.Fingerprint)
					require.Equal(t, Candidate, c.Status)
					require.Equal(t, f.Severity, c.Want[0].Severity, f.Rule)
					require.NoError(t, c.Verify(context.Background(), rules.All()))
				}
			}
		})
	}
}

// TestExportKeepsTheVerdict: a run that is exported and read again is judged
// as it was, near-misses included, under other ids.
func TestExportKeepsTheVerdict(t *testing.T) {
	for name, archive := range spread(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, verdicts := triage(t, unpack(t, archive), redact.Key{})
			for _, v := range verdicts {
				m, err := in.Material(context.Background(), v.Run)
				require.NoError(t, err)
				if len(m.Threads[0].Runs)+len(m.Threads[0].Subs) > 1 || len(m.Records) > 0 {
					continue // a thread is exported whole; see the cases
				}
				again := reread(t, in, m.Threads[0].Runs[0], m.Config)
				require.Equal(t, essence(v), essence(again))
			}
		})
	}
}

func reread(t *testing.T, in classify.Input, r *ingest.Run, cfg *config.Config) classify.Verdict {
	t.Helper()
	data, err := Export(r)
	require.NoError(t, err)
	store, runs, err := take(traceFile, data)
	require.NoError(t, err)
	out, err := classify.Run(context.Background(), classify.Input{Store: store, Runs: runs, Global: cfg, Rules: in.Rules})
	require.NoError(t, err)
	require.Len(t, out.Verdicts, 1)
	return out.Verdicts[0]
}

// essence is a verdict without ids, places and sequence numbers.
func essence(v classify.Verdict) classify.Verdict {
	out := classify.Verdict{Layer: v.Layer, Owner: v.Owner, Format: v.Format, Task: v.Task}
	for _, e := range v.Episodes {
		e.First, e.Last = 0, 0
		out.Episodes = append(out.Episodes, e)
	}
	for _, f := range v.Findings {
		out.Findings = append(out.Findings, classify.Finding{Rule: f.Rule, Layer: f.Layer, Severity: f.Severity, Grade: f.Grade,
			Message: f.Message, Fingerprint: f.Fingerprint, Episode: f.Episode})
	}
	slices.SortFunc(out.Findings, func(a, b classify.Finding) int { // files of a trial have another order in one file
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message), a.Episode-b.Episode)
	})
	for _, a := range v.Abstentions {
		out.Abstentions = append(out.Abstentions, classify.Abstention{Rule: a.Rule, Missing: a.Missing})
	}
	return out
}
