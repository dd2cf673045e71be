package rules

import (
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var agentTimeout = classify.Rule{
	Name:    "runtime/agent-timeout",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The agent ran out of its time limit",
		Text:     "The harness or the trial's record states that the agent's own time limit ended the run.",
		Fires:    "Harbor records AgentTimeoutError; the last call has no result.",
		NearMiss: "A tool's time-out inside the run; an agent that finished in time; the word in an output.",
		Occasion: "a statement that the agent's time limit was reached",
		Needs:    "how the run ended",
		Owner:    classify.Runtime,
		Change:   "Raise the limit or give the agent its remaining time, so that it can stop in a known state.",
		Metric:   "trials ended by the agent's time limit",
	},
	Occasion: func(v *classify.View) bool { return len(v.Run.Events) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for i := range v.Run.Events {
			ev := &v.Run.Events[i]
			if ev.Copied || !agentLimit(ev) {
				continue
			}
			severity := classify.High
			e := episodeOf(v, v.Start()+i)
			switch {
			case v.Grader.Accepted():
				severity = classify.Low
			case e.Accepted && v.Grader.Score.Event == nil:
				severity = classify.Medium
			}
			p.Report(classify.Hit{
				Severity: severity, Grade: classify.Observed, Episode: e.Index, At: v.Start() + i,
				Cite:      []classify.Cite{{Run: v.Run, Event: ev}},
				Message:   "the agent's time limit ended the run",
				Structure: []string{ev.Name},
			})
			return
		}
	},
}

// agentLimit reports that an event states that the agent, not a check, ran out
// of time.
func agentLimit(e *ingest.Event) bool {
	if e.Kind != ingest.Error && e.Kind != ingest.Limit {
		return false
	}
	name := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(e.Name))
	if strings.Contains(name, "verifier") || strings.Contains(name, "test") || strings.Contains(name, "check") || strings.Contains(name, "grader") {
		return false
	}
	if e.Kind == ingest.Limit {
		return e.Reason == ingest.TimedOut || name == "time" || name == "timelimit" || name == "working" || strings.Contains(name, "timeout")
	}
	return strings.Contains(name, "agenttimeout") || e.Reason == ingest.TimedOut && e.Actor == ingest.Harness && e.Outcome == ingest.Fail
}

// episodeOf is the episode at a position, else the last one, else an empty one.
func episodeOf(v *classify.View, pos int) *classify.Episode {
	if e := v.EpisodeAt(pos); e != nil {
		return e
	}
	if e := graded(v); e != nil {
		return e
	}
	return &classify.Episode{}
}
