package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var stuckLoop = classify.Rule{
	Name:    "model/stuck-loop",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The same call again and again, with nothing changed",
		Text:     "An agent made the same call, or the same cycle of two to four calls, three times or more in a row; every answer was the same and nothing changed in between.",
		Fires:    "One search is sent four times with the same empty answer.",
		NearMiss: "Polling, where the answer changes in the end or the call waits; a changed argument; edits in between; a retry of a read that failed for the moment; asked again by the user; the loop was left: low.",
		Occasion: "three calls in a row",
		Needs:    "calls with arguments and results",
		Owner:    classify.Model,
		Change:   "Stop a loop of equal calls in the harness, and tell the model that the answer will not change.",
		Metric:   "equal calls with equal answers in a row",
	},
	Occasion: func(v *classify.View) bool { return len(v.Actions) >= rounds },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			for _, acts := range bySpeaker(v, e) {
				loopsIn(v, p, e, acts)
			}
		}
	},
}

// rounds are how many times a cycle must come to be a loop, longestCycle of how
// many calls it may be.
const (
	rounds       = 3
	longestCycle = 4
)

// bySpeaker sorts the acts of an episode by the agent that acts, in order of
// their first one. Notes are thoughts, not acts.
func bySpeaker(v *classify.View, e *classify.Episode) [][]*classify.Action {
	var out [][]*classify.Action
	at := map[string]int{}
	for _, a := range v.EpisodeActions(e) {
		if !v.Owns(a) || a.Kind == classify.Notes {
			continue
		}
		k, known := at[actorOf(a)]
		if !known {
			k = len(out)
			at[actorOf(a)] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], a)
	}
	return out
}

// loopsIn reports the loops of one agent, the shortest cycle first where
// several begin at one act.
func loopsIn(v *classify.View, p *classify.Pass, e *classify.Episode, acts []*classify.Action) {
	next := 0
	for i := range acts {
		for cycle := 1; i >= next && cycle <= longestCycle; cycle++ {
			if n := loopLength(v, acts, i, cycle); n >= rounds*cycle && !payOff(acts, i, n, cycle) {
				reportLoop(v, p, e, acts, i, n, cycle)
				next = i + n
			}
		}
	}
}

// loopLength is how many acts from the i-th one on repeat those a cycle before
// them, the first cycle included; 0 when the first is no act to get stuck with.
func loopLength(v *classify.View, acts []*classify.Action, i, cycle int) int {
	if i+rounds*cycle > len(acts) || acts[i].Tool != acts[i+cycle].Tool || acts[i].Key() != acts[i+cycle].Key() {
		return 0
	}
	for k := range cycle {
		if !canStick(v, acts[i+k], cycle) {
			return 0
		}
	}
	n := cycle
	for i+n < len(acts) && sameRound(v, acts[i+n-cycle], acts[i+n]) {
		n++
	}
	return n
}

// waiting matches commands and tools that wait for something, and answers that
// tell that it still goes on.
var (
	waitingCommand = phrase.MustCompile(`(?i)\b(sleep|wait|watch|poll|tail -[fF]|until|timeout|--wait|inotifywait|read -t)\b`)
	waitingTool    = phrase.MustCompile(`(?i)(poll|wait|sleep|status|progress|output|stdin|monitor|watch|heartbeat|keystroke)`)
	stillGoing     = phrase.MustCompile(`(?i)\b(pending|queued|running|in[ _-]progress|processing|starting|not (yet )?(ready|finished|complete))\b`)
)

// goingText bounds how long an answer can be that only tells of a state.
const goingText = 1000

// canStick reports that an equal answer to an equal call shows that nothing
// moved: a look, a red check or a failed command; within a cycle also an edit.
func canStick(v *classify.View, a *classify.Action, cycle int) bool {
	if a.Result < 0 || !a.Ran() || a.Outcome == ingest.Pending || a.Reason == ingest.Interrupted || failedForTheMoment(a) || refusal(v, a) {
		return false
	}
	out := a.Output()
	if len(out) <= goingText && stillGoing.MatchString(out) {
		return false
	}
	switch a.Kind {
	case classify.RunsShell:
		if cycle > 1 && a.Outcome == ingest.OK && rewritesOnly(a) {
			return true
		}
		return len(a.Commands) > 0 && !waitingCommand.MatchString(a.Shell) && (a.ReadOnly() || a.Outcome == ingest.Fail || a.Exit != nil && *a.Exit != 0) &&
			slices.ContainsFunc(a.Commands, asksSomething)
	case classify.Edits:
		return cycle > 1 && a.Outcome == ingest.OK
	case classify.Looks:
		return !waitingTool.MatchString(ownToolName(a.Tool))
	case classify.Other:
		return !waitingTool.MatchString(ownToolName(a.Tool)) && !steps.MatchString(a.Tool) && effect.FromTool(a.Tool, a.Args).Class == effect.Read
	}
	return false
}

