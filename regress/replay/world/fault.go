package world

import (
	"errors"
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/regress/script"
)

// ErrNotReplayable is wrapped by the error of a script whose fault no world can
// cause, with the reason.
var ErrNotReplayable = errors.New("not replayable")

// trigger is the script's fault, which strikes once.
type trigger struct {
	*script.Fault
	tool  *script.Tool // whose call; nil for any with an effect
	turn  int          // -1 for any
	count int
	armed bool // it strikes at the next request to the model
	fired bool
}

// newTrigger finds what the fault names, or says why it cannot strike.
func newTrigger(s *script.Script, o Options) (*trigger, error) {
	if s.Fault == nil {
		return &trigger{Fault: &script.Fault{}, fired: true}, nil
	}
	t := &trigger{Fault: s.Fault, turn: slices.IndexFunc(s.Turns, func(x script.Turn) bool { return x.ID == s.Fault.Turn })}
	if s.Fault.Tool != "" {
		var err error
		if t.tool, err = s.Find(s.Fault.Tool); err != nil {
			return nil, err
		}
	}
	if why := t.impossible(s, o); why != "" {
		return nil, fmt.Errorf("%w: %s: %s", ErrNotReplayable, s.Fault.Point, why)
	}
	return t, nil
}

// impossible says why a fault cannot be caused from outside, or "".
func (t *trigger) impossible(s *script.Script, o Options) string {
	switch {
	case t.Point == script.ApprovedNotDispatched:
		return "approvals do not pass through the world, so that it cannot see one answered"
	case (t.Point == script.StaleSummary || t.Point == script.DeadProcess) && s.Resume == "" && len(s.Files) == 0:
		return "what the next session is told has to stand in resume or files, and neither is given"
	case t.Point == script.ReplyLate && o.Late <= 0:
		return "how long this harness waits for a reply is not known"
	case t.Kills() && o.Kill == nil:
		return "nobody is there to kill the harness"
	case t.Point.OnModel() || t.Point == script.ParallelReplyLost || t.Point == script.DeadProcess && t.tool == nil:
		return t.noTurn(s)
	case t.tool != nil && t.tool.Via == script.Builtin && !t.boundary():
		return "a call of the harness's own tool does not pass through the world"
	case t.tool == nil && t.turn < 0 && !slices.ContainsFunc(s.Tools, func(x script.Tool) bool { return x.Writes() }):
		return "no tool of the script has an effect"
	}
	return ""
}

func (t *trigger) noTurn(s *script.Script) string {
	for i := range s.Turns {
		if t.turnFits(s, i) {
			return ""
		}
	}
	if t.Point == script.ParallelReplyLost {
		return "no turn has two calls that the world answers"
	}
	return "no turn has such a message"
}

// turnFits reports that a turn's message is one that the fault is against.
func (t *trigger) turnFits(s *script.Script, i int) bool {
	turn := &s.Turns[i]
	switch {
	case t.turn >= 0 && t.turn != i:
		return false
	case t.tool != nil && !slices.ContainsFunc(turn.Calls, func(c script.Call) bool { x, err := s.Find(c.Tool); return err == nil && x == t.tool }):
		return false
	}
	switch t.Point {
	case script.StreamCutInside, script.StreamCutAfterCall, script.DuplicateDelivery:
		return len(turn.Calls) > 0
	case script.BeforePersist:
		return len(turn.Calls) > 0 || t.turn >= 0
	case script.ParallelReplyLost:
		return len(turn.Calls) > 1
	}
	return true
}

// strike counts an occasion and reports whether this is the one.
func (t *trigger) strike() bool {
	t.count++
	t.fired = t.count == max(1, t.Nth)
	return t.fired
}

// onMessage reports that the fault strikes at a message of the model.
func (t *trigger) onMessage(s *script.Script, turn int) bool {
	return !t.fired && t.Point.OnModel() && turn < len(s.Turns) && t.turnFits(s, turn) && t.strike()
}

// onDispatch reports that the fault strikes at a call that arrives.
func (t *trigger) onDispatch(tool *script.Tool, a *ask) bool {
	if t.fired || t.Point.OnModel() || t.boundary() {
		return false
	}
	fits := t.tool == tool || t.tool == nil && tool.Writes()
	if t.Point == script.ParallelReplyLost {
		fits = (t.tool == nil || t.tool == tool) && a != nil && a.parallel && (t.turn < 0 || a.at.turn == t.turn)
	}
	return fits && t.strike()
}

// boundary: the fault lies in what the next session is told, so that the
// harness is killed when the model hears of what was done last.
func (t *trigger) boundary() bool {
	return t.Point == script.StaleSummary || t.Point == script.DeadProcess
}

// arm notes what a boundary fault waits for: a call, or the message of a turn.
func (t *trigger) arm(s *script.Script, tool *script.Tool, turn int) {
	if t.fired || t.armed || !t.boundary() {
		return
	}
	switch {
	case turn >= 0 && (t.turn == turn || t.tool == nil && t.turn < 0 && t.Point == script.DeadProcess && len(s.Turns[turn].Calls) > 0):
	case turn >= 0 && t.tool != nil && t.tool.Via == script.Builtin && t.turnFits(s, turn):
	case tool != nil && t.turn < 0 && (t.tool == tool || t.tool == nil && tool.Writes() && t.Point == script.StaleSummary):
	default:
		return
	}
	t.count++
	t.armed = t.count == max(1, t.Nth)
}

// crossing reports that a boundary fault strikes at this request.
func (t *trigger) crossing() bool {
	if t.fired || !t.armed {
		return false
	}
	t.fired = true
	return true
}
