package classify

import (
	"bytes"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// stops matches the names of tools that end a background task.
var stops = phrase.MustCompile(`(?i)(kill|stop|cancel|terminate|abort)`)

// stopped reports that the background task which the action launched was ended
// from outside before the event that told its outcome.
func (a *Action) stopped() bool {
	if a.Result < 0 || a.Settled < 0 {
		return false
	}
	task := a.Run.Events[a.Result].Task
	if task == "" {
		task = a.Run.Events[a.Settled].Task
	}
	if task == "" {
		return false
	}
	list := Once(&a.thread.Facts, "stops", func() []*Action {
		var out []*Action
		for _, s := range a.thread.Actions {
			if s.Kind != RunsShell && s.Outcome == ingest.OK && stops.MatchString(s.Tool) {
				out = append(out, s)
			}
		}
		return out
	})
	for _, s := range between(list, a.Pos, a.End) {
		if s.Run == a.Run && bytes.Contains(s.Args, []byte(task)) {
			return true
		}
	}
	return false
}
