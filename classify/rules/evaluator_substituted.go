package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/opinion"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

var evaluatorSubstituted = classify.Rule{
	Name:    "acceptance/evaluator-substituted",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "An evaluator's opinion stands where a check should",
		Text:     "A required check has no result of its own, and an evaluator's scores or verdict were taken for it; or an evaluator judged a running application without opening it.",
		Fires:    "The configuration requires the end-to-end tests; they never run, and the run ends on an evaluator's \"PASS, 9 of 10\".",
		NearMiss: "The evaluator's word beside the check; an evaluator that drove the page or sent requests; a document, which only needs reading.",
		Occasion: "an accepted episode with a required check, or an evaluator's verdict",
		Needs:    "the record, or tool calls",
		Owner:    classify.Acceptance,
		Change:   "Count an evaluator's word only on top of the required checks, and give it the means to use what it judges.",
		Metric:   "required checks answered by an opinion",
	},
	Occasion: func(v *classify.View) bool { return hasRecordedAcceptance(v) || len(evaluationsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			if e.Accepted {
				reportOpinion(v, p, e)
			}
		}
		for _, x := range evaluationsOf(v) {
			if e := v.EpisodeAt(x.pos); e != nil && !e.Open && x.Decided {
				reportUntouched(v, p, e, x)
			}
		}
	},
}

// reportOpinion reports a required check of an episode for which only an
// opinion stands: entered under its name, or given instead of it.
func reportOpinion(v *classify.View, p *classify.Pass, e *classify.Episode) {
	for _, r := range v.Required(e) {
		if e.Record != nil && enteredOpinion(v, e, r) {
			reportOfRecord(p, e, classify.High, fmt.Sprintf("required check %q holds an evaluator's opinion, not a program's result", r.Title()), "entered", r.Runner)
			return
		}
		if missing, _ := unanswered(v, e, r); !missing {
			continue
		}
		at, ok := opinionInstead(v, e)
		if !ok {
			return
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: e.Grade.Weaker(r.Grade), Episode: e.Index, At: e.AtPos,
			Cite:      []classify.Cite{at, e.At, r.Cite},
			Message:   fmt.Sprintf("an evaluator's opinion stands where required check %q has no result", r.Title()),
			Structure: []string{"instead", r.Runner},
		})
		return
	}
}

// enteredOpinion reports that a record's entry under a required check's name is
// no program's: it has neither arguments nor exit status, and an evaluator or
// model gave it.
func enteredOpinion(v *classify.View, e *classify.Episode, r classify.Required) bool {
	if len(r.Argv) == 0 {
		return false
	}
	for _, i := range entriesOf(v, e.Record.Completion).lastNamed[r.Name] {
		if c := entriesOf(v, e.Record.Completion).last[i]; len(c.Argv) == 0 && c.ExitCode == nil && c.Status != "" && !noResultWords[c.Status] {
			return opinion.Evaluator(c.Grader) || modelName.MatchString(c.Grader) || e.Record.Completion.Role == "evaluator"
		}
	}
	return false
}

// modelName matches the name of a model in a grader's place.
var modelName = phrase.MustCompile(`(?i)\b(?:llm|model|gpt|claude|gemini|llama|mistral|qwen|deepseek|glm|grok|kimi|o[1-9])\b`)

// opinionInstead is where an evaluator's opinion of an accepted episode stands.
func opinionInstead(v *classify.View, e *classify.Episode) (classify.Cite, bool) {
	if e.Record != nil {
		for _, k := range e.Record.Completion.Criteria {
			if k.Score != nil {
				return e.Record.Cite, true
			}
		}
	}
	if passed := passedIn(v, e); len(passed) > 0 {
		return passed[len(passed)-1].cite, true
	}
	return classify.Cite{}, false
}

// application matches the address of something that runs, rather than of a
// document on the web: on this machine or in a private network, or with a port.
var application = phrase.MustCompile(`(?i)\bhttps?://(?:localhost|127\.[\d.]+|0\.0\.0\.0|10\.[\d.]+|192\.168\.[\d.]+|[\w.-]+\.(?:test|local|localhost|internal)\b|[\w.-]+:\d{2,5})|\b(?:localhost|127\.0\.0\.1):\d{2,5}|(?:\b(?:port|puerto)|端口)\s+\d{2,5}\b`)

// reportUntouched reports a verdict on a running application by an evaluator
// that called nothing which could have used it.
func reportUntouched(v *classify.View, p *classify.Pass, e *classify.Episode, x *evaluation) {
	if !application.MatchString(x.text) && !application.MatchString(x.asked) {
		return
	}
	if !v.Has(ingest.HasTools) {
		p.Abstain("tool calls with their arguments")
		return
	}
	if used, seen := x.used(v); used || !seen {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: classify.Observed, Episode: e.Index, At: x.pos,
		Cite:      []classify.Cite{x.cite},
		Message:   "an evaluator judged a running application and made no call that could have used it",
		Structure: []string{"untouched"},
	})
}

// webTool matches tools that get a page or send a request.
var webTool = phrase.MustCompile(`(?i)(fetch|browser|web|http|navigate|screenshot|image|page)`)

// mayTouch reports that a call may have used an application: all but reading
// files, notes, edits, version control, and checks of source text.
func mayTouch(a *classify.Action) bool {
	switch a.Kind {
	case classify.Edits, classify.Notes:
		return false
	case classify.Looks:
		return webTool.MatchString(a.Tool)
	case classify.RunsShell:
	default:
		return true
	}
	if len(a.Commands) == 0 {
		return true
	}
	for _, c := range a.Commands {
		if len(c.Argv) == 0 {
			continue
		}
		if known, ok := runner.Recognize(c.Argv); ok && known.Kind != runner.Test {
			continue
		}
		if _, _, isGit := c.Git(); !isGit && (!c.ReadOnly() || sendsRequest(c)) {
			return true
		}
	}
	return false
}
