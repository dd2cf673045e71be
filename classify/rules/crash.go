package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var crash = classify.Rule{
	Name:    "runtime/crash",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "A worker was killed or ran out of memory",
		Text:     "The sandbox, container or worker under the run died, or a command of the run was killed from outside or for want of memory.",
		Fires:    "The trial ends with \"container exited with code 137 (OOMKilled=true)\".",
		NearMiss: "Resumed on another worker, or run again with less: low; a limit or a kill of the agent's own; a crash that a log tells of.",
		Occasion: "a statement that a worker is gone, or a command that was killed",
		Needs:    "errors of the harness, exit statuses",
		Owner:    classify.Runtime,
		Change:   "Give the work the memory that it takes, resume from the last state, and never count a killed run.",
		Metric:   "runs and commands that were killed",
	},
	Occasion: func(v *classify.View) bool { return len(v.Run.Events) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		reportTroubles(v, p, crashed, "the worker under the run died or was killed")
		for _, e := range v.Judged() {
			reportKilled(v, p, e)
		}
	},
}

// outOfMemory matches what runtimes and the system print when they get no more
// memory; killedJob is the line in which a shell tells of a killed child.
var (
	outOfMemory = phrase.MustCompile(`(?m)(JavaScript heap out of memory|java\.lang\.OutOfMemoryError|fatal error: runtime: out of memory|\bCannot allocate memory\b|std::bad_alloc|virtual memory exhausted|\bOOM.?Killed\b)`)
	killedJob   = phrase.MustCompile(`(?m)^\S*(?:sh|bash|dash|zsh): (?:line \d+: +)?\d+ Killed\b`)
)

// killStatus is the exit status of a program that took SIGKILL.
const killStatus = 137

// reportKilled reports the last command of each program in an episode that was
// killed.
func reportKilled(v *classify.View, p *classify.Pass, e *classify.Episode) {
	last := map[string]*classify.Action{}
	var order []string
	for _, a := range v.EpisodeActions(e) {
		if killed(v, a) {
			if last[commandClass(a)] == nil {
				order = append(order, commandClass(a))
			}
			last[commandClass(a)] = a
		}
	}
	for _, name := range order {
		a := last[name]
		p.Report(classify.Hit{
			Severity: e.Neighbour(ranAgain(v, e, a) || v.Grader.Accepted()), Grade: classify.Observed, Episode: e.Index, At: a.End,
			Cite:      []classify.Cite{a.CiteEnd(), a.Cite()},
			Message:   describe(a) + " was killed",
			Structure: []string{"killed", name},
		})
	}
}

// killed reports that a command was ended from outside or for want of memory,
// and not by what the agent itself set or sent.
func killed(v *classify.View, a *classify.Action) bool {
	if a.Kind != classify.RunsShell || a.ReadOnly() || a.Outcome == ingest.Pending || a.Reason == ingest.TimedOut || a.Reason == ingest.Interrupted || !a.Ran() {
		return false
	}
	out := a.Output()
	out = out[max(0, len(out)-outputTail):]
	status := a.Exit != nil && *a.Exit == killStatus
	starved := a.Outcome == ingest.Fail && outOfMemory.MatchString(out)
	if !status && !starved && !killedJob.MatchString(out) {
		return false
	}
	return !slices.ContainsFunc(a.Commands, limits) && !kills(v).Any(a.Pos-1, a.End+1)
}

// outputTail bounds how much of an output's end is read for the cause of its end.
const outputTail = 4000

// limits reports a command that sets a limit of its own to what it runs.
func limits(c shell.Command) bool {
	return slices.Contains(c.Wrappers, "timeout") || slices.Contains(c.Wrappers, "gtimeout") || path.Base(c.Raw[0]) == "timeout" ||
		c.Argv[0] == "ulimit" || killsOthers(c)
}

// kills are the positions of the actions by which the agent ended processes.
func kills(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "kills", func() classify.Positions {
		return v.Places(func(a *classify.Action) bool {
			return slices.ContainsFunc(a.Commands, killsOthers) || a.Kind != classify.RunsShell && strings.Contains(squash(a.Tool), "kill")
		})
	})
}

var killers = wordSet("kill pkill killall fuser")

func killsOthers(c shell.Command) bool {
	name := shell.Program(c.Argv[0])
	if len(c.Argv) > 1 && (name == "docker" || name == "podman") {
		return slices.Contains([]string{"kill", "stop", "rm"}, c.Argv[1])
	}
	return killers[name]
}

// ranAgain reports that the work went through later in the episode: the same
// program, or another with one of its operands.
func ranAgain(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	own := map[string]bool{}
	for _, c := range a.Commands {
		for _, w := range c.Argv[1:] {
			if !strings.HasPrefix(w, "-") {
				own[w] = true
			}
		}
	}
	for _, b := range v.ActionsIn(a.Pos, e.Last+1) {
		if b.Outcome != ingest.OK || b.Kind != classify.RunsShell || b.Overlaps(a) || b.ReadOnly() {
			continue
		}
		if commandClass(b) == commandClass(a) {
			return true
		}
		for _, c := range b.Commands {
			if slices.ContainsFunc(c.Argv[1:], func(w string) bool { return own[w] }) {
				return true
			}
		}
	}
	return false
}
