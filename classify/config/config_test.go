package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/config"
)

func TestLoad(t *testing.T) {
	for _, tt := range []struct{ name, text, wrong string }{
		{"checks", "checks:\n  - name: unit\n    run: pytest -q\n    paths: [\"src/**\"]\n", ""},
		{"empty", "", ""},
		{"no command", "checks:\n  - name: unit\n", "checks[0] lacks run"},
		{"not a mapping", "- a\n- b\n", "faultline.yaml"},
		{"misspelt key", "check:\n  - name: unit\n    run: pytest\n", "unknown field"},
		{"misspelt member", "checks:\n  - name: unit\n    run: pytest\n    pahts: [a]\n", "unknown field"},
		{"lookups", "lookups:\n  - logs: \"*.jsonl\"\n    format: json\n    tool: pay\n    time: ts\n    key: req.key\n    status: status\n    ok: [200, created]\n", ""},
		{"lookup without key", "lookups:\n  - logs: x\n    format: json\n    tool: pay\n", "lookups[0]: invalid mapping: key is missing"},
		{"lookup of no format", "lookups:\n  - logs: x\n    format: xml\n    tool: pay\n    key: k\n", "is none of json"},
		{"misspelt lookup", "lookups:\n  - log: x\n", "unknown field"},
		{"contracts", "contracts:\n  - tool: pay\n    effect: external_write\n    identity: [order_id]\n    retry: {max: 2, backoff: fixed}\n", ""},
		{"contract of no tool", "contracts:\n  - effect: read\n", "contracts[0]: lacks tool"},
		{"contract of an unknown effect", "contracts:\n  - tool: pay\n    effect: write\n", "is none of read"},
		{"paths and permissions", "candidate: [\"src/**\"]\nprotected: [\"tests/**\"]\npermissions:\n  deny: [\"git push*\"]\n  paths: [\"src/**\"]\ntrusted: [orders]\n", ""},
		{"invariants", "invariants:\n  - name: a\n    before: {tool: refund, outcome: ok}\n    require: {tool: verify, result: {verified: true}}\n    same: [order_id]\n  - name: b\n    at_most: 2\n    of: {tool: \"*\"}\n    same: [\"*\"]\n  - name: c\n    spans: checkout*\n    at_least: 4\n    longest: 2s\n  - name: d\n    call: {tool: move}\n    argument: date\n    stated: '\\d{4}-\\d\\d-\\d\\d'\n", ""},
		{"invariant of no form", "invariants:\n  - name: a\n", "invariants[0]: needs one of"},
		{"invariant of two forms", "invariants:\n  - name: a\n    never: {tool: x}\n    spans: y\n", "needs one of"},
		{"half an invariant", "invariants:\n  - name: a\n    before: {tool: x}\n", "require stands with before"},
		{"no pattern", "invariants:\n  - name: a\n    call: {tool: x}\n    argument: y\n    stated: '('\n", "missing closing"},
		{"no duration", "invariants:\n  - name: a\n    spans: y\n    longest: soon\n", "invalid duration"},
		{"switches", "rules:\n  acceptance/masked-exit: off\n", ""},
		{"no switch", "rules:\n  acceptance/masked-exit: quiet\n", "is none of off, high"},
		{"waiver", "waivers:\n  - {rule: acceptance/stale-check, reason: known, expires: 2026-12-31}\n", ""},
		{"endless waiver", "waivers:\n  - {rule: acceptance/stale-check, reason: known}\n", "waivers[0]: lacks expires"},
		{"broken", "checks: [\n", "faultline.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "faultline.yaml")
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			c, err := config.Load(path)
			if tt.wrong == "" {
				require.NoError(t, err)
				assert.NotNil(t, c)
				return
			}
			require.ErrorIs(t, err, config.ErrInvalid)
			assert.ErrorContains(t, err, tt.wrong)
		})
	}
	_, err := config.Load(filepath.Join(t.TempDir(), "none.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
