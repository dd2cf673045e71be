package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var maskedExit = classify.Rule{
	Name:    "acceptance/masked-exit",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "The exit status that was read is not the check's",
		Text:     "Work was accepted on a check whose failure would not have been seen: its status was lost in a pipe, replaced by what follows it, put into the background, or told of a task that had been stopped, and its output shows no complete summary that says the same.",
		Fires:    "`vitest run | head -6` exits 0 with the summary cut off; `pytest > log || true` and nobody reads the log.",
		NearMiss: "`set -o pipefail`, `${PIPESTATUS}`, `rc=$?; …; exit $rc`; a complete summary behind the pipe that agrees with the claim; the log was read; the check was run again unmasked; a command that is no check.",
		Occasion: "an accepted episode with a change and a check",
		Needs:    "command texts",
		Owner:    classify.Acceptance,
		Change:   "Let the harness run the check itself, without a shell around it, and read its own exit status.",
		Metric:   "accepted tasks whose check could not have failed",
	},
	Occasion: func(v *classify.View) bool { return len(acceptedWithChecks(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range acceptedWithChecks(v) {
			if e.Discloses() || len(v.CandidateChanges(e)) == 0 {
				continue
			}
			toldAsZero(v, p, e)
			seen := map[int]bool{}
			for _, c := range slices.Backward(lastResults(v, e)) {
				if c.Masked == "" || seen[checkID(v, c)] {
					continue
				}
				seen[checkID(v, c)] = true
				if severity := hidden(v, e, c); severity != "" {
					reportMasked(p, e, c, severity)
				}
			}
		}
	},
}

// hidden tells how much weighs what the mask hides, "" for nothing.
func hidden(v *classify.View, e *classify.Episode, c *classify.Check) classify.Severity {
	cmd := commandOf(c)
	switch {
	case cmd == nil || cmd.Reported || c.Masked == shell.MaskCondition || c.Masked == shell.MaskOrElse:
		return "" // the script itself looks at the status
	case c.Status == classify.Red:
		return classify.Medium // visible, and nobody said so
	case c.Status != classify.Unclear || logRead(v, e, c, cmd):
		return ""
	case len(cmd.Writes)+len(cmd.Appends) > 0 || c.Masked != shell.MaskPipe && c.Kind == runner.Test && c.Summarizes():
		return classify.Medium
	case c.Kind != runner.Test:
		return classify.Low // compilers and linters print problems as they meet them
	}
	switch through(c, cmd) {
	case endShown:
		if !c.Summarizes() {
			return classify.Low // what such a check prints at its end is not known
		}
	case linesPicked:
		if good.MatchString(c.Action.Output()) {
			return classify.Low
		}
	}
	return classify.Medium
}

func reportMasked(p *classify.Pass, e *classify.Episode, c *classify.Check, severity classify.Severity) {
	p.Report(classify.Hit{
		Severity: severity, Grade: e.Grade.Weaker(classify.Observed), Episode: e.Index, At: c.Pos,
		Cite:      []classify.Cite{c.Event, c.Action.Cite(), e.At},
		Message:   fmt.Sprintf("the exit status that was read is not that of %q (%s)", c.Title(), c.Masked),
		Structure: []string{c.Runner, c.Masked},
	})
}

// toldAsZero reports checks that were stopped before their end and that the
// harness tells of as completed afterwards.
func toldAsZero(v *classify.View, p *classify.Pass, e *classify.Episode) {
	for _, c := range lastResults(v, e) {
		if c.Status != classify.NoEnd || c.Action == nil || c.Action.Settled < 0 || c.Action.Reason != ingest.Interrupted {
			continue
		}
		told := completions(v)[c.Action.Run.Events[c.Action.Settled].Task]
		if told.Event == nil || told.Run != c.Action.Run || told.Event.Seq < c.Action.CiteEnd().Event.Seq {
			continue
		}
		grade := e.Grade.Weaker(classify.Observed)
		p.Report(classify.Hit{
			Severity: classify.Medium, Grade: grade, Episode: e.Index, At: c.Pos,
			Cite:      []classify.Cite{told, c.Event, e.At},
			Message:   fmt.Sprintf("%q was stopped before its end and is told of as completed", c.Title()),
			Structure: []string{c.Runner, "stopped"},
		})
	}
}

// completions are the last events that tell of a background task as done well.
func completions(v *classify.View) map[string]classify.Cite {
	return classify.Once(&v.Facts, "completions", func() map[string]classify.Cite {
		out := map[string]classify.Cite{}
		for _, r := range v.Runs {
			for i := range r.Events {
				if ev := &r.Events[i]; ev.Task != "" && ev.Outcome == ingest.OK && !ev.Copied {
					out[ev.Task] = classify.Cite{Run: r, Event: ev}
				}
			}
		}
		return out
	})
}

// commandOf is the command of the action that ran the check.
func commandOf(c *classify.Check) *shell.Command {
	if c.Action == nil {
		return nil
	}
	for i := range c.Action.Commands {
		if cmd := &c.Action.Commands[i]; slices.Equal(cmd.Argv, c.Argv) {
			return cmd
		}
	}
	return nil
}

// What the programs behind a check in its pipe let through.
const (
	endCut = iota
	endShown
	linesPicked
)

// good matches what runners call a result that is none to worry about.
var good = phrase.MustCompile(`(?im)\b(pass(ed|ing|es)?|success\w*|succeeded|0 fail\w*|failed: 0)\b|^ok\b`)

func through(c *classify.Check, cmd *shell.Command) int {
	out := endShown
	for i := range c.Action.Commands {
		d := &c.Action.Commands[i]
		if d.Line != cmd.Line || d.Pipe <= cmd.Pipe {
			continue
		}
		switch shell.Program(d.Argv[0]) {
		case "tail", "tee", "cat", "ts", "tr":
		case "head", "less", "more", "sed":
			return endCut
		case "grep":
			if !slices.Contains(d.Argv, "-v") {
				out = linesPicked
			}
		default:
			out = linesPicked
		}
	}
	return out
}

// logRead reports that the file into which the check wrote was read after it,
// in the same script or later in the episode.
func logRead(v *classify.View, e *classify.Episode, c *classify.Check, cmd *shell.Command) bool {
	files := slices.Concat(cmd.Writes, cmd.Appends)
	for _, d := range c.Action.Commands {
		if d.PipeLen > 1 && shell.Program(d.Argv[0]) == "tee" {
			for _, ch := range d.Changes() {
				files = append(files, ch.Path)
			}
		}
	}
	if len(files) == 0 {
		return false
	}
	reads := fileReads(v, e)
	return slices.ContainsFunc(files, func(f string) bool { last, ok := reads[f]; return ok && last >= c.Start })
}

// fileReads is where each file was last read in an episode.
func fileReads(v *classify.View, e *classify.Episode) map[string]int {
	return classify.Once(&v.Own, fmt.Sprint("file reads ", e.Index), func() map[string]int {
		last := map[string]int{}
		for _, a := range v.EpisodeActions(e) {
			if a.Kind == classify.Looks {
				for _, f := range a.Paths() {
					last[f] = a.Pos
				}
			}
			for _, cmd := range a.Commands {
				for _, f := range cmd.Reads() {
					last[f] = a.Pos
				}
			}
		}
		return last
	})
}
