package classify

import (
	"cmp"
	"slices"

	"github.com/faultline-dev/faultline/ingest/record"
)

// readCompletions sorts the Completion records of the run by the episode that
// they name, counting from 1; without a number, or with one that the run does
// not have, the last.
func (v *View) readCompletions(episodes int) {
	v.completions = map[int][]*Record{}
	for i := range v.Records {
		c := v.Records[i].Completion
		if c == nil || !namesRun(c.RunID, v.Run) {
			continue
		}
		k := episodes - 1
		if n := c.Episode; n != nil && *n >= 1 && *n <= episodes {
			k = *n - 1
		}
		v.completions[k] = append(v.completions[k], &v.Records[i])
	}
	for _, list := range v.completions {
		sortCompletions(list)
	}
}

// sortCompletions puts records of one episode in the order of their decisions:
// by round, then by whether the maker only leaves the work open to a judge, then
// by time, then as they stand. Rounds count where every judge states one, times
// where every record does.
func sortCompletions(list []*Record) {
	rounds := !slices.ContainsFunc(list, func(r *Record) bool { return r.Completion.Round == 0 && !handsOn(r.Completion) })
	dated := !slices.ContainsFunc(list, func(r *Record) bool { return r.Completion.At.IsZero() })
	slices.SortStableFunc(list, func(a, b *Record) int {
		c, d := a.Completion, b.Completion
		byRound, byRole, byTime := 0, 0, 0
		if rounds {
			byRound = cmp.Compare(c.Round, d.Round)
			byRole = cmp.Compare(judging(c), judging(d))
		}
		if dated {
			byTime = c.At.Compare(d.At)
		}
		return cmp.Or(byRound, byRole, byTime)
	})
}

// handsOn reports that who made the work leaves the decision to somebody else.
func handsOn(c *record.Completion) bool {
	switch c.Role {
	case "planner", "generator":
		return c.Decision == "open" || c.Decision == ""
	}
	return false
}

func judging(c *record.Completion) int {
	if handsOn(c) {
		return 0
	}
	return 1
}

// recordedAcceptance applies the Completion records of the episode: the last
// decision counts.
func (v *View) recordedAcceptance(e *Episode) bool {
	e.Completions = v.completions[e.Index]
	for _, rec := range slices.Backward(e.Completions) {
		switch rec.Completion.Decision {
		case "accepted", "eligible":
			e.Record = rec
			e.accept(Recorded, rec.Cite, v.base+e.Episode.Last)
			return true
		case "open", "rejected":
			e.Record = rec
			return true
		}
	}
	if n := len(e.Completions); n > 0 {
		e.Record = e.Completions[n-1]
	}
	return false
}
