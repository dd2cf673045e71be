package classify

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest/record"
)

// The decision that counts is the last: of the last round, of who judges rather
// than of who made it, and then by time.
func TestLastDecisionIsLast(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 4, 7, 9, minute, 0, 0, time.UTC) }
	rec := func(role string, round int, decision string, at time.Time) *Record {
		return &Record{Record: record.Record{Completion: &record.Completion{Role: role, Round: round, Decision: decision, At: at}}}
	}
	for name, list := range map[string][]*Record{
		"a later round":                      {rec("evaluator", 2, "accepted", at(3)), rec("evaluator", 1, "rejected", at(4))},
		"the maker leaves it open":           {rec("evaluator", 1, "accepted", at(3)), rec("generator", 1, "open", at(4))},
		"later in time, without rounds":      {rec("", 0, "accepted", at(5)), rec("", 0, "rejected", at(4))},
		"as they stand, without rounds":      {rec("", 0, "rejected", time.Time{}), rec("", 0, "accepted", time.Time{})},
		"a harness's word after the rounds":  {rec("evaluator", 3, "rejected", at(4)), rec("", 0, "accepted", at(9))},
		"a planner's plan is of no round":    {rec("evaluator", 1, "accepted", at(3)), rec("planner", 0, "open", at(1))},
		"one of two judges of a round later": {rec("evaluator", 1, "accepted", at(9)), rec("evaluator", 1, "rejected", at(4))},
	} {
		sortCompletions(list)
		assert.Equal(t, "accepted", list[len(list)-1].Completion.Decision, name)
	}
}
