package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/toolerr"
)

var unmarkedError = classify.Rule{
	Name:    "boundary/unmarked-error",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "An error was shown to the model as an ordinary result",
		Text:     "A tool's reply is an error (success: false, isError inside the content, an exception's trace) while the result says that all is well, and the next act builds on it.",
		Fires:    "{\"success\": false, \"levels\": []} comes back as an ordinary result; a stock list of zeros is written.",
		NearMiss: "The next act asks again, looks elsewhere or tells the user: low; a marked error; an empty error member; a page, a log or a record that speaks of errors; a check that found something.",
		Occasion: "a reply that is an error and is not marked as one",
		Needs:    "calls with results",
		Owner:    classify.ToolContract,
		Change:   "Set the error flag of the result wherever the reply is an error.",
		Metric:   "error replies without an error flag",
	},
	Occasion: func(v *classify.View) bool { return slices.ContainsFunc(v.Actions, isUnmarked(v)) },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			loudest := map[string]*classify.Hit{}
			var order []string
			for _, a := range v.EpisodeActions(e) {
				if !isUnmarked(v)(a) {
					continue
				}
				h := unmarkedHit(v, e, a)
				if was := loudest[a.Tool]; was == nil {
					order = append(order, a.Tool)
				} else if was.Severity.Rank() >= h.Severity.Rank() {
					continue
				}
				loudest[a.Tool] = &h
			}
			for _, tool := range order {
				p.Report(*loudest[tool])
			}
		}
	},
}

func unmarkedHit(v *classify.View, e *classify.Episode, a *classify.Action) classify.Hit {
	h := classify.Hit{
		Severity: classify.Low, Grade: classify.Observed, Episode: e.Index, At: a.End,
		Cite:      []classify.Cite{a.CiteEnd(), a.Cite()},
		Message:   fmt.Sprintf("the reply of %s is an error and was shown as an ordinary result", describe(a)),
		Structure: []string{a.Tool, commandClass(a)},
	}
	if b := nextAct(v, e, a); b != nil && buildsOn(b) && b.Tool != a.Tool && !calledAgain(v, e, a) && !admitsBetween(v, a, b) {
		h.Severity = e.Neighbour(v.Grader.Accepted())
		h.Cite = append(h.Cite, b.Cite())
	}
	return h
}

// isUnmarked remembers which actions returned an error that nothing marks.
func isUnmarked(v *classify.View) func(*classify.Action) bool {
	known := classify.Once(&v.Facts, "unmarked errors", func() map[*classify.Action]bool {
		out := map[*classify.Action]bool{}
		for _, a := range v.Actions {
			if a.Result >= 0 && repliesItself(a) && (a.Outcome == ingest.OK && errorReply(a) || a.Outcome == ingest.Fail && a.Ran() && flagInside(v, a)) {
				out[a] = true
			}
		}
		return out
	})
	return func(a *classify.Action) bool { return known[a] }
}

// judges are names of tools whose reply tells what they found or what a program
// printed, so that a bad state is a result.
var judges = phrase.MustCompile(`(?i)(test|lint|check|verif|valid|assert|diagnos|compil|build|run|exec|eval|debug|review|audit|scan|log|history|event|python|code|repl|interpreter|notebook|jupyter|script|sandbox|sql|query)`)

// repliesItself reports that what came back is the tool's own reply, not the
// content of a file, the output of a program or the text of another agent.
func repliesItself(a *classify.Action) bool {
	switch a.Kind {
	case classify.Other:
		return !judges.MatchString(ownToolName(a.Tool))
	case classify.Looks:
		return webTools[squash(a.Tool)]
	case classify.RunsShell:
		return len(a.Commands) > 0 && !slices.ContainsFunc(a.Commands, func(c shell.Command) bool { return !printsReply(c) })
	}
	return false
}

// replyPrinters are programs that print the reply of a service as it is, and
// those beside them that print nothing of their own.
var replyPrinters = wordSet("curl http https xh jq cd export set true sleep")

func printsReply(c shell.Command) bool {
	return len(c.Argv) > 0 && replyPrinters[shell.Program(c.Argv[0])]
}

// largestReply bounds how long a reply can be that is asked whether it is an
// error; traces are how the runtimes of some languages begin theirs.
const largestReply = 16 << 10

var traces = phrase.MustCompile(`^\s*(Traceback \(most recent call last\):|Exception in thread "|panic: [^\n]+\n\ngoroutine |thread '[^']+' panicked at |Unhandled (exception|rejection)\b|Uncaught \w*(Error|Exception)\b|[\w.$]+(Exception|Error): [^\n]*\n\s+at )`)

func errorReply(a *classify.Action) bool {
	out := strings.TrimSpace(a.Output())
	if out == "" || len(out) > largestReply {
		return false
	}
	if out[0] == '{' {
		return errorObject([]byte(out), a)
	}
	if a.Kind == classify.RunsShell {
		return false
	}
	if traces.MatchString(out) || xmlFault(out) {
		return true
	}
	outcome, _, exit := toolerr.Read([]byte(out))
	return outcome != ingest.OK && exit == nil
}

