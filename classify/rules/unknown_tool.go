package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var noSuchTool = classify.Rule{
	Name:    "boundary/unknown-tool",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A call of a tool that is not there",
		Text:     "The model called a tool that the harness does not offer to it: another agent's, a renamed one, one that it made up.",
		Fires:    "\"No such tool available: BrowserSnapshot\", and the turn ends without the picture.",
		NearMiss: "The right name or another tool of the same use in the next call: low; a program that the shell does not find; a domain that does not know an id; the words in a source file.",
		Occasion: "a call that was refused because no such tool exists",
		Needs:    "calls and results with what was refused",
		Owner:    classify.ToolContract,
		Change:   "Name only tools that are registered in prompts, and let the refusal list those that are.",
		Metric:   "calls of tools that are not there, and how many were corrected at once",
	},
	Occasion: func(v *classify.View) bool { return len(v.Actions) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			for _, a := range lastOfTools(v, e, func(a *classify.Action) bool { return toolMissing(v, a) }) {
				p.Report(classify.Hit{
					Severity: e.Neighbour(v.Recovered(e, a) || insteadOf(v, e, a) || v.Grader.Accepted()), Grade: classify.Observed, Episode: e.Index, At: a.Pos,
					Cite:      []classify.Cite{a.Cite(), a.CiteEnd()},
					Message:   fmt.Sprintf("%q was called, and there is no such tool", classify.Clip(calledName(a), 40)),
					Structure: []string{"unknown tool"},
				})
			}
		}
	},
}

// lastOfTools are the last actions of each tool in an episode that pass, in
// the order in which the tools first did.
func lastOfTools(v *classify.View, e *classify.Episode, pass func(*classify.Action) bool) []*classify.Action {
	var out []*classify.Action
	at := map[string]int{}
	for _, a := range v.EpisodeActions(e) {
		if !pass(a) {
			continue
		}
		if k, again := at[a.Tool]; again {
			out[k] = a
			continue
		}
		at[a.Tool] = len(out)
		out = append(out, a)
	}
	return out
}

// notThere are what registries of tools print: before the name of what was
// called, and after it. Other languages and clients are added as alternatives.
var notThere = struct{ before, after *phrase.Pattern }{
	phrase.MustCompile(`(?i)\b(no such|unknown|undefined|unavailable|unregistered|unrecognized|unsupported|non-?existent|invalid) (tool|function|call|method|command|action)s?( (available|found|named|called|name))?\b[^\n\w]{0,6}(["'` + "`" + `:\s(]|model tried to call){0,6}$|no (tool|function) (is )?(named|called|with (the )?name)\W{0,4}$|unavailable tool\W{0,4}$`),
	phrase.MustCompile(`(?i)^["'` + "`" + `»”)\]]*(\(\))?\s+(tool |function )?(is |was |has |does |do |could |can |did )?(not |n't |isn't |doesn't |hasn't |wasn't )+(be )?(been )?(a |an |one of )?(the )?(valid |known |registered |available |recognized )?(found|defined|registered|available|exist\w*|known|supported|recognized|declared|offered|enabled|tools?|functions?)\b|^["'` + "`" + `»”)\]]*\s+(is )?(unknown|undefined|unavailable|unregistered)\b`),
}

// registryText bounds how long a refusal by a registry of tools can be; it may
// list them all.
const registryText = 4000

// toolMissing reports that a call was refused because its tool is not there.
// A tool that answered before is there, whatever its words.
func toolMissing(v *classify.View, a *classify.Action) bool {
	if a.Outcome != ingest.Fail || a.Result < 0 || a.Kind == classify.RunsShell && a.Reason != ingest.Rejected {
		return false
	}
	if a.Reason != ingest.Rejected && a.Reason != ingest.Errored && a.Reason != "" {
		return false
	}
	out := a.Output()
	return len(out) <= registryText && !answeredBefore(v, a) && (namesMissing(out, calledName(a)) || namesMissing(out, ownToolName(calledName(a))))
}

// namesMissing looks for the name in the text where a registry would have it.
func namesMissing(text, name string) bool {
	if name == "" {
		return false
	}
	for from, tries := 0, 0; tries < 8; tries++ {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if notThere.before.MatchString(text[max(0, i-80):i]) || notThere.after.MatchString(text[from:min(len(text), from+80)]) {
			return true
		}
	}
	return false
}

// calledName is the name that the model called, also where a client runs a tool
// of its own in place of one that is not there.
func calledName(a *classify.Action) string {
	if a.Tool == "invalid" {
		if name := stringsOf(a.Args)["tool"]; name != "" {
			return name
		}
	}
	return a.Tool
}

// ownToolName is a tool's name without what a harness or server puts before it.
func ownToolName(tool string) string {
	for _, sep := range []string{"__", "."} {
		if i := strings.LastIndex(tool, sep); i >= 0 && i+len(sep) < len(tool) {
			tool = tool[i+len(sep):]
		}
	}
	return tool
}

// answeredBefore reports that the same agent's tool of the name returned
// something before.
func answeredBefore(v *classify.View, a *classify.Action) bool {
	first := classify.Once(&v.Facts, "first answers of tools", func() map[string]int {
		out := map[string]int{}
		for _, b := range v.Actions {
			if key := actorOf(b) + "\x00" + b.Tool; b.Outcome == ingest.OK {
				if _, known := out[key]; !known {
					out[key] = b.Pos
				}
			}
		}
		return out
	})
	pos, ok := first[actorOf(a)+"\x00"+a.Tool]
	return ok && pos < a.Pos
}

// actorOf names who acts: the run and the sub-agent within it.
func actorOf(a *classify.Action) string { return a.Run.ID + "\x00" + a.Cite().Event.Agent }

// insteadOf reports that the very next act was another tool of the same use:
// it took an argument of the call, or reads where the call was to read.
func insteadOf(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	b := nextAct(v, e, a)
	if b == nil || b.Outcome != ingest.OK {
		return false
	}
	if sharesArgument(a, b) {
		return true
	}
	class := effect.FromTool(calledName(a), a.Args).Class
	return class == effect.Unknown || (class == effect.Read) == onlyLooks(b)
}

// nextAct is the first act of the same agent after the end of an action that is
// no note, nil when the episode has none.
func nextAct(v *classify.View, e *classify.Episode, a *classify.Action) *classify.Action {
	who := actorOf(a)
	for _, b := range v.ActionsIn(a.Pos, e.Last+1) {
		if b != a && b.Kind != classify.Notes && !b.Overlaps(a) && actorOf(b) == who {
			return b
		}
	}
	return nil
}

// onlyLooks reports that an action reads, as far as its kind or name tells.
func onlyLooks(a *classify.Action) bool {
	if a.Kind == classify.Other || a.Kind == classify.Looks {
		class := effect.FromTool(a.Tool, a.Args).Class
		return class == effect.Read || a.Kind == classify.Looks && class == effect.Unknown
	}
	return a.ReadOnly()
}

// sharesArgument reports that two calls have a telling argument in common.
func sharesArgument(a, b *classify.Action) bool {
	have := map[string]bool{}
	for _, s := range stringsOf(a.Args) {
		have[s] = len(s) >= 4
	}
	for _, s := range stringsOf(b.Args) {
		if have[s] {
			return true
		}
	}
	return false
}
