//go:build linux

package replay

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/script"
)

// mutants is the table: the scripts of fixtures/harness, and the switches that
// each of them has to catch. The harness without a switch passes all of them.
var mutants = []struct {
	script string
	check  bool // there is a required check
	only   string
	bugs   []string
}{
	{script: "lost-reply", bugs: []string{"blind-retry", "blind-retry@sdk", "blind-retry@wrapper", "blind-retry@loop", "blind-retry@model"}},
	{script: "late-reply", bugs: []string{"blind-retry", "blind-retry@sdk", "blind-retry@wrapper"}},
	{script: "lost-reply-key", bugs: []string{"blind-retry@new-key"}},
	{script: "lost-dispatch"},
	{script: "parallel-reply-lost", bugs: []string{"blind-retry@parallel"}},
	{script: "duplicate-delivery"},
	{script: "cut-before"},
	{script: "cut-after-call", bugs: []string{"rerun-cut-stream", "rerun-cut-stream@after-call"}},
	{script: "cut-inside-call", bugs: []string{"rerun-cut-stream@inside"}},
	{script: "killed-before-persist"},
	{script: "killed-before-effect", bugs: []string{"trust-summary@drop"}},
	{script: "killed-after-effect", bugs: []string{"trust-summary", "trust-summary@replay"}},
	{script: "killed-after-reply", bugs: []string{"trust-summary"}},
	{script: "stale-summary", bugs: []string{"trust-summary"}},
	{script: "provider-stop", bugs: []string{"ignore-stop", "ignore-stop@retry", "ignore-stop@other-tool"}},
	{script: "check-red", check: true, bugs: []string{"no-gate", "no-gate@exit-masked"}},
	{script: "check-ran-nothing", check: true, bugs: []string{"no-gate@skipped"}},
	{script: "check-stale", check: true, only: "loop", bugs: []string{"no-gate@stale"}},
	{script: "check-own", check: true, only: "loop", bugs: []string{"no-gate@self"}},
	{script: "check-green", check: true, only: "loop"},
}

// rig is one way to drive a fixture harness.
type rig struct {
	name, program string
	via           script.Via
	unary         bool // it asks for no streams
	args          []string
}

var rigs = []rig{
	{"chat", "loop", script.HTTP, false, []string{"-tools-url", "{{.ToolsURL}}/http"}},
	{"messages", "mcploop", script.MCP, false, []string{"-dialect", "messages", "-mcp-config", "{{.Home}}/mcp.json"}},
	{"responses", "mcploop", script.MCP, false, []string{"-dialect", "responses", "-mcp-config", "{{.Home}}/mcp.json"}},
	{"chat, no stream", "loop", script.HTTP, true, []string{"-tools-url", "{{.ToolsURL}}/http", "-stream=false"}},
}

// TestMutants plays every script against the right harness, which passes, and
// against each of its mutants, which fails with one of the models at least.
func TestMutants(t *testing.T) {
	bin := buildHarnesses(t)
	for _, m := range mutants {
		for _, g := range rigs {
			if m.only != "" && m.only != g.program || g.unary && strings.HasPrefix(m.script, "cut-") || testing.Short() && g.name != "chat" {
				continue
			}
			bugs := m.bugs
			if g.unary { // what a mutant does then, it does with a stream too
				bugs = nil
			}
			t.Run(m.script+"/"+g.name, func(t *testing.T) {
				t.Parallel()
				all := slices.Concat([]string{""}, bugs)
				for i, results := range g.play(t, bin, m.script, m.check, all) {
					t.Run(cmp.Or(all[i], "right"), func(t *testing.T) { judgeMutant(t, all[i], results) })
				}
			})
		}
	}
}

// judgeMutant: the right harness passes with every model, a mutant fails with
// one at least: a passive model does not ask for what one bug waits for.
func judgeMutant(t *testing.T, bug string, results []*Result) {
	t.Helper()
	caught := false
	for _, r := range results {
		t.Logf("%s model: %s: %s; resent %v; exits %v", r.Model, r.Status, r.Why, r.Resent, exits(r))
		caught = caught || r.Status == Failed
		if bug == "" {
			assert.Equal(t, Passed, r.Status, "%s\n%s", r.Why, r.Sessions[0].Stderr)
		}
	}
	assert.Equal(t, bug != "", caught)
}

// play plays a script against the mutants, several at once: most of the time is
// spent waiting for time-outs.
func (g rig) play(t *testing.T, bin, name string, check bool, bugs []string) [][]*Result {
	t.Helper()
	out, subject, contracts := make([][]*Result, len(bugs)), g.subject(t, name), g.contracts(t, name)
	var all errgroup.Group
	all.SetLimit(4)
	for i, bug := range bugs {
		all.Go(func() (err error) {
			out[i], err = Run(context.Background(), subject, g.options(bin, contracts, check, bug))
			return err
		})
	}
	err := all.Wait()
	if errors.Is(err, sandbox.ErrNoNamespace) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return out
}

func exits(r *Result) (all []int) {
	for _, s := range r.Sessions {
		all = append(all, s.Exit)
	}
	return all
}

// buildHarnesses builds both and gives their folder.
func buildHarnesses(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir+"/", "../../fixtures/harness/loop", "../../fixtures/harness/mcploop").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// subject is the script, with its tools where the harness looks for them.
func (g rig) subject(t *testing.T, name string) *Subject {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "harness", "scripts", name+".json"))
	require.NoError(t, err)
	s, err := Load(name+".json", data)
	require.NoError(t, err)
	for i := range s.Script.Tools {
		if x := &s.Script.Tools[i]; x.Via == script.HTTP && g.via == script.MCP {
			x.Via, x.Method, x.Path = script.MCP, "", ""
		}
	}
	return s
}

func (g rig) options(bin, contracts string, check bool, bug string) Options {
	words := append([]string{filepath.Join(bin, g.program), "-model-url", "{{.ModelURL}}", "-workspace", "{{.Workspace}}", "-log", "{{.Home}}/log",
		"-prompt", "{{.Prompt}}", "-timeout", "{{.ToolSeconds}}s", "-tools", contracts}, g.args...)
	o := Options{
		Harness: "generic", Logs: []string{"log"}, Timeout: 30 * time.Second, ToolTimeout: time.Second, Rules: rules.All(), Accept: AcceptExit,
	}
	if check {
		words = append(words, "-check", "sh check.sh")
	}
	if bug != "" {
		words = append(words, "-bug", bug)
	}
	o.Command, o.Resume = words, append(slices.Clone(words), "-resume")
	return o
}

// contracts is the file that a harness's owner writes of the tools of a script.
func (g rig) contracts(t *testing.T, name string) string {
	t.Helper()
	key := "header:Idempotency-Key"
	if g.via == script.MCP {
		key = "idempotency_key"
	}
	order := map[string]any{
		"name": "create_order", "method": "POST", "url": "/shop/orders", "effect": "external_write",
		"identity": []string{"account", "sku"}, "lookup": "find_orders",
	}
	if strings.HasSuffix(name, "-key") {
		order["key"] = key
	}
	data, err := json.Marshal([]any{order, map[string]any{"name": "find_orders", "method": "GET", "url": "/shop/orders", "identity": []string{"account"}}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tools.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}