// flagInside reports that what the model was shown of a failed call holds the
// flag itself: the envelope became the content of a result that has no flag.
func flagInside(v *classify.View, a *classify.Action) bool {
	shown := classify.Once(&v.Facts, "results by call", func() map[string][]classify.Cite {
		out := map[string][]classify.Cite{}
		for _, r := range v.Runs {
			for i := range r.Events {
				if ev := &r.Events[i]; ev.Kind == ingest.ToolResult && ev.Call != "" {
					out[r.ID+ev.Call] = append(out[r.ID+ev.Call], classify.Cite{Run: r, Event: ev})
				}
			}
		}
		return out
	})
	all := shown[a.Run.ID+a.Cite().Event.Call]
	for _, c := range all[:min(len(all), 4)] {
		if text := strings.TrimSpace(c.Run.Text(c.Event)); len(text) <= largestReply && envelopeFlag.MatchString(text) {
			var members map[string]jsontext.Value
			if json.Unmarshal([]byte(text), &members) == nil && (string(members["isError"]) == "true" || string(members["is_error"]) == "true") {
				return true
			}
		}
	}
	return false
}

var envelopeFlag = phrase.MustCompile(`^\{[\s\S]*"is_?[eE]rror"\s*:\s*true`)

// errorObject reports that a reply's own members say that the call failed. An
// object that holds what was asked for is a record of something that failed.
func errorObject(out []byte, a *classify.Action) bool {
	var members map[string]jsontext.Value
	if json.Unmarshal(out, &members) != nil {
		return false
	}
	is := func(name, value string) bool { return string(members[name]) == value }
	for _, name := range []string{"success", "ok", "succeeded"} {
		if is(name, "true") {
			return false
		}
	}
	switch {
	case is("isError", "true"), is("is_error", "true"):
		return true
	case isRecord(members, a):
		return false
	case is("success", "false"), is("ok", "false"), is("succeeded", "false"):
		return true
	case is("status", `"error"`), is("type", `"error"`), refusedStatus(members):
		return explains(members)
	}
	for _, name := range []string{"error", "errors"} {
		if statedMember(members[name]) && len(members) <= 4 {
			return true
		}
	}
	return false
}

// statedMember reports that a member says something: not null, false, zero or empty.
func statedMember(v jsontext.Value) bool {
	return len(v) > 0 && !slices.Contains([]string{"null", "false", `""`, "{}", "[]", "0"}, string(v))
}

func refusedStatus(members map[string]jsontext.Value) bool {
	for _, name := range []string{"status", "code", "statusCode", "status_code"} {
		if n, err := strconv.Atoi(string(members[name])); err == nil && n >= 400 && n < 600 {
			return true
		}
	}
	return false
}

func explains(members map[string]jsontext.Value) bool {
	for _, name := range []string{"message", "error", "errors", "detail", "title", "reason"} {
		if statedMember(members[name]) {
			return true
		}
	}
	return false
}

// isRecord reports that an object has the identity that was asked for: what it
// says of success is the thing's own state.
func isRecord(members map[string]jsontext.Value, a *classify.Action) bool {
	if effect.FromTool(a.Tool, a.Args).Class != effect.Read {
		return false
	}
	var args map[string]jsontext.Value
	if json.Unmarshal(a.Args, &args, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return false
	}
	for name, v := range members {
		if (name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id")) && slices.ContainsFunc(values(args), func(w string) bool { return w == string(v) }) {
			return true
		}
	}
	return false
}

func values(members map[string]jsontext.Value) []string {
	out := make([]string, 0, len(members))
	for _, v := range members {
		out = append(out, string(v))
	}
	return out
}

// buildsOn reports that an act writes something: it goes on as if the reply
// before it held what was asked for.
func buildsOn(b *classify.Action) bool {
	if b.Outcome != ingest.OK {
		return false
	}
	switch b.Kind {
	case classify.Edits:
		return true
	case classify.RunsShell:
		return len(b.Changes()) > 0 || slices.ContainsFunc(b.Effects(), (*classify.Effect).Writes)
	case classify.Other:
		return slices.ContainsFunc(b.Effects(), (*classify.Effect).Writes)
	}
	return false
}

// calledAgain reports that the tool, or a command of the program, was called
// again after an action in its episode.
func calledAgain(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	last := classify.Once(&v.Own, fmt.Sprint("last calls ", e.Index), func() map[string]int {
		out := map[string]int{}
		for _, b := range v.EpisodeActions(e) {
			out[readerOf(b)] = b.Pos
		}
		return out
	})
	return last[readerOf(a)] > a.Pos
}

// admitsBetween reports that the agent said between two acts that something
// failed.
func admitsBetween(v *classify.View, a, b *classify.Action) bool {
	for pos := a.End + 1; pos < b.Pos; pos++ {
		c := v.Event(pos)
		if c.Event == nil || c.Event.Kind != ingest.Message || c.Event.Actor != ingest.Agent {
			continue
		}
		if len(claim.Read(c.Run.Text(c.Event)).Disclosed) > 0 {
			return true
		}
	}
	return false
}
