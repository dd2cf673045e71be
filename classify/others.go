package classify

import (
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

// ciCommands are the sub-commands by which the result of continuous
// integration is read.
var ciCommands = map[string][]string{
	"gh":   {"run", "pr", "workflow"},
	"glab": {"ci", "pipeline", "mr"},
}

var (
	ciGreen = phrase.MustCompile(`(?i)(\bsuccess\b|\bpass(ed)?\b|✓|succeeded|"conclusion":\s*"success")`)
	ciRed   = phrase.MustCompile(`(?i)(\bfail(ed|ure|ing)?\b|✗|\bX\b|cancelled|timed_out)`)
	userRan = phrase.MustCompile(`(?i)\b(i|we)('ve| have)? (just |already )?(ran|run|executed|checked)\b`)
)

// ReportedByOthers reports that somebody else ran the required check and the
// episode knows its result: CI for the head commit, or the user in words.
func (v *View) ReportedByOthers(e *Episode, r Required) bool {
	for _, a := range v.EpisodeActions(e) {
		if a.Kind == RunsShell && a.Outcome == ingest.OK && readsCI(a) {
			if out := a.Output(); ciGreen.MatchString(out) && !ciRed.MatchString(out) {
				return true
			}
		}
	}
	for i := e.First; i <= e.Episode.Last; i++ {
		ev := &v.Run.Events[i]
		if ev.Kind != ingest.Message || ev.Actor != ingest.User || ev.Copied {
			continue
		}
		t := v.Run.Text(ev)
		if s := runner.ParseOutput(t, nil); s.Seen && s.Clean || userRan.MatchString(t) && ciGreen.MatchString(t) {
			return true
		}
	}
	return false
}

func readsCI(a *Action) bool {
	for _, c := range a.Commands {
		if len(c.Argv) < 3 {
			continue
		}
		for _, sub := range ciCommands[c.Argv[0]] {
			if c.Argv[1] == sub {
				return true
			}
		}
	}
	return false
}
