package scan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

const trajectory = `{"schema_version":"ATIF-v1.2","session_id":"sess","agent":{"name":"probe","version":"1"},"steps":[` +
	`{"source":"user","message":"do it"},{"source":"agent","message":"Done."}]}`

const streamLog = `{"type":"system","subtype":"init","session_id":"sess","uuid":"x1"}` + "\n" +
	`{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"sess","uuid":"x2","usage":{"output_tokens":9}}` + "\n"

func harborResult(trial string) string {
	return `{"task_name":"fix-it","trial_name":"` + trial + `","agent_info":{"name":"probe","version":"2"},` +
		`"finished_at":"2026-01-01T02:00:00Z","verifier_result":{"rewards":{"reward":0.0}}}`
}

// trialFiles is a trial's folder below a path.
func trialFiles(into files, below, name string) files {
	for p, data := range map[string]string{
		"result.json": harborResult(name), "agent/trajectory.json": trajectory, "agent/claude-code.txt": streamLog,
		"verifier/reward.txt": "0\n", "notes.md": "note", "agent/more.json": trajectory,
	} {
		into[below+"/"+p] = data
	}
	return into
}

// TestEqualTrials: members of equal content are their own trial's.
func TestEqualTrials(t *testing.T) {
	all := trialFiles(trialFiles(files{}, "job/a", "fix-it__a"), "job/b", "fix-it__b")
	f, s, dir := fresh(t, all)
	assert.Len(t, f.receipts, len(all))
	require.Len(t, f.Runs, 2)
	for _, name := range []string{"a", "b"} {
		main := f.at["job/"+name+"/agent/trajectory.json"]
		assert.Equal(t, [4]int{2}, account(main), name)
		assert.Equal(t, "second-view", f.at["job/"+name+"/agent/more.json"].Reasons[0].Kind)
		assert.Equal(t, "not-evidence", f.at["job/"+name+"/notes.md"].Reasons[0].Kind)
		run, err := ingest.Load(s, main.Runs[0], nil)
		require.NoError(t, err)
		assert.Equal(t, "fix-it__"+name, run.Meta.Native)
		assert.Equal(t, filepath.Join(dir, "job", name, "agent", "trajectory.json"), run.File())
	}
	groups, err := ingest.Group(s, f.Runs, nil)
	require.NoError(t, err)
	assert.Len(t, groups, 2, "equal sessions of two trials are no thread")
}

// TestNestedTrials: a trial in the folder of another is a run of its own, and
// what lies beside both is accounted for.
func TestNestedTrials(t *testing.T) {
	all := trialFiles(trialFiles(files{"outer/faultline.yaml": "checks: []\n", "outer/records.jsonl": event}, "outer", "o"), "outer/retry/inner", "i")
	f, s, dir := fresh(t, all)
	assert.Len(t, f.receipts, len(all))
	require.Len(t, f.Runs, 3)
	inner, err := ingest.Load(s, f.at["outer/retry/inner/agent/trajectory.json"].Runs[0], nil)
	require.NoError(t, err)
	assert.Equal(t, "i", inner.Meta.Native)
	assert.Equal(t, [4]int{1}, account(f.at["outer/records.jsonl"]))
	assert.Equal(t, []string{filepath.Join(dir, "outer", "faultline.yaml")}, f.Configs)
}

// TestBrokenTrial: a folder whose result is no trial's result is a plain
// folder.
func TestBrokenTrial(t *testing.T) {
	f, _, _ := fresh(t, files{"t/result.json": `{"task_name":"x","trial_na`, "t/agent/trajectory.json": trajectory, "t/results.json": "[]"})
	assert.Len(t, f.receipts, 3)
	assert.Equal(t, "atif", f.at["t/agent/trajectory.json"].Format)
	assert.Len(t, f.Runs, 1)
}

// TestLinks: links in a folder are not followed, so that a loop ends; a link
// that was named is.
func TestLinks(t *testing.T) {
	dir := files{"real/a.jsonl": good(), "beside/b.jsonl": line("s-b", "b-1", "b")}.write(t)
	link := func(to, name string) {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	link("..", "real/up")
	link("loop", "loop")
	link("a.jsonl", "real/alias.jsonl")
	link("nowhere", "real/dangling")
	link("beside", "entry")
	f := scanInto(t, memstore.New(), dir, dir)
	assert.Len(t, f.receipts, 2)
	named := scanInto(t, memstore.New(), dir, filepath.Join(dir, "entry"), filepath.Join(dir, "real", "alias.jsonl"))
	assert.Equal(t, [4]int{1}, account(named.at["entry/b.jsonl"]))
	assert.Equal(t, [4]int{2}, account(named.at["real/alias.jsonl"]))
	both := scanInto(t, memstore.New(), dir, filepath.Join(dir, "entry"), filepath.Join(dir, "beside"))
	assert.Len(t, both.receipts, 1, "two names of one folder")
}
