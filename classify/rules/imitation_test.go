package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
)

const (
	greenSummary = "============ 12 passed in 0.10s ============"
	redSummary   = "======= 3 failed, 9 passed in 0.20s ======="
)

// TestImitatedChecks holds that a text which looks like the run of a check is
// none: printed, quoted, read, written to a file, or never reached.
func TestImitatedChecks(t *testing.T) {
	for _, command := range []string{
		"echo '" + greenSummary + "'", "printf 'pytest -q\n" + greenSummary + "\n'", "cat pytest.log", "grep -rn 'pytest -q' ci/",
		"git show HEAD:ci/pytest.log", "git log --grep 'pytest -q' -1", "git commit -qm 'run pytest -q: 12 passed'",
		"cat <<'EOF'\npytest -q\n" + greenSummary + "\nEOF", "cat > run.sh <<'EOF'\npytest -q\nEOF", "true # pytest -q",
		"tail -5 pytest.log", "which pytest", "pytest --version", "pytest --help", "pytest --collect-only -q", "pip install pytest",
		"t() { pytest -q; }; true", "CMD='pytest -q'; echo $CMD", "man pytest", "docker build -t pytest .", "sed -n '/pytest -q/p' Makefile",
		"curl -s https://ci.example/pytest.log", `python -c "print('12 passed')"`, "./pytest-report.sh", "make -n test", "echo pytest -q | cat",
		"timeout 5 echo pytest -q", "type pytest", "false && pytest -q; true", "true || pytest -q", "if false; then pytest -q; fi",
		"exit 0; pytest -q", "bash -n -c 'pytest -q'",
	} {
		assert.Equal(t, []string{"acceptance/missing-check"}, loud(t, "Bash", command, greenSummary), command)
	}
	assert.Equal(t, []string{"acceptance/missing-check"}, loud(t, "Read", "pytest.log", "$ pytest -q\n"+greenSummary))
}

// TestWrappedChecks holds that the run of a check is seen whatever stands
// around it, and that a red summary that something else prints is none of its.
func TestWrappedChecks(t *testing.T) {
	for _, command := range []string{
		"pytest -q", "CI=1 PYTHONPATH=. pytest -q", "cd /srv/x && pytest -q", "timeout 60 pytest -q", "bash -lc 'pytest -q'", "uv run pytest -q",
		"python -m pytest -q", "nice -n 5 pytest -q", "poetry run pytest -q", "time pytest -q", "if pytest -q; then echo ok; else exit 1; fi",
		"t() { pytest -q; }; t", "CMD='pytest -q'; $CMD", "set -o pipefail; pytest -q | tee pytest.log", "pytest -q && echo good",
		"echo -q | xargs pytest", "bash <<'EOF'\npytest -q\nEOF", "docker compose run --rm app pytest -q", "nix develop -c pytest -q",
	} {
		assert.Empty(t, loud(t, "Bash", command, greenSummary), command)
	}
	for _, command := range []string{"cat old.log", `echo "` + redSummary + `"`, "git show HEAD~1:old.log", "grep -n failed old.log"} {
		assert.Empty(t, loud(t, "Bash", "pytest -q", greenSummary, command, redSummary), command)
	}
	assert.Empty(t, loud(t, "Bash", "pytest -q", "captured stdout:\n"+redSummary+"\n............\n"+greenSummary))
}

// loud are the rules that are medium or high on a run which edits a file, makes
// calls (what and what comes back, in turn) and ends as done, where `pytest -q`
// is required.
func loud(t *testing.T, tool string, calls ...string) []string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "faultline.yaml"), []byte("checks:\n  - {name: unit, run: pytest -q}\n"), 0o600))
	f, err := os.Create(filepath.Join(dir, "trace.jsonl"))
	require.NoError(t, err)
	seq := 0
	add := func(kind, actor string, more map[string]any) {
		seq++
		more["faultline"], more["run_id"], more["id"], more["kind"], more["actor"] = "event/v1", "imitation", fmt.Sprint("e", seq), kind, actor
		more["at"] = fmt.Sprintf("2026-08-03T09:%02d:00Z", seq)
		line, err := json.Marshal(more)
		require.NoError(t, err)
		_, err = f.Write(append(line, '\n'))
		require.NoError(t, err)
	}
	call := func(tool string, args map[string]any, out string) {
		id := fmt.Sprint("c", seq)
		add("tool_call", "agent", map[string]any{"call_id": id, "tool": tool, "arguments": args})
		add("tool_result", "tool", map[string]any{"call_id": id, "tool": tool, "outcome": "ok", "text": out})
	}
	add("message", "user", map[string]any{"text": "Set a to 2."})
	call("Edit", map[string]any{"file_path": "a.py", "old_string": "a = 1", "new_string": "a = 2"}, "updated")
	for i := 0; i+1 < len(calls); i += 2 {
		call(tool, map[string]any{"command": calls[i], "file_path": calls[i]}, calls[i+1])
	}
	add("message", "agent", map[string]any{"text": "The change is in place."})
	add("claim", "harness", map[string]any{"outcome": "ok", "text": "The change is in place."})
	require.NoError(t, f.Close())
	var out []string
	for _, v := range triage(t, dir) {
		for _, f := range v.Findings {
			if f.Severity != classify.Low {
				out = append(out, f.Rule)
			}
		}
	}
	return out
}
