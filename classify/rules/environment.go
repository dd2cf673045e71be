package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var environment = classify.Rule{
	Name:    "runtime/environment",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The environment, not the agent, stopped the work",
		Text:     "Name resolution, a full disk, a missing program, or a grader that never started: the place where the work ran could not do it.",
		Fires:    "The verifier's script cannot install its runner (\"uvx: command not found\") and records reward 0 without a single test.",
		NearMiss: "Another tool was used instead; the words in a page or a source file; a noisy but successful set-up.",
		Occasion: "a grader's record or a failed command",
		Needs:    "results of calls, the grader's output",
		Owner:    classify.Runtime,
		Change:   "Build the environment before the run and check it with a probe; do not grade a trial whose grader did not start.",
		Metric:   "runs stopped by their environment",
	},
	Occasion: func(v *classify.View) bool { return len(v.Run.Events) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		if v.Grader.Present && !v.Grader.Ran && !v.Grader.TimedOut {
			e := episodeOf(v, v.End())
			p.Report(classify.Hit{
				Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: v.End(),
				Cite:      []classify.Cite{v.Grader.Started, v.Grader.Score},
				Message:   "the grader's checks never started; its score says nothing about the work",
				Structure: []string{"grader"},
			})
		}
		for _, e := range v.Judged() {
			reportEnvironment(v, p, e)
		}
	},
}

// environmentErrors are the error classes, told by the text that the system or
// the shell itself prints.
var environmentErrors = []struct {
	class string
	text  *phrase.Pattern
}{
	{"disk full", phrase.MustCompile(`(?i)(no space left on device|ENOSPC|disk quota exceeded)`)},
	{"name resolution", phrase.MustCompile(`(?i)(could not resolve host|temporary failure in name resolution|temporary failure resolving|no address associated with hostname|nodename nor servname provided|failed to lookup address information|: no such host\b|name or service not known|\bEAI_AGAIN\b|\bENOTFOUND\b|getaddrinfo (failed|ENOTFOUND|EAI_AGAIN))`)},
	{"command not found", phrase.MustCompile(`(?im)(: command not found\s*$|: not found\s*$|^command not found: |is not recognized as an internal or external command)`)},
}

// missingProgram finds the line in which a shell names the program that it did
// not find.
var (
	missingProgram = phrase.MustCompile(`(?m)^(.*?)(?:: command not found|: not found)\s*$`)
	programName    = phrase.MustCompile(`^[A-Za-z0-9_./~][\w.+/-]*$`)
)

// lastAfterColon is what follows the last ": ": the program in "bash: line 1: x".
func lastAfterColon(s string) string { return s[strings.LastIndex(": "+s, ": "):] }

// reportEnvironment reports the last failure of each class in an episode.
func reportEnvironment(v *classify.View, p *classify.Pass, e *classify.Episode) {
	last := map[string]*classify.Action{}
	var order []string
	for _, a := range v.EpisodeActions(e) {
		if class := environmentError(a); class != "" {
			if last[class] == nil {
				order = append(order, class)
			}
			last[class] = a
		}
	}
	for _, class := range order {
		a := last[class]
		p.Report(classify.Hit{
			Severity: e.Neighbour(gotPast(v, e, a)), Grade: classify.Observed, Episode: e.Index, At: a.End,
			Cite:      []classify.Cite{a.CiteEnd(), a.Cite()},
			Message:   fmt.Sprintf("%s: %s", describe(a), class),
			Structure: []string{class, commandClass(a)},
		})
	}
}

func environmentError(a *classify.Action) string {
	if a.Outcome != ingest.Fail || !a.Ran() || a.Kind != classify.RunsShell && a.Kind != classify.Other {
		return ""
	}
	out := a.Output()
	if len(out) > 20_000 {
		out = out[len(out)-20_000:]
	}
	if m := missingProgram.FindStringSubmatch(out); m != nil && garbled(a, lastAfterColon(m[1])) {
		return ""
	}
	if a.Exit != nil && *a.Exit == 127 {
		return "command not found"
	}
	for _, c := range environmentErrors {
		if c.text.MatchString(out) && (c.class != "command not found" || a.Exit == nil || *a.Exit == 127) {
			return c.class
		}
	}
	return ""
}

