package regress

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
)

// someVerdicts are findings of every severity spread over runs, several of one
// structure in one run.
func someVerdicts(r *rand.Rand) []classify.Verdict {
	var out []classify.Verdict
	severities := []classify.Severity{classify.High, classify.Medium, classify.Low}
	for i := range 12 {
		v := classify.Verdict{Run: fmt.Sprintf("run%02d", i), Models: []string{"m1", "m2"}[:r.IntN(3)]}
		if r.IntN(3) > 0 {
			v.Began = time.Date(2026, 3, 1+r.IntN(20), 0, 0, 0, 0, time.UTC)
			v.Ended = v.Began.Add(time.Hour)
		}
		if r.IntN(4) > 0 {
			v.Harness, v.Version = "codex", fmt.Sprintf("0.%d", r.IntN(3))
		}
		for range r.IntN(5) {
			k := r.IntN(4)
			v.Findings = append(v.Findings, classify.Finding{
				Rule: fmt.Sprintf("runtime/rule-%d", k%2), Layer: classify.Runtime, Fingerprint: fmt.Sprintf("%012x", k),
				Severity: severities[r.IntN(3)], Message: fmt.Sprintf("message %d", r.IntN(9)),
			})
		}
		out = append(out, v)
	}
	return out
}

// TestMergeIsAssociative: however the verdicts are dealt out to shards and in
// whatever order and nesting those are merged, the clusters are the same.
func TestMergeIsAssociative(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		verdicts := someVerdicts(r)
		want := Clusters(verdicts)
		shards := make([][]Cluster, len(verdicts))
		for i, v := range verdicts {
			shards[i] = Clusters([]classify.Verdict{v})
		}
		for len(shards) > 1 {
			r.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
			a, b := shards[0], shards[1]
			shards = append(shards[2:], Merge(a, b))
		}
		require.Equal(t, want, shards[0], "seed %d", seed)
	}
}

func TestMergeLeavesItsArgumentsAlone(t *testing.T) {
	a := []Cluster{{Fingerprint: "b", Runs: append(make([]string, 0, 4), "r2")}, {Fingerprint: "a", Runs: []string{"r1"}}}
	b := []Cluster{{Fingerprint: "b", Runs: []string{"r1"}}}
	Merge(a, b)
	require.Equal(t, "b", a[0].Fingerprint)
	require.Equal(t, []string{"r2"}, a[0].Runs)
}

// TestClusters: low findings explain nothing by themselves and make no
// cluster; the loudest finding gives severity and title.
func TestClusters(t *testing.T) {
	find := func(fp string, s classify.Severity, message string) classify.Finding {
		return classify.Finding{Rule: "handoff/repeated-work", Layer: classify.Handoff, Fingerprint: fp, Severity: s, Message: message}
	}
	got := Clusters([]classify.Verdict{
		{Run: "r2", Findings: []classify.Finding{find("f1", classify.Medium, "a"), find("f2", classify.Low, "never shown")}},
		{Run: "r1", Findings: []classify.Finding{find("f1", classify.High, "z"), find("f1", classify.High, "y")}},
	})
	require.Equal(t, []Cluster{{Fingerprint: "f1", Rule: "handoff/repeated-work", Layer: classify.Handoff, Severity: classify.High,
		Runs: []string{"r1", "r2"}, Count: 3, Title: "y", Repeated: true, Undated: []string{"r1", "r2"}, Harnesses: []string{}, Models: []string{}}}, got)
}

// TestWhoIsAffected: times, harness versions and models come from the runs
// themselves, and a run without a time is said to be one.
func TestWhoIsAffected(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	f := []classify.Finding{{Rule: "handoff/repeated-work", Fingerprint: "f1", Severity: classify.High}}
	got := Clusters([]classify.Verdict{
		{Run: "r3", Findings: f, Began: day(7), Ended: day(9), Harness: "codex", Version: "0.9", Models: []string{"m2"}},
		{Run: "r1", Findings: f, Began: day(2), Ended: day(3), Harness: "codex", Version: "0.8", Models: []string{"m1", "m2"}},
		{Run: "r2", Findings: f, Harness: "codex", Version: "0.8"},
		{Run: "r4", Began: day(1), Ended: day(20)},
	})
	require.Len(t, got, 1)
	require.Equal(t, day(2), got[0].First)
	require.Equal(t, day(9), got[0].Last)
	require.Equal(t, []string{"r2"}, got[0].Undated)
	require.Equal(t, []string{"codex 0.8", "codex 0.9"}, got[0].Harnesses)
	require.Equal(t, []string{"m1", "m2"}, got[0].Models)
}
