package classify

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
)

func TestPrimary(t *testing.T) {
	ref := ingest.Ref{Run: "r", Seq: 3}
	find := func(layer Layer, s Severity, pos int, refs ...ingest.Ref) Finding {
		return Finding{Rule: string(layer) + "/x", Layer: layer, Severity: s, owner: layer, pos: pos, Refs: refs}
	}
	silent := []Abstention{{Rule: "acceptance/x", couldBeHigh: true}}
	for _, tt := range []struct {
		name      string
		findings  []Finding
		abstained []Abstention
		want      Layer
	}{
		{"nothing", nil, nil, None},
		{"low findings never decide", []Finding{find(Acceptance, Low, 1)}, nil, None},
		{"high before medium, wherever it stands", []Finding{find(Handoff, Medium, 1), find(Acceptance, High, 9)}, nil, Acceptance},
		{"the earliest of one severity", []Finding{find(Acceptance, High, 9), find(Idempotency, High, 4)}, nil, Idempotency},
		{"a neighbour that came first", []Finding{find(Acceptance, High, 9), find(Runtime, High, 4)}, nil, Runtime},
		{"a neighbour yields at the same event", []Finding{find(Runtime, High, 3, ref), find(Acceptance, High, 9, ref)}, nil, Acceptance},
		{"a rule that could have been high abstained", []Finding{find(Model, Low, 1)}, silent, CannotTell},
		{"a medium finding is more than silence", []Finding{find(Model, Medium, 1)}, silent, Model},
	} {
		t.Run(tt.name, func(t *testing.T) {
			layer, owner := primary(tt.findings, tt.abstained)
			assert.Equal(t, tt.want, layer)
			assert.Equal(t, tt.want, owner)
		})
	}
}

func TestGlobMatch(t *testing.T) {
	for _, tt := range []struct {
		glob, path string
		want       bool
	}{
		{"src/**", "src/a/b.py", true},
		{"src/**", "source/a.py", false},
		{"**/*.py", "a.py", true},
		{"**/*.py", "a/b/c.py", true},
		{"*.py", "a/b.py", false},
		{"src/*/x_*.go", "src/a/x_1.go", true},
		{"src/*/x_*.go", "src/a/b/x_1.go", false},
		{"", "a", false},
	} {
		assert.Equal(t, tt.want, config.Match(tt.glob, tt.path), "%s %s", tt.glob, tt.path)
	}
}
