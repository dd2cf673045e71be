package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/native"
)

// said is an event of a run with members after its head.
func said(run, id, members string) string {
	return fmt.Sprintf(`{"faultline":"event/v1","run_id":%q,"id":%q,%s}`, run, id, members)
}

const (
	ask    = `"kind":"message","actor":"user","text":"do it"`
	record = `{"faultline":"completion/v1","run_id":"r-1","decision":"accepted","house_rule":{"kept":true}}`
)

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// account is a receipt in short: stored, duplicates, skipped, quarantined.
func account(r *ingest.Receipt) [4]int {
	return [4]int{r.Stored, r.Duplicates, r.Skipped, r.Quarantined}
}

// TestFiles: how runs, records and broken lines share a file, however it is
// written.
func TestFiles(t *testing.T) {
	one, two := said("r-1", "e-1", ask), said("r-1", "e-2", `"kind":"tool_call","tool":"t","call_id":"c"`)
	other := said("r-2", "e-1", ask)
	pretty := func(doc string) string {
		return strings.NewReplacer(`{`, "{\n  ", `,"`, ",\n  \"", `}`, "\n}").Replace(doc)
	}
	for name, tc := range map[string]struct {
		data string
		want [4]int
		runs int
	}{
		"one run":                  {lines(one, two), [4]int{2}, 1},
		"two runs, interleaved":    {lines(one, other, two), [4]int{3}, 2},
		"records between":          {lines(record, one, record, two), [4]int{4}, 1},
		"records only":             {lines(record), [4]int{1}, 0},
		"type last":                {`{"run_id":"r-1","kind":"message","actor":"user","text":"x","faultline":"event/v1"}`, [4]int{1}, 1},
		"pretty":                   {pretty(one) + "\n" + pretty(two), [4]int{2}, 1},
		"pretty, one":              {pretty(record), [4]int{1}, 0},
		"pretty, larger than head": {pretty(one) + pretty(said("r-1", "e-3", `"kind":"message","text":"`+strings.Repeat("x", decode.HeadSize)+`"`)), [4]int{2}, 1},
		"pretty first, larger":     {pretty(said("r-1", "e-3", `"kind":"message","text":"`+strings.Repeat("x", decode.HeadSize)+`"`)) + pretty(one), [4]int{2}, 1},
		"pretty, broken off":       {pretty(one) + pretty(two)[:30], [4]int{1, 0, 0, 1}, 1},
		"blank lines, CRLF":        {"\r\n\r\n" + one + "\r\n\r\n" + two, [4]int{2}, 1},
		"glued":                    {one + two, [4]int{2}, 1},
		"broken between":           {lines(one, one[:50], two), [4]int{2, 0, 0, 1}, 1},
		"broken first":             {lines(one[:50], one, two), [4]int{2, 0, 0, 1}, 1},
		"unknown version":          {lines(one, strings.Replace(two, "v1", "v2", 1), strings.Replace(record, "v1", "v9", 1)), [4]int{1, 0, 0, 2}, 1},
		"unknown type":             {lines(one, `{"faultline":"span/v1","run_id":"r-1"}`, `{"run_id":"r-1"}`), [4]int{1, 0, 0, 2}, 1},
		"unknown kind":             {lines(one, said("r-1", "e-2", `"kind":"thought"`), two), [4]int{2, 0, 0, 1}, 1},
		"no run":                   {lines(one, `{"faultline":"event/v1","id":"e","kind":"message"}`, `{"faultline":"completion/v1"}`), [4]int{1, 0, 0, 2}, 1},
		"the same id and content":  {lines(one, one, two), [4]int{2, 1}, 1},
		"the same id, other words": {lines(one, strings.Replace(one, "do it", "do that", 1)), [4]int{2}, 1},
		"no ids":                   {lines(`{"faultline":"event/v1","run_id":"r-1","text":"x"}`, `{"faultline":"event/v1","run_id":"r-1","text":"x"}`), [4]int{2}, 1},
		"ids are a run's own":      {lines(one, other), [4]int{2}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			require.True(t, native.Format.Detect([]byte(tc.data)[:min(len(tc.data), decode.HeadSize)]))
			b := decodetest.New()
			r := b.Again(t, native.Format, "f", []byte(tc.data))
			assert.Equal(t, tc.want, account(r), "%+v", r)
			assert.Len(t, r.Runs, tc.runs)
			for _, id := range r.Runs {
				b.Load(t, id)
			}
		})
	}
}

// TestUnknownKind leaves no half of an event behind.
func TestUnknownKind(t *testing.T) {
	b := decodetest.New()
	run := b.Run(t, b.File(t, native.Format, "f", []byte(lines(said("r-1", "a", `"kind":"thought"`), said("r-1", "b", ask)))))
	assert.Len(t, run.Events, 1)
}

// TestRecords: a record is kept whole, unknown members too, beside the runs.
func TestRecords(t *testing.T) {
	b := decodetest.New()
	r := b.File(t, native.Format, "f", []byte(lines(record, said("r-1", "e-1", ask))))
	assert.NotContains(t, r.Runs, ingest.RecordsRun)
	run := b.Load(t, ingest.RecordsRun)
	require.Len(t, run.Events, 1)
	e := &run.Events[0]
	assert.Equal(t, []any{ingest.RecordDoc, "completion/v1"}, []any{e.Kind, e.Name})
	assert.JSONEq(t, record, string(run.Detail(e)))
}

