package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var malformedArguments = classify.Rule{
	Name:    "boundary/malformed-arguments",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A call that the tool cannot take",
		Text:     "The tool's own validation refused the arguments: a missing or unknown parameter, a wrong type, a value that does not parse.",
		Fires:    "InputValidationError: the required parameter `file_path` is missing.",
		NearMiss: "Corrected at once: low; a refusal by the domain (no such order); the words in a source file.",
		Occasion: "a call that was refused",
		Needs:    "results with an error flag",
		Owner:    classify.ToolContract,
		Change:   "State types and required parameters in the tool's schema, and return what was expected.",
		Metric:   "calls refused by validation, and how many were corrected at once",
	},
	Occasion: func(v *classify.View) bool { return len(v.Actions) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			last := map[string]*classify.Action{}
			var order []string
			for _, a := range v.EpisodeActions(e) {
				if malformed(a) && !toolMissing(v, a) {
					if last[a.Tool] == nil {
						order = append(order, a.Tool)
					}
					last[a.Tool] = a
				}
			}
			for _, name := range order {
				a := last[name]
				p.Report(classify.Hit{
					Severity: e.Neighbour(v.Recovered(e, a)), Grade: classify.Observed, Episode: e.Index, At: a.Pos,
					Cite:      []classify.Cite{a.Cite(), a.CiteEnd()},
					Message:   fmt.Sprintf("%s refused its arguments", classify.Clip(a.Tool, 40)),
					Structure: []string{a.Tool, "validation"},
				})
			}
		}
	},
}

// validation matches what validators of tool arguments print.
var validation = phrase.MustCompile(`(?i)(InputValidationError|invalid[_ ](arguments?|params?|parameters?|input)|validation error|missing (\d+ )?required (positional )?(argument|parameter|property|field)|unexpected keyword argument|-32602|is a required property|is not of type|schema validation|unknown (argument|parameter)|required parameter|unrecognized (argument|key)|invalid type|expected (string|number|integer|array|object|boolean)\b.*(received|got)|could not parse (the )?arguments|malformed (json )?arguments|not a valid (date|datetime|integer|number|uuid|email|enum|boolean))`)

// transient matches errors that may pass by themselves.
var transient = phrase.MustCompile(`(?i)(\b(429|500|502|503|504)\b|rate.?limit|temporar|try again later|overloaded|unavailable|timed? ?out|connection (reset|refused|closed))`)

// validationText bounds how much of an output can be a validator's message.
const validationText = 1500

func malformed(a *classify.Action) bool {
	if a.Outcome != ingest.Fail || a.Result < 0 || a.Reason == ingest.Denied || a.Reason == ingest.Cancelled {
		return false
	}
	if a.Kind == classify.RunsShell && a.Reason != ingest.Rejected {
		return false
	}
	out := a.Output()
	return len(out) <= validationText && validation.MatchString(out)
}
