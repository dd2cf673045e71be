//go:build unix

package regress

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// longRun is a run of 10,000 events: an order that times out early on and is
// sent again late, with looks at files all over; and as many notes as an
// invariant allows, and one more.
func longRun(pairs, notes int) string {
	var b strings.Builder
	at := 0
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, `{"faultline":"event/v1","run_id":"long","id":"e%d","at":"2026-03-01T%02d:%02d:%02dZ",`, at, at/3600, at/60%60, at%60)
		fmt.Fprintf(&b, format+"}\n", args...)
		at++
	}
	call := func(tool, args, result string) {
		line(`"kind":"tool_call","actor":"agent","call_id":"c%d","tool":%q,"arguments":%s`, at, tool, args)
		line(`"kind":"tool_result","actor":"tool","call_id":"c%d",%s`, at-1, result)
	}
	b.WriteString("-- shop/trace.jsonl --\n")
	line(`"kind":"message","actor":"user","text":"Order the lamp, then tidy the catalogue."`)
	for i := range pairs {
		switch i {
		case pairs / 10, pairs * 9 / 10:
			outcome := `"outcome":"unknown","reason":"timed_out"`
			if i > pairs/2 {
				outcome = `"outcome":"ok","text":"order 77 placed"`
			}
			call("create_order", `{"item":"lamp"}`, outcome)
		default:
			if notes > 0 && i%(pairs/notes) == 0 {
				call("jot", fmt.Sprintf(`{"note":"page %d"}`, i), `"outcome":"ok"`)
			} else {
				call("read_file", fmt.Sprintf(`{"path":"catalogue/%d.md"}`, i), fmt.Sprintf(`"outcome":"ok","text":"page %d of the catalogue, lamps and shades"`, i))
			}
		}
	}
	line(`"kind":"message","actor":"agent","text":"Done."`)
	b.WriteString("-- shop/records.jsonl --\n" + `{"faultline":"contract/v1","tool":"create_order","effect":"external_write","identity":["item"],"lookup":"get_orders"}` + "\n")
	if notes > 0 {
		fmt.Fprintf(&b, "-- shop/faultline.yaml --\ninvariants:\n- name: few notes\n  at_most: %d\n  of: {tool: jot}\n", notes-3)
	}
	return b.String()
}

// BenchmarkReduce makes small cases of a run of 10,000 events. passes-worth is
// the processor time of one in that of judging the stored run once; the bar is
// 200 or less. Most of "far" is found in a slice, and almost nothing of what
// "many" needs can go.
func BenchmarkReduce(b *testing.B) {
	for name, shape := range map[string]struct {
		notes int
		rule  string
	}{"far": {0, retry}, "many": {500, "acceptance/broken-invariant"}} {
		b.Run(name, func(b *testing.B) {
			in, verdicts := triage(b, unpack(b, longRun(5000, shape.notes)), redact.Key{})
			f := finding(b, verdicts, shape.rule)
			for b.Loop() {
				pass := cpu(b, func() {
					for range 5 {
						_, err := classify.Run(context.Background(), in)
						require.NoError(b, err)
					}
				}) / 5
				var c *Case
				spent := cpu(b, func() {
					var err error
					c, err = FromFinding(context.Background(), in, verdicts, f.ID, Options{})
					require.NoError(b, err)
				})
				b.ReportMetric(spent/pass, "passes-worth")
				b.ReportMetric(float64(c.Reduced.Events[1]), "events")
				b.ReportMetric(float64(c.Reduced.Judged), "judged")
				b.ReportMetric(pass*1000, "pass-ms")
			}
		})
	}
}

// cpu is the processor time that do takes, in seconds.
func cpu(b *testing.B, do func()) float64 {
	b.Helper()
	var before, after syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	do()
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	seconds := func(u, s syscall.Timeval) float64 {
		return float64(u.Sec) + float64(u.Usec)/1e6 + float64(s.Sec) + float64(s.Usec)/1e6
	}
	return seconds(after.Utime, after.Stime) - seconds(before.Utime, before.Stime)
}