// rewritesOnly reports that commands do nothing but write files of the
// workspace whole or in place: an edit by the shell. What is appended moves on.
func rewritesOnly(a *classify.Action) bool {
	return len(a.Commands) > 0 && !slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
		changes := c.Changes()
		return c.Host != "" || c.Background || len(changes) == 0 || slices.ContainsFunc(changes, func(ch shell.Change) bool { return ch.Op != shell.OpWrite })
	}) && !slices.ContainsFunc(a.Effects(), (*classify.Effect).Writes)
}

// noCommand are programs that do nothing: what a harness sends them for is to
// wait for the screen.
var noCommand = wordSet(": true echo printf clear cd pwd date")

func asksSomething(c shell.Command) bool {
	return len(c.Argv) > 0 && !c.Background && !noCommand[shell.Program(c.Argv[0])]
}

// sameRound reports that a call came again with the same answer, after the
// first one was answered and with nothing said or forgotten in between.
func sameRound(v *classify.View, a, b *classify.Action) bool {
	if a.Key() != b.Key() || a.Outcome != b.Outcome || b.Result < 0 || a.Overlaps(b) || v.UserSpoke().Any(a.Pos, b.Pos) || boundaryPositions(v).Any(a.Pos, b.Pos+1) {
		return false
	}
	return sameAnswer(a, b)
}

func boundaryPositions(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "boundary positions", func() classify.Positions {
		var out classify.Positions
		for _, b := range v.Boundaries {
			out = append(out, b.Pos)
		}
		slices.Sort(out)
		return out
	})
}

// measured matches what differs between equal answers: times, durations and
// the ids that a client gives to an answer.
var measured = phrase.MustCompile(`(?m)\b\d+(\.\d+)?\s?(ns|µs|us|ms|s|sec|secs|seconds|m|min)\b|\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?|\b\d\d:\d\d(:\d\d)?(\.\d+)?\b|^(Chunk ID|Wall time|Original token count):? .*$`)

// answerHead bounds how much of two answers is compared with their times left
// out; what differs beyond differs.
const answerHead = 4000

func sameAnswer(a, b *classify.Action) bool {
	x, y := a.Output(), b.Output()
	if x == y {
		return true
	}
	if len(x) > answerHead || len(y) > answerHead {
		return false
	}
	return measured.ReplaceAllString(x, "") == measured.ReplaceAllString(y, "")
}

// payOff reports that the same call had another answer right before the loop
// or right after it: it waited for something that moved.
func payOff(acts []*classify.Action, i, n, cycle int) bool {
	other := func(k int, of *classify.Action) bool {
		return k >= 0 && k < len(acts) && acts[k].Key() == of.Key() && acts[k].Result >= 0 && !sameAnswer(acts[k], of)
	}
	return other(i-cycle, acts[i]) || other(i+n, acts[i+n-cycle])
}

func reportLoop(v *classify.View, p *classify.Pass, e *classify.Episode, acts []*classify.Action, i, n, cycle int) {
	third := acts[i+(rounds-1)*cycle]
	message := fmt.Sprintf("%s came %d times in a row with the same answer", describe(third), n/cycle)
	if cycle > 1 {
		message = fmt.Sprintf("a cycle of %d calls from %s on came %d times in a row", cycle, describe(third), n/cycle)
	}
	p.Report(classify.Hit{
		Severity: e.Neighbour(leftLoop(acts, i, n) || v.Grader.Accepted()), Grade: classify.Observed, Episode: e.Index, At: third.Pos,
		Cite:      []classify.Cite{third.Cite(), acts[i].Cite(), acts[i+cycle].Cite(), acts[i+n-1].CiteEnd()},
		Message:   message,
		Structure: []string{third.Tool, commandClass(third), fmt.Sprint(cycle)},
	})
}

// leftLoop reports that the agent did something else after a loop that came
// back. To print a word, by which some harnesses are told of the end, is nothing.
func leftLoop(acts []*classify.Action, i, n int) bool {
	return slices.ContainsFunc(acts[i+n:], func(a *classify.Action) bool {
		idle := a.Kind == classify.RunsShell && len(a.Commands) > 0 && len(a.Changes()) == 0 && !slices.ContainsFunc(a.Commands, asksSomething)
		return a.Outcome == ingest.OK && !idle && !slices.ContainsFunc(acts[i:i+min(n, longestCycle)], func(b *classify.Action) bool { return b.Key() == a.Key() })
	})
}
