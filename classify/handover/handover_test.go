package handover_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// views reads a run of event/v1 lines, given without their common members.
func views(t *testing.T, visit func(*classify.View), lines ...string) {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(`{"faultline":"event/v1","run_id":"r",` + l + "}\n")
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{path}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	seen := 0
	require.NoError(t, classify.Each(context.Background(), classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths}, func(v *classify.View) error {
		seen++
		visit(v)
		return nil
	}))
	require.Equal(t, 1, seen)
}

func call(id, tool, args, result string) []string {
	return []string{
		`"kind":"tool_call","actor":"agent","call_id":"` + id + `","tool":"` + tool + `","arguments":` + args,
		`"kind":"tool_result","actor":"tool","call_id":"` + id + `",` + result,
	}
}

// TestStatements: a text speaks of what the calls before it know, whatever its
// language; a name that nothing knows is no statement.
func TestStatements(t *testing.T) {
	lines := []string{`"kind":"message","actor":"user","text":"Do it."`}
	lines = append(lines, call("1", "shell", `{"command":"git checkout -b feature/tax"}`, `"outcome":"ok","text":""`)...)
	lines = append(lines, call("2", "write_file", `{"path":"src/tax.py","content":"x"}`, `"outcome":"ok","text":"ok"`)...)
	lines = append(lines, call("3", "shell", `{"command":"curl -s http://localhost:5173/cart"}`, `"outcome":"ok","text":"200"`)...)
	lines = append(lines,
		`"kind":"compaction","actor":"harness","text":"Zweig feature/tax, (src/tax.py) geändert; Dienst läuft auf 5173. Siehe other.py und 9999."`,
		`"kind":"message","actor":"agent","text":"Weiter."`)
	views(t, func(v *classify.View) {
		all := handover.Find(v)
		require.Len(t, all, 1)
		got := map[string]handover.Kind{}
		for _, s := range all[0].Statements() {
			got[s.Target] = s.Kind
			assert.Equal(t, classify.Observed, s.Grade)
			assert.NotNil(t, s.Before)
		}
		assert.Equal(t, map[string]handover.Kind{"feature/tax": handover.Branch, "src/tax.py": handover.File, "5173": handover.Service}, got)
	}, lines...)
}

// TestItems: an entry has the state of the label that it stands under; other
// labels end a list, and prose is no entry.
func TestItems(t *testing.T) {
	text := `Goal: move all. Done: orders, users.sql. Still open: refunds.\n\n## Erledigt\n- Lager\n\n## Next steps\n- rest\n- [ ] docs`
	views(t, func(v *classify.View) {
		got := map[string]string{}
		for _, l := range handover.Find(v)[0].Items() {
			got[strings.Join(l.Words, " ")] = string(l.State)
		}
		assert.Equal(t, map[string]string{"orders": "done", "users sql": "done", "refunds": "open", "lager": "done", "docs": "open"}, got)
	}, `"kind":"message","actor":"user","text":"Go."`, `"kind":"compaction","actor":"harness","text":"`+text+`"`, `"kind":"message","actor":"agent","text":"ok"`)
}

// TestMeasures: a measure is stated exactly; an estimate or a bound is none.
func TestMeasures(t *testing.T) {
	for text, want := range map[string]string{
		"Line coverage is 91 %.": "91", "p95 4.25ms now": "4.25", "about 80% done": "", "~80% done": "", "must stay under 200 ms": "", "version 3.5": "", "la cobertura es 87,5 %": "87.5",
	} {
		got := ""
		for _, m := range handover.Measures(text) {
			got += m.Number
		}
		assert.Equal(t, want, got, text)
	}
}

// TestUncommitted: what a commit or a stash holds, and what was taken back, is
// not uncommitted.
func TestUncommitted(t *testing.T) {
	write := func(id, path string) []string {
		return call(id, "write_file", `{"path":"`+path+`","content":"`+id+`"}`, `"outcome":"ok","text":"ok"`)
	}
	git := func(id, cmd string) []string {
		return call(id, "shell", `{"command":"git `+cmd+`"}`, `"outcome":"ok","text":"","exit_code":0`)
	}
	var lines []string
	for _, l := range [][]string{{`"kind":"message","actor":"user","text":"Go."`}, write("1", "a.py"), git("2", "commit -am x"), write("3", "b.py"), write("4", "c.py"), call("5", "shell", `{"command":"rm c.py"}`, `"outcome":"ok","text":""`)} {
		lines = append(lines, l...)
	}
	left := func(more ...string) (out []string) {
		views(t, func(v *classify.View) {
			for _, c := range handover.Before(v, v.End()+1).Uncommitted {
				out = append(out, c.Path)
			}
		}, append(lines[:len(lines):len(lines)], more...)...)
		return out
	}
	assert.Equal(t, []string{"b.py"}, left())
	assert.Empty(t, left(git("6", "stash")...))
	assert.Equal(t, []string{"b.py"}, left(git("6", "stash list")...))
}

// TestWipes: which commands take a whole tree away, and what of it.
func TestWipes(t *testing.T) {
	for text, want := range map[string]handover.Extent{
		"git reset --hard origin/main": handover.Tracked, "git reset HEAD~1": handover.Nothing, "git checkout -- .": handover.Tracked, "git checkout -- a.py": handover.Nothing,
		"git checkout main": handover.Nothing, "git checkout -f main": handover.Tracked, "git restore .": handover.Tracked, "git restore --staged .": handover.Nothing,
		"git clean -fdx": handover.Untracked, "git clean -n": handover.Nothing, "git clean -fdn": handover.Nothing, "git clean -fd build": handover.Nothing, "git status": handover.Nothing,
	} {
		cmds, err := shell.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, handover.Wipes(cmds[0]), text)
	}
}
