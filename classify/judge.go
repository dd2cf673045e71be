package classify

import (
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// AcceptedAfterChange yields the judged, accepted episodes with a change of
// the candidate before the acceptance: the occasion of the rules on checks.
func (v *View) AcceptedAfterChange() []*Episode {
	var out []*Episode
	for _, e := range v.Judged() {
		if e.Accepted && len(v.CandidateChanges(e)) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// CandidateChanges are the changes of an episode that can belong to the work.
func (v *View) CandidateChanges(e *Episode) []*Change {
	var out []*Change
	for _, c := range v.ChangesIn(e.Begin-1, e.Last+1) {
		if c.Candidate() && c.Op != shell.OpMode {
			out = append(out, c)
		}
	}
	return out
}

// LastAnswers returns the checks of an episode that answer a requirement.
func (v *View) LastAnswers(e *Episode, r Required) []*Check {
	var out []*Check
	for _, c := range v.ChecksIn(e.Begin-1, e.Last+1) {
		if r.AnsweredBy(c) {
			out = append(out, c)
		}
	}
	return out
}

// Neighbour settles a neighbour's severity: low when the run recovered, medium
// when it was accepted all the same, high when it never got past it.
func (e *Episode) Neighbour(recovered bool) Severity {
	switch {
	case recovered:
		return Low
	case e.Accepted && !e.Discloses():
		return Medium
	}
	return High
}

// Recovered reports that the same tool succeeded later in the episode.
func (v *View) Recovered(e *Episode, a *Action) bool {
	if e.lastOK == nil {
		e.lastOK = map[toolOf]int{}
		for _, b := range v.EpisodeActions(e) {
			if b.Outcome == ingest.OK {
				e.lastOK[toolOf{b.Tool, b.Sub}] = b.Pos
			}
		}
	}
	last, ok := e.lastOK[toolOf{a.Tool, a.Sub}]
	return ok && last > a.Pos
}
