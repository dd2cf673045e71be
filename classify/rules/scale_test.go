package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// shapes are runs made to be slow to judge: many of one thing in one run.
var shapes = map[string]func(i int) []string{
	"checks": func(i int) []string {
		return call(i, "Bash", fmt.Sprintf(`{"command":"pytest tests/test_%d.py"}`, i), `"outcome":"fail","exit_code":1,"text":"1 failed, 3 passed in 0.1s"`)
	},
	"edits": func(i int) []string {
		return call(i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`)
	},
	"effects": func(i int) []string {
		return call(i, "create_order", fmt.Sprintf(`{"cart":"c%d"}`, i), `"outcome":"unknown","reason":"timed_out","text":"timed out"`)
	},
	"same effect": func(i int) []string {
		return call(i, "create_order", `{"cart":"c"}`, `"outcome":"ok","text":"{\"order_id\":\"`+fmt.Sprint(i)+`\"}"`)
	},
	"compactions": func(i int) []string {
		return append([]string{`"kind":"compaction","actor":"harness","text":"summary"`},
			call(i, "Bash", fmt.Sprintf(`{"command":"./job%d.sh"}`, i), `"outcome":"unknown","reason":"lost","text":""`)...)
	},
	"repeats": func(i int) []string {
		return append([]string{`"kind":"compaction","actor":"harness","text":"summary"`},
			call(i, "Bash", `{"command":"./migrate.sh"}`, `"outcome":"ok","text":"ok"`)...)
	},
	"episodes": func(i int) []string {
		return append(append([]string{`"kind":"message","actor":"user","text":"next"`},
			call(i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`)...),
			`"kind":"message","actor":"agent","text":"Done, I committed the change and all tests pass."`)
	},
	"look-ups": func(i int) []string {
		return append(call(2*i, "create_order", fmt.Sprintf(`{"order_id":"c%d"}`, i), `"outcome":"unknown","reason":"timed_out","text":"timed out"`),
			call(2*i+1, "get_order", fmt.Sprintf(`{"order_id":"d%d"}`, i), `"outcome":"ok","text":"{\"order_id\":\"d1\"}"`)...)
	},
	"undone": func(i int) []string {
		return append(call(2*i, "create_order", `{"cart":"c"}`, fmt.Sprintf(`"outcome":"ok","text":"{\"order_id\":\"%d\"}"`, i)),
			call(2*i+1, "cancel_order", fmt.Sprintf(`{"order_id":"d%d"}`, i), `"outcome":"ok","text":"done"`)...)
	},
	"moved": func(i int) []string {
		return append(append([]string{`"kind":"compaction","actor":"harness","text":"summary"`},
			call(2*i, "Bash", `{"command":"./migrate.sh"}`, `"outcome":"ok","text":"ok"`)...),
			call(2*i+1, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i%3), `"outcome":"ok","text":"ok"`)...)
	},
	"jobs": func(i int) []string {
		return append([]string{`"kind":"compaction","actor":"harness","text":"summary"`, `"kind":"message","actor":"agent","text":"Now for the next one."`},
			call(i, "export_report", fmt.Sprintf(`{"name":"r%d"}`, i), fmt.Sprintf(`"outcome":"ok","text":"{\"status\":\"queued\",\"job_id\":\"j%d\"}"`, i))...)
	},
	"time-outs": func(i int) []string {
		return call(i, "Bash", fmt.Sprintf(`{"command":"pytest tests/test_%d.py"}`, i), `"outcome":"unknown","reason":"timed_out","text":"timed out"`)
	},
	"claimed files": func(i int) []string {
		return append(append([]string{`"kind":"message","actor":"user","text":"next"`},
			call(i, "Bash", fmt.Sprintf(`{"command":"./job%d.sh"}`, i), `"outcome":"ok","text":"ok"`)...),
			fmt.Sprintf(`"kind":"message","actor":"agent","text":"Done. I wrote src/x%d.py and deployed the app."`, i))
	},
	"keys": func(i int) []string {
		return call(i, "create_order", fmt.Sprintf(`{"cart":"c%d","idempotency_key":"k%d"}`, i%7, i%3), `"outcome":"unknown","reason":"timed_out","text":"timed out"`)
	},
	"one key": func(i int) []string {
		return call(i, "create_order", `{"cart":"c","idempotency_key":"k"}`, `"outcome":"unknown","reason":"timed_out","text":"timed out"`)
	},
	"stops": func(i int) []string {
		return append([]string{`"kind":"error","actor":"harness","name":"content_filter"`},
			call(i, "Bash", `{"command":"ls"}`, `"outcome":"ok","text":"a"`)...)
	},
	"deliveries": func(i int) []string {
		return append(call(i, "issue_card", `{"customer":"c"}`, fmt.Sprintf(`"outcome":"ok","text":"{\"card\":\"A%d\"}"`, i)),
			fmt.Sprintf(`"kind":"tool_result","actor":"tool","call_id":"c%d","outcome":"ok","text":"{\"card\":\"B%d\"}"`, i, i))
	},
	"tasks": func(i int) []string {
		return append([]string{`"kind":"message","actor":"harness","name":"initialize"`},
			append(call(2*i, "print_catalogue", fmt.Sprintf(`{"issue":"i%d"}`, i%9), fmt.Sprintf(`"outcome":"pending","reason":"launched","task":"t%d","text":"{\"taskId\":\"t%d\",\"status\":\"working\"}"`, i, i)),
				call(2*i+1, "tasks/cancel", fmt.Sprintf(`{"taskId":"t%d"}`, i), `"outcome":"ok","text":"{}"`)...)...)
	},
	"verdicts": func(i int) []string {
		return append(call(i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`),
			`"kind":"message","actor":"agent","agent":"evaluator","text":"{\"criteria\":[{\"name\":\"a\",\"score\":3,\"minimum\":4}],\"verdict\":\"pass\"}"`)
	},
	"contracts": func(i int) []string {
		return append(call(2*i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`),
			call(2*i+1, "Write", fmt.Sprintf(`{"file_path":"sprint-contract.json","content":"{\"criteria\":[{\"name\":\"a\",\"check\":\"make a\"},{\"name\":\"b%d\",\"check\":null}]}"}`, i), `"outcome":"ok","text":"ok"`)...)
	},
	"lists": func(i int) []string {
		return append(append([]string{`"kind":"message","actor":"user","text":"Do the next one, and skip the second."`},
			call(2*i, "TodoWrite", fmt.Sprintf(`{"todos":[{"content":"first %d","status":"completed"},{"content":"second %d","status":"pending"}]}`, i, i), `"outcome":"ok","text":"ok"`)...),
			append(call(2*i+1, "Edit", `{"file_path":"features.json","old_string":"\"passes\": false","new_string":"\"passes\": true"}`, `"outcome":"ok","text":"ok"`),
				`"kind":"message","actor":"agent","text":"Done."`)...)
	},
	"tampering": func(i int) []string {
		run := fmt.Sprintf(`{"command":"cd /srv/other && pytest tests/test_%d.py | head -3"}`, i%500)
		edit := fmt.Sprintf(`{"path":"tests/test_%d.py","old_text":"assert x == %d","new_text":"assert x"}`, i%50, i)
		return slices.Concat(call(3*i, "Bash", run, `"outcome":"fail","exit_code":1,"text":"1 failed, 3 passed in 0.1s"`),
			call(3*i+1, "edit_file", edit, `"outcome":"ok","text":"ok"`),
			call(3*i+2, "Bash", run, `"outcome":"ok","exit_code":0,"text":"4 passed in 0.1s"`))
	},
	"elsewhere": func(i int) []string {
		return slices.Concat(call(3*i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`),
			call(3*i+1, "Bash", fmt.Sprintf(`{"command":"ssh host%d 'pytest tests/test_%d.py'"}`, i, i), `"outcome":"ok","exit_code":0,"text":"4 passed in 0.1s"`),
			call(3*i+2, "Bash", `{"command":"git pull --rebase && git rev-parse HEAD && git worktree list"}`, fmt.Sprintf(`"outcome":"ok","exit_code":0,"text":"%040x"`, i)))
	},
	"delegations": func(i int) []string {
		return append(call(i, "Task", fmt.Sprintf(`{"prompt":"Fix src/a%d.py.","subagent_type":"coder"}`, i), `"outcome":"ok","text":"Fixed."`),
			fmt.Sprintf(`"kind":"tool_call","actor":"agent","call_id":"r%d","tool":"Read","arguments":{"file_path":"src/b%d.py"}`, i, i),
			fmt.Sprintf(`"kind":"tool_result","actor":"tool","call_id":"r%d","outcome":"fail","text":"No such file or directory"`, i))
	},
	"claimed numbers": func(i int) []string {
		return slices.Concat([]string{`"kind":"message","actor":"user","text":"next"`},
			call(2*i, "Bash", `{"command":"git commit -qam x && git rev-parse HEAD"}`, fmt.Sprintf(`"outcome":"ok","text":"[main %07x] x"`, i)),
			call(2*i+1, "Bash", `{"command":"pytest --cov"}`, `"outcome":"ok","text":"TOTAL 10 2 80%\n4 passed in 0.1s"`),
			[]string{fmt.Sprintf(`"kind":"message","actor":"agent","text":"Done. All %d tests pass, coverage is 90 %%. Committed as abc%05d."`, i+5, i)})
	},
	"faults": func(i int) []string {
		return append([]string{`"kind":"message","actor":"user","text":"next"`, `"kind":"error","actor":"harness","name":"overloaded_error","outcome":"fail","reason":"error","text":"529"`, `"kind":"limit","actor":"harness","name":"truncated","outcome":"fail"`},
			call(i, "Bash", fmt.Sprintf(`{"command":"./job%d.sh in%d"}`, i, i), `"outcome":"fail","exit_code":137,"text":"Killed"`)...)
	},
	"given-up reads": func(i int) []string {
		return append(append([]string{`"kind":"message","actor":"user","text":"next"`},
			call(2*i, "create_order", fmt.Sprintf(`{"cart":"c%d"}`, i), `"outcome":"unknown","reason":"timed_out","text":"timed out"`)...),
			call(2*i+1, fmt.Sprintf("get_rate_%d", i), `{"of":"x"}`, `"outcome":"fail","text":"503 Service Unavailable"`)...)
	},
	"hand-overs": func(i int) []string {
		return append(append(append([]string{fmt.Sprintf(`"kind":"compaction","actor":"harness","text":"src/a%d.py is written and committed, all tests pass; the server runs on 5173; coverage is %d %%. Done: step %d. Open: step %d."`, i%50, i%97, i, i+1)},
			call(5*i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%50, i), `"outcome":"ok","text":"ok"`)...),
			call(5*i+1, "Bash", `{"command":"curl -s http://localhost:5173/cart && git commit -m x"}`, `"outcome":"fail","exit_code":7,"text":"curl: (7) Failed to connect: Connection refused"`)...),
			append(call(5*i+2, "Bash", `{"command":"git reset --hard"}`, `"outcome":"ok","text":""`),
				append(call(5*i+3, "Write", `{"file_path":"PROGRESS.md","content":"a line that is long enough to be known again"}`, `"outcome":"ok","text":"ok"`),
					call(5*i+4, "TodoWrite", fmt.Sprintf(`{"todos":[{"content":"step %d","status":"completed"},{"content":"step %d","status":"pending"},{"content":"part %d","status":"pending"}]}`, i, i+1, i), `"outcome":"ok","text":"ok"`)...)...)...)
	},
	"denials": func(i int) []string {
		return append(append(call(3*i, "Write", fmt.Sprintf(`{"file_path":"src/a%d.py","content":"x=%d"}`, i%500, i), `"outcome":"fail","reason":"denied","text":"no"`),
			call(3*i+1, "frob_orders", `{"id":7}`, `"outcome":"fail","reason":"rejected","text":"unknown tool: frob_orders"`)...),
			call(3*i+2, "Bash", fmt.Sprintf(`{"command":"echo %d > src/a%d.py"}`, i, i%500), `"outcome":"ok","text":""`)...)
	},
	"approvals": func(i int) []string {
		return append([]string{fmt.Sprintf(`"kind":"approval","actor":"user","call_id":"c%d","tool":"refund","arguments":{"id":%d},"outcome":"ok"`, i%300, i)},
			call(i%300, "refund", fmt.Sprintf(`{"id":%d}`, i+1), `"outcome":"ok","text":"{\"success\":false}"`)...)
	},
	"loops": func(i int) []string {
		return append(call(2*i, "Read", fmt.Sprintf(`{"file_path":"src/a%d.py"}`, i/4), `"outcome":"ok","text":"x"`),
			call(2*i+1, "Grep", fmt.Sprintf(`{"pattern":"%d"}`, i/4), `"outcome":"ok","text":"x"`)...)
	},
	"lost items": func(i int) []string {
		return append([]string{`"kind":"compaction","actor":"harness","text":"summary"`, fmt.Sprintf(`"kind":"message","actor":"agent","text":"Looking at part %d of the shop now."`, i)},
			call(i, "TodoWrite", fmt.Sprintf(`{"todos":[{"content":"step alpha%d","status":"pending"}]}`, i), `"outcome":"ok","text":"ok"`)...)
	},
	"called done": func(i int) []string {
		return append(append([]string{`"kind":"message","actor":"user","text":"next"`},
			call(i, "create_order", fmt.Sprintf(`{"cart":"c%d"}`, i), `"outcome":"fail","text":"no such cart"`)...),
			fmt.Sprintf(`"kind":"message","actor":"agent","text":"The order for c%d has been placed, %d tests pass."`, i, i+7))
	},
	"refusals": func(i int) []string {
		return call(i, "Edit", fmt.Sprintf(`{"file_path":"a.py","old_string":"%d","new_string":"b"}`, i%3), `"outcome":"fail","reason":"rejected","text":"InputValidationError"`)
	},
}

func call(i int, tool, args, result string) []string {
	return []string{
		fmt.Sprintf(`"kind":"tool_call","actor":"agent","call_id":"c%d","tool":%q,"arguments":%s`, i, tool, args),
		fmt.Sprintf(`"kind":"tool_result","actor":"tool","call_id":"c%d",%s`, i, result),
	}
}

// shaped writes a run of n repetitions of a shape and returns what to judge.
func shaped(tb testing.TB, shape string, n int) classify.Input {
	var b strings.Builder
	seq := 0
	line := func(members string) {
		seq++
		fmt.Fprintf(&b, "{\"faultline\":\"event/v1\",\"run_id\":\"big\",\"id\":\"e%d\",%s}\n", seq, members)
	}
	line(`"kind":"message","actor":"user","text":"Do it. Run pytest -q before you finish."`)
	for i := range n {
		for _, l := range shapes[shape](i) {
			line(l)
		}
	}
	line(`"kind":"message","actor":"agent","text":"Done. All tests pass."`)
	path := filepath.Join(tb.TempDir(), "big.jsonl")
	require.NoError(tb, os.WriteFile(path, []byte(b.String()), 0o600))
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{path}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(tb, err)
	return classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules.All()}
}

// BenchmarkScale shows how the cost of judging grows with a run: it reports
// how many times dearer four times the events are. Linear is 4.
func BenchmarkScale(b *testing.B) {
	const n = 1000
	for shape := range shapes {
		b.Run(shape, func(b *testing.B) {
			small, large := shaped(b, shape, n), shaped(b, shape, 4*n)
			var spent [2]time.Duration
			for range b.N {
				for i, in := range []classify.Input{small, large} {
					start := time.Now()
					_, err := classify.Run(context.Background(), in)
					require.NoError(b, err)
					spent[i] += time.Since(start)
				}
			}
			b.ReportMetric(float64(spent[1])/float64(spent[0]), "x-for-4x")
		})
	}
}
