package classify

// Layer is the part of a harness that owns a failure, or a verdict word.
type Layer string

// The three layers, their neighbours, and the verdicts without a layer.
const (
	Acceptance   Layer = "acceptance"
	Idempotency  Layer = "idempotency"
	Handoff      Layer = "handoff"
	Context      Layer = "context"
	ToolContract Layer = "boundary" // between the model and a tool
	Permission   Layer = "permission"
	Runtime      Layer = "runtime"
	Provider     Layer = "provider"
	Model        Layer = "model"

	None       Layer = "none"
	CannotTell Layer = "cannot tell"
)

// Core reports whether the layer is one of the three that Faultline judges;
// the others are neighbours.
func (l Layer) Core() bool { return l == Acceptance || l == Idempotency || l == Handoff }

// Severity is how much a finding explains.
type Severity string

// The severities, loudest first.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// Rank is 3 for high, 2 for medium, 1 for low.
func (s Severity) Rank() int {
	switch s {
	case High:
		return 3
	case Medium:
		return 2
	}
	return 1
}

// Cap returns the lower of two severities.
func (s Severity) Cap(limit Severity) Severity {
	if s.Rank() > limit.Rank() {
		return limit
	}
	return s
}

// Grade is what a finding rests on.
type Grade string

// The grades, strongest first: a Record; events of the trace; text or habit.
const (
	Recorded Grade = "recorded"
	Observed Grade = "observed"
	Inferred Grade = "inferred"
)

// Weaker returns the weaker of two grades.
func (g Grade) Weaker(h Grade) Grade {
	if g == Inferred || h == Inferred {
		return Inferred
	}
	if g == Observed || h == Observed {
		return Observed
	}
	return Recorded
}
