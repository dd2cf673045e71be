//go:build linux

package replay

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mugScript = `{
  "version": 1,
  "prompt": "Order a red mug for account 17.",
  "turns": [
    {"id": "order", "calls": [{"tool": "create_order", "args": {"account": 17, "sku": "mug-red"}}]},
    {"id": "done", "say": "The order is placed."}
  ],
  "tools": [
    {"name": "create_order", "via": "mcp", "server": "shop", "description": "Place an order.",
     "schema": {"type": "object", "properties": {"account": {"type": "integer"}, "sku": {"type": "string"}}, "required": ["account", "sku"]},
     "effect": "create", "resource": "order", "identity": ["account", "sku"]}
  ],
  "expect": [{"invariant": "exactly-once", "call": {"tool": "create_order"}, "same": ["account", "sku"]}]
}`

// TestRealHarnesses drives what .ci/harnesses installs. What each version does
// is written down in SEEN.md; the tests hold a part of that.
func TestRealHarnesses(t *testing.T) {
	folder := os.Getenv("FAULTLINE_HARNESSES")
	if folder == "" {
		t.Skip("FAULTLINE_HARNESSES does not name a folder that .ci/harnesses made")
	}
	const (
		none   = ""
		killed = `{"point": "committed-not-replied", "tool": "create_order", "kill": true}`
		cut    = `{"point": "stream-cut-inside", "turn": "order"}`
		twice  = `{"point": "duplicate-delivery", "turn": "order"}`
	)
	for _, c := range []struct {
		harness, fault string
		mode           Mode
		want           Status
		calls          []Calls
		resent         []Resent
	}{
		{"codex", none, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
		{"codex", cut, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
		{"codex", killed, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
		{"codex", killed, Persistent, Failed, []Calls{{"create_order", 2, 2}}, []Resent{{"create_order", "model", 1}}},
		{"codex", twice, Passive, Failed, []Calls{{"create_order", 2, 2}}, []Resent{{"create_order", "loop", 1}}},
		{"mcphost", none, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
		{"mcphost", cut, Passive, Failed, []Calls{}, []Resent{}},
		{"mcphost", killed, Passive, Failed, []Calls{{"create_order", 2, 1}}, []Resent{{"create_order", "model", 1}}},
		{"mcphost", twice, Passive, Failed, []Calls{{"create_order", 2, 1}}, []Resent{{"create_order", "loop", 1}}},
		{"opencode", none, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
		{"gemini", none, Passive, Passed, []Calls{{"create_order", 1, 1}}, []Resent{}},
	} {
		t.Run(c.harness+" "+c.fault, func(t *testing.T) {
			program := filepath.Join(folder, "bin", c.harness)
			if _, err := os.Stat(program); err != nil {
				t.Skip(err)
			}
			s := load(t, mugScript)
			if c.fault != "" {
				s = load(t, mugScript, withFault(c.fault)...)
			}
			r := one(t, s, c.mode, Options{Harness: c.harness, Command: []string{program}, Timeout: 2 * time.Minute})
			require.NotEmpty(t, r.Sessions)
			assert.Equal(t, c.want, r.Status, r.Why)
			assert.Equal(t, c.calls, r.Calls)
			assert.Equal(t, c.resent, r.Resent)
		})
	}
}
