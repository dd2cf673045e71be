package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var stoppedShort = classify.Rule{
	Name:    "acceptance/stopped-short",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "The run ended before its work did",
		Text:     "The last act announces a step that never comes; a guard, limit or abort stopped the agent and the end is called a success; or the agent wraps up near its context limit and leaves items open.",
		Fires:    "\"Now let me update the other two files:\" is the last message, and the turn ends as complete.",
		NearMiss: "The user stopped it; it waits for an approval or an answer; a stop that is reported as one; the unfinished tail of a live log.",
		Occasion: "an episode that ended",
		Needs:    "how the episode ended",
		Owner:    classify.Acceptance,
		Change:   "Go on while the last message announces a step or items are open, and never turn a stop into a success.",
		Metric:   "episodes that end on an announced step",
	},
	Occasion: func(v *classify.View) bool { return len(v.Judged()) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			switch {
			case reportStopped(v, p, e), reportAnnounced(v, p, e), reportWrapUp(v, p, e):
			}
		}
	},
}

// reportStopped reports an end in success after something stopped the agent.
func reportStopped(v *classify.View, p *classify.Pass, e *classify.Episode) bool {
	stop := stopOf(v, e)
	if stop < 0 || !e.Accepted || v.Grader.Present || e.Discloses() ||
		e.Grade != classify.Recorded && (e.Grade != classify.Observed || e.AtPos <= stop) {
		return false
	}
	ev := v.Event(stop)
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: e.Grade, Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, ev},
		Message:   fmt.Sprintf("%s stopped the agent, and the end counts as a success", stopWords(ev.Event)),
		Structure: []string{"stopped", string(ev.Event.Kind)},
	})
	return true
}

func stopWords(e *ingest.Event) string {
	if e.Kind == ingest.Limit {
		return "a limit"
	}
	return "the harness"
}

// stopOf is the position of a limit or of an error of the harness after which
// the agent did and said nothing more in the episode, -1 for none.
func stopOf(v *classify.View, e *classify.Episode) int {
	for i := e.Episode.Last; i >= e.First; i-- {
		ev := &v.Run.Events[i]
		switch {
		case ev.Copied || ev.Agent != "":
		case ev.Actor == ingest.Agent, ev.Kind == ingest.ToolCall, ev.Kind == ingest.ToolResult:
			return -1
		case ev.Actor != ingest.Harness:
		case ev.Kind == ingest.Limit && ev.Outcome != ingest.OK,
			ev.Kind == ingest.Error && (ev.Outcome == ingest.Fail || ev.Reason == ingest.Interrupted):
			return v.Start() + i
		}
	}
	return -1
}

// reportAnnounced reports a closing text that announces a step which nothing
// follows.
func reportAnnounced(v *classify.View, p *classify.Pass, e *classify.Episode) bool {
	if e.Closing.Event == nil || !e.Statement.Announces || e.Statement.Asks || e.Statement.Success || len(e.Statement.Disclosed) > 0 || followed(v, e) || waitsForSomebody(v, e) {
		return false
	}
	severity := classify.Medium
	if v.Grader.Accepted() {
		severity = classify.Low // there was no more to do
	}
	p.Report(classify.Hit{
		Severity: severity, Grade: classify.Inferred, Episode: e.Index, At: e.ClosePos,
		Cite:      []classify.Cite{e.Closing, e.At},
		Message:   "the last message announces a next step, and nothing follows it",
		Structure: []string{"announced"},
	})
	return true
}

// followed reports that something came after the closing text: a call, a stop
// by the user or the harness, or an end that is no success.
func followed(v *classify.View, e *classify.Episode) bool {
	if e.Closing.Event.Open {
		return true
	}
	for i := e.ClosePos - v.Start() + 1; i <= e.Episode.Last; i++ {
		ev := &v.Run.Events[i]
		if ev.Copied {
			continue
		}
		switch ev.Kind {
		case ingest.ToolCall, ingest.ToolResult, ingest.Error, ingest.Limit, ingest.Compaction, ingest.Approval:
			return true
		case ingest.Claim:
			if ev.Outcome == ingest.Fail || ev.Outcome == ingest.Unknown {
				return true
			}
		}
	}
	return false
}

// whenWords matches a step that waits for something.
var whenWords = phrase.MustCompile(`(?i)\b(?:when|once|if|after|as soon as|whenever|until|wait|waiting|pause|hold|stop here|tomorrow|later|next (?:time|session|week)|wenn|sobald|falls|cuando|si|quand|dès que|lorsque)\b`)

// waitsForSomebody reports that the announced step waits for somebody: a call or an
// approval is pending, or the end of the text says for what.
func waitsForSomebody(v *classify.View, e *classify.Episode) bool {
	text := strings.TrimSpace(v.Run.Text(e.Closing.Event))
	if whenWords.MatchString(text[lastSentence(text):]) {
		return true
	}
	for _, a := range v.EpisodeActions(e) {
		if a.Outcome == ingest.Pending {
			return true
		}
	}
	return false
}

// lastSentence is where the last sentence of a text begins.
func lastSentence(text string) int {
	end := len(strings.TrimRight(text, " .!…:\n`*_"))
	i := max(strings.LastIndex(text[:end], ". "), strings.LastIndex(text[:end], "! "), strings.LastIndexByte(text[:end], '\n'))
	return i + 1
}

// contextWords matches a text that gives the context as its ground to stop.
var contextWords = phrase.MustCompile(`(?i)\b(?:context|token)s?(?: window| limit| length| budget)?\b.{0,40}\b(?:used up|full|limit|running (?:low|out)|nearly|almost|exhausted|remaining|left)\b|\b(?:kontext|contexto|contexte)\b|上下文|コンテキスト`)

// reportWrapUp reports an episode that ends near the context limit while items
// of its list are open and stay so.
func reportWrapUp(v *classify.View, p *classify.Pass, e *classify.Episode) bool {
	left := itemsLeft(v, e)
	if len(left.items) == 0 || e.Closing.Event == nil || e.Statement.Asks || followed(v, e) || !wrapsUp(v, e) {
		return false
	}
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: classify.Observed, Episode: e.Index, At: e.ClosePos,
		Cite:      []classify.Cite{e.Closing, left.last.Action.Cite()},
		Message:   fmt.Sprintf("wraps up near the context limit with %d item(s) open", len(left.items)),
		Structure: []string{"wrap-up"},
	})
	return true
}

// windows are the context windows of models, in tokens, by the beginning of
// their names.
var windows = []struct {
	model string
	size  int64
}{{"claude", 200_000}, {"gpt-5", 272_000}, {"glm", 200_000}, {"gemini", 1_048_576}, {"kimi", 262_144}, {"deepseek", 131_072}}

// nearFull is the share of the window, in percent, from which a context counts
// as nearly full.
const nearFull = 90

func wrapsUp(v *classify.View, e *classify.Episode) bool {
	if contextWords.MatchString(v.Run.Text(e.Closing.Event)) {
		return true
	}
	for i := e.Episode.Last; i >= e.First; i-- {
		ev := &v.Run.Events[i]
		if ev.Usage == nil || ev.Agent != "" {
			continue
		}
		for _, w := range windows {
			if strings.Contains(strings.ToLower(ev.Model), w.model) {
				return ev.Usage.Input() <= w.size && ev.Usage.Input()*100 >= w.size*nearFull
			}
		}
		return false
	}
	return false
}