// redirectFirst is a command that starts with a redirect: the bare word that is
// its target, and the word that the shell then takes for the program.
var redirectFirst = phrase.MustCompile(`(?m)(?:^|[;&|(])[ \t]*>>?[ \t]*([a-z][\w-]*)[ \t]+([^\s;&|()<>]+)`)

// garbled reports that the missing program was never meant as one: it is no
// program's name, or a redirect took the known program before it for a file.
func garbled(a *classify.Action, missing string) bool {
	if !programName.MatchString(missing) {
		return true
	}
	for _, m := range redirectFirst.FindAllStringSubmatch(a.Shell, -1) {
		if m[2] == missing && (interpreters[m[1]] || (shell.Command{Argv: []string{m[1], m[2]}}).ReadOnly()) {
			return true
		}
	}
	return false
}

// gotPast reports that the run found its way: a later command of the episode
// that does something succeeded. Looking at the trouble, and writing files
// without running anything, is not getting past it.
func gotPast(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	for _, b := range v.ActionsIn(a.Pos, e.Last+1) {
		if b == a || b.Outcome != ingest.OK || b.Kind == classify.Notes {
			continue
		}
		if b.Kind == classify.RunsShell && !b.ReadOnly() && (commandClass(b) == commandClass(a) || !onlyChanges(b)) {
			return true
		}
		if b.Kind == classify.Other && b.Tool == a.Tool {
			return true
		}
		if sameOperands(a, b) || readInstead(a, b) {
			return true // the word was mistyped, or another program took its place
		}
	}
	return false
}

// probes are programs by which the trouble itself is looked at.
var probes = wordSet("which whereis type command hash echo printf pwd true env man uname")

// readInstead reports that another program read what the missing one was to
// read, which only reads itself.
func readInstead(a, b *classify.Action) bool {
	if !a.ReadOnly() || !b.ReadOnly() {
		return false
	}
	m := missingProgram.FindStringSubmatch(a.Output())
	if m == nil {
		return false
	}
	missing := lastAfterColon(m[1])
	for _, c := range a.Commands {
		if c.Host == "" && c.Argv[0] == missing && slices.ContainsFunc(c.Argv[1:], func(w string) bool { return isGiven(b, w) }) {
			return true
		}
	}
	return false
}

// isGiven reports that a read is given a word, as it is or within another.
func isGiven(b *classify.Action, word string) bool {
	if strings.HasPrefix(word, "-") || len(word) < 2 {
		return false
	}
	if slices.ContainsFunc(b.Paths(), func(p string) bool { return strings.Contains(p, word) }) {
		return true
	}
	return slices.ContainsFunc(b.Commands, func(c shell.Command) bool {
		return !probes[shell.Program(c.Argv[0])] && slices.ContainsFunc(c.Argv[1:], func(w string) bool { return strings.Contains(w, word) })
	})
}

// sameOperands reports that another command was given what the failed one was.
func sameOperands(a, b *classify.Action) bool {
	if len(a.Commands) != 1 || len(b.Commands) == 0 {
		return false
	}
	x, y := a.Commands[0].Argv, b.Commands[0].Argv
	return len(x) > 1 && len(y) >= len(x) && slices.Equal(x[1:], y[1:len(x)])
}

// onlyChanges reports that a command only writes files: it does not show that
// the environment works.
func onlyChanges(a *classify.Action) bool {
	for _, c := range a.Commands {
		if len(c.Changes()) == 0 && !c.ReadOnly() {
			return false
		}
	}
	return true
}
