package ingest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

// TestExecutions: each is written as call, result, settled, outcome, reason and
// repeats.
func TestExecutions(t *testing.T) {
	launched := result("1", ingest.Pending, "started").task("job").with(func(e *ingest.Event) { e.Reason = ingest.Launched })
	ended := harness(ingest.Message, ingest.Fail).task("job").with(func(e *ingest.Event) { e.Reason = ingest.Errored })
	stated := call("1", "t", "{}").with(func(e *ingest.Event) { e.Outcome, e.Reason = ingest.Fail, ingest.Denied })
	cut := harness(ingest.Limit, ingest.Fail).message("m").with(func(e *ingest.Event) { e.Name = ingest.Truncated })
	for name, tc := range map[string]struct {
		steps []step
		want  []string
	}{
		"call and result":              {[]step{call("1", "t", "{}"), result("1", ingest.OK, "x")}, []string{"0 1 -1 ok  0"}},
		"result without outcome":       {[]step{call("1", "t", "{}"), result("1", "", "x")}, []string{"0 1 -1 ok  0"}},
		"orphan call":                  {[]step{call("1", "t", "{}"), agent("bye")}, []string{"0 -1 -1 unknown lost 0"}},
		"orphan result":                {[]step{result("1", ingest.Fail, "x")}, []string{"-1 0 -1 fail  0"}},
		"parallel, answered crosswise": {[]step{call("1", "t", "{}"), call("2", "t", "{}"), result("2", ingest.OK, "x"), result("1", ingest.Fail, "y")}, []string{"0 3 -1 fail  0", "1 2 -1 ok  0"}},
		"no ids":                       {[]step{call("", "t", "{}"), result("", ingest.OK, "x")}, []string{"0 -1 -1 unknown lost 0", "-1 1 -1 ok  0"}},
		"call logged twice":            {[]step{call("1", "t", "{}").message("m"), call("1", "t", "{}").message("m"), result("1", ingest.OK, "x")}, []string{"0 2 -1 ok  1"}},
		"same id, other arguments":     {[]step{call("1", "t", "{}").message("m"), call("1", "t", "[]").message("m"), result("1", ingest.OK, "x"), result("1", ingest.OK, "y")}, []string{"0 2 -1 ok  0", "1 3 -1 ok  0"}},
		"id used again":                {[]step{call("1", "t", "{}").message("m"), result("1", ingest.OK, "x"), call("1", "t", "{}").message("n"), result("1", ingest.OK, "x")}, []string{"0 1 -1 ok  0", "2 3 -1 ok  0"}},
		"id used again after a loss":   {[]step{call("1", "t", "{}").message("m"), call("1", "t", "{}").message("n"), result("1", ingest.OK, "x")}, []string{"0 -1 -1 unknown lost 0", "1 2 -1 ok  0"}},
		"equal results":                {[]step{call("1", "t", "{}"), result("1", ingest.OK, "x"), result("1", ingest.OK, "x"), result("1", ingest.OK, "x")}, []string{"0 1 -1 ok  2"}},
		"two results that differ":      {[]step{call("1", "t", "{}"), result("1", ingest.OK, "x"), result("1", ingest.OK, "y")}, []string{"0 1 -1 ok  0", "0 2 -1 ok  0"}},
		"two outcomes":                 {[]step{call("1", "t", "{}"), result("1", ingest.OK, "x"), result("1", ingest.Fail, "x")}, []string{"0 1 -1 ok  0", "0 2 -1 fail  0"}},
		"background, settled":          {[]step{call("1", "t", "{}"), launched, agent("waiting"), ended, harness(ingest.Message, ingest.OK).task("job")}, []string{"0 1 3 fail error 0"}},
		"cancelled, ended after all":   {[]step{call("1", "t", "{}"), launched, harness(ingest.Message, ingest.Unknown).task("job").with(func(e *ingest.Event) { e.Reason = ingest.Interrupted }), harness(ingest.Message, ingest.OK).task("job")}, []string{"0 1 3 ok  0"}},
		"background, open":             {[]step{call("1", "t", "{}"), launched, harness(ingest.Message, ingest.Pending).task("job"), harness(ingest.Message, ingest.OK).task("other")}, []string{"0 1 -1 pending launched 0"}},
		"last call of a cut response":  {[]step{call("1", "t", "{}").message("m"), call("2", "t", "{").message("m"), cut, agent("go on")}, []string{"0 -1 -1 unknown lost 0", "1 -1 -1 fail rejected 0"}},
		"cut, but answered":            {[]step{call("1", "t", "{}").message("m"), cut, result("1", ingest.OK, "x")}, []string{"0 2 -1 ok  0"}},
		"stated by the call":           {[]step{stated}, []string{"0 -1 -1 fail denied 0"}},
		"stated by the call, shown":    {[]step{stated, result("1", "", "no")}, []string{"0 1 -1 fail denied 0"}},
		"stated by both":               {[]step{stated, result("1", ingest.OK, "yes")}, []string{"0 1 -1 ok  0"}},
		"pending on the call": {[]step{call("1", "t", "{}").task("job").with(func(e *ingest.Event) { e.Outcome = ingest.Pending }), ended},
			[]string{"0 -1 1 fail error 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, x := range runOf(t, tc.steps...).Executions() {
				got = append(got, fmt.Sprint(x.Call, " ", x.Result, " ", x.Settled, " ", x.Outcome, " ", x.Reason, " ", x.Repeats))
			}
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestRan(t *testing.T) {
	for reason, ran := range map[ingest.Reason]bool{"": true, ingest.Errored: true, ingest.TimedOut: true, ingest.Lost: true,
		ingest.Interrupted: true, ingest.Launched: true, ingest.Denied: false, ingest.Rejected: false, ingest.Cancelled: false} {
		assert.Equal(t, ran, ingest.Execution{Reason: reason}.Ran(), reason)
	}
}

// TestExecutionDetails: the tool of a result is its call's, the exit status is
// the last one known.
func TestExecutionDetails(t *testing.T) {
	two := 2
	run := runOf(t, call("1", "run", "{}"), result("1", ingest.Pending, "x").task("job").with(func(e *ingest.Event) { e.Name = "other" }),
		harness(ingest.Message, ingest.Fail).task("job").with(func(e *ingest.Event) { e.Exit = &two }),
		result("9", ingest.OK, "y").with(func(e *ingest.Event) { e.Name = "alone" }))
	x := run.Executions()
	assert.Equal(t, []string{"run", "alone"}, []string{x[0].Tool, x[1].Tool})
	assert.Equal(t, 2, *x[0].Exit)
}
