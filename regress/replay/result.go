package replay

import (
	"time"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/replay/world"
	"github.com/faultline-dev/faultline/regress/script"
)

// Status is what a replay comes to.
type Status string

// The statuses. Invalid: the harness never came to the fault, so that nothing
// was tried. Not replayable: this cannot be played here at all.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	CannotTell    Status = "cannot tell"
	Invalid       Status = "invalid"
	NotReplayable Status = "not replayable"
)

// Result is one play of a case: one harness, one model mode.
type Result struct {
	Case     string          `json:"case"` // its id; the script's hash where there is no case
	Name     string          `json:"name"` // of the file
	Harness  string          `json:"harness"`
	Model    Mode            `json:"model"`
	Status   Status          `json:"status"`
	Why      string          `json:"why"` // one sentence
	Expect   []expect.Result `json:"expect"`
	Failures []world.Failure `json:"failures"`
	Faults   []script.Point  `json:"faults"` // that fired, in order
	Resent   []Resent        `json:"resent"`
	Calls    []Calls         `json:"calls"`
	Findings []Finding       `json:"findings"` // of the rules, on the harness's own log
	Network  sandbox.Network `json:"network"`
	Sessions []Session       `json:"sessions"`
	Requests int             `json:"model_requests"`
	LogRuns  int             `json:"log_runs"` // runs that were found in the harness's log
	Settings []string        `json:"settings"` // time-outs that were shortened
	Acts     []expect.Act    `json:"-"`
	Folder   string          `json:"-"` // the scratch folder, where it was kept
	Duration time.Duration   `json:"-"`
}

// Session is one start of the harness.
type Session struct {
	Exit     int    `json:"exit"`
	Signal   string `json:"signal,omitzero"`
	Killed   bool   `json:"killed,omitzero"`    // by the world, at a fault
	TimedOut bool   `json:"timed_out,omitzero"` // by the wall clock
	Printed  int64  `json:"-"`                  // bytes
	Stdout   string `json:"-"`                  // its beginning and its end
	Stderr   string `json:"-"`
}

// Resent says who sent calls of a tool again.
type Resent struct {
	Tool  string `json:"tool"`
	By    string `json:"by"` // sdk, wrapper, loop or model
	Times int    `json:"times"`
}

// Calls sets the two accounts of a tool side by side.
type Calls struct {
	Tool  string `json:"tool"`
	World int    `json:"world"` // dispatches that reached the world
	Log   int    `json:"log"`   // calls in the harness's own log
}

// Finding is what a rule found in the harness's own log.
type Finding struct {
	Rule        string `json:"rule"`
	Severity    string `json:"severity"`
	Fingerprint string `json:"fingerprint"`
	Message     string `json:"message"`
}
