package rules

import (
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var unretriedTransient = classify.Rule{
	Name:    "runtime/unretried-transient",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The run gave up on a read that failed for the moment",
		Text:     "A read outside met an error that may pass by itself (503, a reset connection), and nothing tried it again.",
		Fires:    "get_order_status answers 503; the agent says that it could not look the order up.",
		NearMiss: "Tried again, also in vain; read from elsewhere; the client retried by itself; an answer such as 404; a write.",
		Occasion: "a read outside that failed transiently",
		Needs:    "calls with arguments and results",
		Owner:    classify.Runtime,
		Change:   "Retry reads in the tool, a few times and with a pause, before the error reaches the model.",
		Metric:   "reads given up at the first transient error",
	},
	Occasion: func(v *classify.View) bool { return len(transientReads(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, a := range transientReads(v) {
			e := v.EpisodeAt(a.Pos)
			if readLater(v, e, a) || reconciles(v, a) {
				continue
			}
			p.Report(classify.Hit{
				Severity: e.Neighbour(v.Grader.Accepted()), Grade: classify.Observed, Episode: e.Index, At: a.End,
				Cite:      []classify.Cite{a.CiteEnd(), a.Cite()},
				Message:   describe(a) + " failed for the moment and was not tried again",
				Structure: []string{a.Tool, commandClass(a)},
			})
		}
	},
}

// transientStatus matches errors that a service or the way to it gives while it cannot
// answer; droppedLine is how HTTP clients of the shell tell of them.
var (
	transientStatus = phrase.MustCompile(`(?i)(\b(429|502|503|504)\b|too many requests|bad gateway|service unavailable|gateway time-?out|temporarily unavailable|try again later|connection (was )?(reset|closed)|ECONNRESET|ETIMEDOUT|EPIPE|socket hang up|unexpected EOF|stream (was )?(reset|closed))`)
	droppedLine     = phrase.MustCompile(`(?m)(^|\s)curl: \((18|28|52|55|56|92)\)|curl: \(22\)[^\n]*\b(429|502|503|504)\b|^.*ERROR (429|502|503|504):|Connection reset by peer`)
	// retried is what clients print of their own tries.
	retried = phrase.MustCompile(`(?i)(will retry|retrying|retries left|retry \d|attempt \d+ (of|/) ?\d+|after \d+ (attempts|retries|tries))`)
)

// transientText bounds how long an error message of a tool can be.
const transientText = 1500

// transientReads are, per judged episode, the last read by each tool or program
// that failed for the moment.
func transientReads(v *classify.View) []*classify.Action {
	return classify.Once(&v.Own, "transient reads", func() []*classify.Action {
		var out []*classify.Action
		for _, e := range v.Judged() {
			last := map[string]int{}
			for _, a := range v.EpisodeActions(e) {
				if !failedForTheMoment(a) || !readsOutside(a) {
					continue
				}
				key := readerOf(a)
				if k, again := last[key]; again {
					out[k] = a
					continue
				}
				last[key] = len(out)
				out = append(out, a)
			}
		}
		return out
	})
}

func failedForTheMoment(a *classify.Action) bool {
	if a.Result < 0 || !a.Ran() || a.Outcome == ingest.Pending || a.Reason == ingest.Interrupted || a.Outcome == ingest.OK && a.Kind != classify.RunsShell {
		return false
	}
	out := a.Output()
	if a.Kind == classify.RunsShell {
		out = out[max(0, len(out)-outputTail):]
		return droppedLine.MatchString(out) && !retried.MatchString(out) && !slices.ContainsFunc(a.Commands, retries)
	}
	if len(out) > transientText {
		return false
	}
	return (transientStatus.MatchString(out) || a.Reason == ingest.Lost) && !retried.MatchString(out)
}

// retries reports a client that was told to try again by itself.
func retries(c shell.Command) bool {
	return slices.ContainsFunc(c.Argv, func(w string) bool {
		return len(w) >= 7 && w[:7] == "--retry" || len(w) >= 7 && w[:7] == "--tries"
	})
}

// webTools are tools of agents that read a page or search for one.
var webTools = wordSet("webfetch websearch fetch fetchurl googlewebsearch readurl browse openurl websearchtool urlfetch httpget readpage visit")

// readsOutside reports that all that an action does outside is to read.
func readsOutside(a *classify.Action) bool {
	if a.Kind == classify.RunsShell && slices.ContainsFunc(a.Commands, func(c shell.Command) bool { return len(c.Changes()) > 0 }) {
		return false
	}
	reads := false
	for _, x := range a.Effects() {
		if x.Writes() || x.Class != effect.Read || x.Local != "" {
			return false
		}
		reads = true
	}
	return reads || a.Kind != classify.RunsShell && webTools[squash(a.Tool)]
}

// readerOf names what a read was made with: the tool, or the program.
func readerOf(a *classify.Action) string {
	if a.Kind == classify.RunsShell {
		return "shell " + commandClass(a)
	}
	return a.Tool
}

// readLater reports that the read was tried again before the episode ended, by
// the same means or from elsewhere.
func readLater(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	for _, b := range v.ActionsIn(a.Pos, e.Last+1) {
		if b == a || b.Overlaps(a) || !b.Ran() {
			continue
		}
		if readerOf(b) == readerOf(a) || b.Outcome == ingest.OK && readsOutside(b) {
			return true
		}
	}
	return false
}

// reconciles reports that the read was to tell of a write whose outcome is still
// unknown: what it leaves open is that operation.
func reconciles(v *classify.View, a *classify.Action) bool {
	writes := openWrites(v)
	for _, w := range writes[:min(len(writes), mostOpen)] {
		for _, x := range a.Effects() {
			if effect.Reveals(x.Effect, w.Effect) {
				return true
			}
		}
	}
	return false
}
