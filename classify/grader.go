package classify

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

// Grader is what an independent grader said of a run. It is evidence about the
// result, never about the layer by itself.
type Grader struct {
	Present  bool
	Score    Cite // the event that holds the result
	Outcome  ingest.Outcome
	TimedOut bool
	// Ran is false when the record says that its checks never started.
	Ran bool
	// Started is the event that shows why it never started.
	Started        Cite
	Passed, Failed int // single tests, where they are recorded
}

// Accepted reports that the grader's checks ran and accepted the result.
func (g Grader) Accepted() bool { return g.Present && g.Ran && g.Outcome == ingest.OK }

// Rejected reports that the grader's checks ran and rejected the result.
func (g Grader) Rejected() bool {
	return g.Present && g.Ran && !g.TimedOut && g.Outcome == ingest.Fail
}

// Unreadable reports that the checks ran and what they said could not be read.
func (g Grader) Unreadable() bool {
	return g.Present && g.Ran && !g.TimedOut && g.Outcome == ingest.Unknown && g.Score.Event.Reason == ingest.Errored
}

// readGrader reads the scores, single tests and output of a run's grader.
func readGrader(r *ingest.Run) Grader {
	g := Grader{}
	var output *ingest.Event
	for i := range r.Events {
		e := &r.Events[i]
		switch {
		case e.Copied:
		case e.Kind == ingest.Score:
			g.Present, g.Score, g.Outcome = true, Cite{r, e}, e.Outcome
			g.TimedOut = g.TimedOut || e.Reason == ingest.TimedOut
		case e.Kind == ingest.Check && r.Meta.Trial && r.Sources[e.Source].Role > 0:
			switch e.Outcome {
			case ingest.OK:
				g.Passed++
			case ingest.Fail:
				g.Failed++
			}
		case e.Kind == ingest.Error && e.Reason == ingest.TimedOut && strings.HasPrefix(e.Name, "Verifier"):
			g.TimedOut = true // whatever score its partial files gave
		case e.Name == "verifier-output":
			output = e
		}
	}
	g.Ran = g.Present && g.started(r, output)
	return g
}

// neverStarted matches the end of a grader's output when its own tools were
// missing. It is asked only when no single test was recorded.
var neverStarted = phrase.MustCompile(`(?i)(command not found|no such file or directory|could not resolve|failed to connect|connection refused|failure when receiving data|no module named|unable to locate package|permission denied|no space left)`)

// started decides whether the grader's checks ran at all: single tests or a
// runner's summary prove it, an output without either that ends in a missing
// tool disproves it, and a bare score is taken at its word.
func (g *Grader) started(r *ingest.Run, output *ingest.Event) bool {
	if g.Passed+g.Failed > 0 || output == nil {
		return true
	}
	text := r.Text(output)
	if s := runner.ParseOutput(text, nil); s.Seen && s.NotRun == "" {
		return true
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	tail := strings.Join(lines[max(0, len(lines)-12):], "\n")
	if neverStarted.MatchString(tail) {
		g.Started = Cite{r, output}
		return false
	}
	return true
}
