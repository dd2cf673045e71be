package script

import (
	"fmt"
	"slices"
)

// OnModel reports that the point lies in a message of the model.
func (p Point) OnModel() bool {
	switch p {
	case BeforePersist, StreamCutBefore, StreamCutInside, StreamCutAfterCall, DuplicateDelivery, StoppedByProvider:
		return true
	}
	return false
}

// Kills reports that the harness is killed at the fault.
func (f *Fault) Kills() bool {
	switch f.Point {
	case RepliedNotRecorded, ApprovedNotDispatched, StaleSummary, DeadProcess:
		return true
	}
	return f.Kill
}

var points = []Point{BeforePersist, PersistedNotDispatched, CommittedNotReplied, RepliedNotRecorded, ApprovedNotDispatched, ReplyLate,
	StreamCutBefore, StreamCutInside, StreamCutAfterCall, ParallelReplyLost, DuplicateDelivery, StaleSummary, DeadProcess, StoppedByProvider}

func (c *checker) fault() {
	f := c.s.Fault
	if f == nil {
		return
	}
	if !slices.Contains(points, f.Point) {
		c.fail(fmt.Sprintf("%.60q is not known (known: %v)", string(f.Point), points), "fault", "point")
	}
	if f.Nth < 0 || f.Nth > maxItems {
		c.fail(fmt.Sprintf("%d is not from 1 to %d", f.Nth, maxItems), "fault", "nth")
	}
	if f.Tool != "" {
		if _, err := c.s.Find(f.Tool); err != nil {
			c.fail(err.Error(), "fault", "tool")
		}
	}
	if f.Turn != "" && !slices.ContainsFunc(c.s.Turns, func(t Turn) bool { return t.ID == f.Turn }) {
		c.fail(fmt.Sprintf("no turn is called %.60q", f.Turn), "fault", "turn")
	}
	if f.Turn != "" && !f.Point.OnModel() && f.Point != ParallelReplyLost && f.Point != DeadProcess && f.Point != StaleSummary {
		c.fail(fmt.Sprintf("%s is against a call, not a turn", f.Point), "fault", "turn")
	}
}
