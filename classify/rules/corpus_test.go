package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
)

// corpus returns the folder of real traces, or skips the test without it.
func corpus(t *testing.T) string {
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip("FAULTLINE_CORPUS is not set")
	}
	_, err := os.Stat(root)
	require.NoError(t, err, "FAULTLINE_CORPUS is set but missing")
	return root
}

// graded is what the graders' records of the trials demand: rejected with a
// success end is acceptance, rejected without one is the model's, never graded
// or out of time is the runtime's, accepted leaves nothing.
var graded = map[string]classify.Layer{
	"harbor/adaptive-rejection-sampler": classify.Runtime,    // no check ran
	"harbor/cancel-async-tasks":         classify.Acceptance, // success, 5 of 6 red
	"harbor/configure-git-webserver":    classify.None,       // green
	"harbor/count-dataset-tokens":       classify.Acceptance, // success, red
	"harbor/merge-diff-arc-agi-task":    classify.Runtime,    // agent's time limit
	"harbor/nginx-request-logging":      classify.Acceptance, // success, 5 of 8 red
	"harbor/polyglot-rust-c":            classify.Runtime,    // agent's time limit, no check ran
	"harbor/prove-plus-comm":            classify.None,       // green
	"harbor/query-optimize":             classify.Runtime,    // verifier's time limit
	"harbor/sqlite-with-gcov":           classify.Runtime,    // no check ran

	"stream_json/claude_code_c4__create-bucket":             classify.None,
	"stream_json/claude_code_c4__fibonacci-server":          classify.Acceptance,
	"stream_json/claude_code_c4__grid-pattern-transform":    classify.Acceptance,
	"stream_json/claude_code_c4__hello-world":               classify.Acceptance,
	"stream_json/claude_code_c4__vim-terminal-task":         classify.Model, // no result record
	"stream_json/claude_code_coder__grid-pattern-transform": classify.None,
	"stream_json/claude_code_coder__vim-terminal-task":      classify.None,
	"stream_json/claude_code_gpt5__openssl-selfsigned-cert": classify.None,
	"stream_json/claude_code_gpt5__polyglot-rust-c":         classify.Runtime, // agent's time limit
	"stream_json/claude_code_gpt5__vim-terminal-task":       classify.Acceptance,
	"stream_json/claude_code_v3__create-bucket":             classify.Acceptance,
	"stream_json/claude_code_v3__tmux-advanced-workflow":    classify.Acceptance,
}

func TestCorpusFollowsTheGrader(t *testing.T) {
	root := corpus(t)
	verdicts := triage(t, root)
	found := map[string]bool{}
	for _, v := range verdicts {
		rel, err := filepath.Rel(root, v.Source)
		require.NoError(t, err)
		for trial, want := range graded {
			if !strings.HasPrefix(filepath.ToSlash(rel), trial) {
				continue
			}
			found[trial] = true
			assert.Equal(t, want, v.Layer, "%s: %v", trial, v.Findings)
			if want != classify.Acceptance {
				continue
			}
			assert.Contains(t, loudRules(v), "acceptance/false-success", trial)
		}
	}
	assert.Len(t, found, len(graded), "every trial has a verdict")
}

// TestCorpusCannotTell bounds the share of runs of which nothing can be said.
func TestCorpusCannotTell(t *testing.T) {
	verdicts := triage(t, corpus(t))
	n := 0
	for _, v := range verdicts {
		if v.Layer == classify.CannotTell {
			n++
		}
	}
	t.Logf("cannot tell: %d of %d runs", n, len(verdicts))
	assert.LessOrEqual(t, float64(n), 0.3*float64(len(verdicts)))
}

// TestCorpusDump prints every verdict and finding on real traces, to be read.
func TestCorpusDump(t *testing.T) {
	root := corpus(t)
	if !testing.Verbose() {
		t.Skip("prints with -v")
	}
	for _, v := range triage(t, root) {
		rel, _ := filepath.Rel(root, v.Source)
		fmt.Printf("%-70s %s/%s\n", rel, v.Layer, v.Owner)
		for _, f := range v.Findings {
			fmt.Printf("    %s %s %s: %s %v\n", f.Severity, f.Grade, f.Rule, f.Message, places(root, f))
		}
		for _, a := range v.Abstentions {
			fmt.Printf("    abstains %s: %s\n", a.Rule, a.Missing)
		}
	}
}