// TestMembers: each member of an event lands where it belongs.
func TestMembers(t *testing.T) {
	b := decodetest.New()
	run := b.Run(t, b.File(t, native.Format, "f", []byte(lines(
		said("r-1", "e-1", `"kind":"tool_result","at":"2026-03-01T10:00:00+02:00","time_quality":"inferred","actor":"tool","text":"out","call_id":"c","tool":"bash",
"outcome":"fail","reason":"error","exit_code":3,"parent_id":"p","message_id":"m","agent":"a","task":"k","value":0.5,"summary":true,"open":true,
"usage":{"input_uncached":1,"cache_read":2,"cache_write_5m":3,"cache_write_1h":4,"output":5,"reasoning":6,"billed_cost":0.25},"arguments":{"x":1},"detail":[2],
"run":{"native":"s-9","cwd":"/srv","links":["l"],"grade":["usage","times"],"task":"t-1","trial":true,"part":2}`),
	))))
	e := run.Events[0]
	assert.Equal(t, "2026-03-01 08:00:00 +0000 UTC inferred", fmt.Sprint(e.At, " ", e.Quality))
	assert.Equal(t, []any{ingest.ToolResult, ingest.Tool, ingest.Fail, ingest.Errored, 3, 0.5, true, true},
		[]any{e.Kind, e.Actor, e.Outcome, e.Reason, *e.Exit, *e.Value, e.Summary, e.Open})
	assert.Equal(t, []string{"e-1", "p", "c", "m", "a", "k", "bash"}, []string{e.ID, e.Parent, e.Call, e.Message, e.Agent, e.Task, e.Name})
	assert.Equal(t, []string{"out", `{"x":1}`, `[2]`}, []string{run.Text(&e), string(run.Args(&e)), string(run.Detail(&e))})
	assert.Equal(t, ingest.Usage{InputUncached: 1, CacheRead: 2, CacheWrite5m: 3, CacheWrite1h: 4, Output: 5, Reasoning: 6, Cost: 0.25}, *e.Usage)
	assert.Equal(t, ingest.Meta{Native: "s-9", Cwd: "/srv", Links: []string{"l"}, Task: "t-1", Trial: true, Part: 2}, run.Meta)
	assert.Equal(t, ingest.HasUsage|ingest.HasTimes, run.Grade)
}

// TestOutcome: what a result does not state is read from what it does.
func TestOutcome(t *testing.T) {
	for members, want := range map[string]ingest.Outcome{
		`"kind":"tool_result"`:                                    ingest.OK,
		`"kind":"tool_result","exit_code":0`:                      ingest.OK,
		`"kind":"tool_result","exit_code":1`:                      ingest.Fail,
		`"kind":"tool_result","exit_code":null`:                   ingest.OK,
		`"kind":"tool_result","reason":"timed_out"`:               ingest.Unknown,
		`"kind":"tool_result","reason":"lost","exit_code":1`:      ingest.Unknown,
		`"kind":"tool_result","reason":"launched"`:                ingest.Pending,
		`"kind":"tool_result","reason":"denied"`:                  ingest.Fail,
		`"kind":"tool_result","outcome":"ok","exit_code":1`:       ingest.OK,
		`"kind":"tool_result","outcome":"splendid"`:               ingest.Unknown,
		`"kind":"tool_result","outcome":"none"`:                   "",
		`"kind":"tool_call"`:                                      "",
		`"kind":"check","exit_code":2`:                            ingest.Fail,
		`"kind":"tool_result","exit_code":"7"`:                    ingest.Fail,
		`"kind":"tool_result","outcome":["ok"],"reason":{"a":[]}`: ingest.OK,
	} {
		b := decodetest.New()
		run := b.Run(t, b.File(t, native.Format, "f", []byte(said("r", "e", members))))
		assert.Equal(t, want, run.Events[0].Outcome, members)
	}
}

func TestWrongTypes(t *testing.T) {
	whole := said("r-1", "e-1", `"kind":"tool_result","at":"2026-03-01T10:00:00Z","actor":"tool","text":"x","call_id":"c","exit_code":1,"value":1,"role":1,`+
		`"usage":{"output":1},"arguments":{},"run":{"links":["l"],"grade":["usage"],"part":1,"trial":true}`)
	for bad := range decodetest.Mutations([]byte(whole)) {
		r := decodetest.Survives(t, native.Format, []byte(lines(said("r-1", "e-0", ask), string(bad))))
		assert.Equal(t, 2, r.Units, "%s", bad)
		assert.GreaterOrEqual(t, r.Stored, 1, "%s", bad)
	}
}

func FuzzNative(f *testing.F) {
	f.Add([]byte(lines(said("r-1", "e-1", ask), record)))
	f.Add([]byte(lines(said("r-1", "e-1", ask), said("r-1", "e-1", ask)[:40], "{\n\"faultline\":\"event/v1\"}")))
	f.Add([]byte("{\n\"faultline\":\"event/v1\",\n\"run_id\":\"r\",\"role\":3}\n{\n\"faultline\":\"trial/v1\",\"run_id\":\"r\"}"))
	f.Add([]byte(`{"run_id":"r","usage":{"output":1e99},"at":1700000000000,"faultline":"event/v1"}{"faultline":"x/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) { decodetest.Survives(t, native.Format, data) })
}
