package rules

import "github.com/faultline-dev/faultline/classify"

var contextOverflow = classify.Rule{
	Name:    "context/overflow",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The context window was exceeded",
		Text:     "A request was refused, or the run stopped, because what was to be sent is more than the model takes.",
		Fires:    "The session ends with \"Prompt is too long\".",
		NearMiss: "Compacted and went on: low; compacted in time; a file that is too big for a tool; the words in a question or a page.",
		Occasion: "a statement that the context window was exceeded",
		Needs:    "reasons to stop, errors and limits",
		Owner:    classify.Context,
		Change:   "Compact or cut tool results before the window is full, and try again after a refusal.",
		Metric:   "requests refused for their size, and runs that ended so",
	},
	Occasion: func(v *classify.View) bool { return len(troubles(v, overflowed)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		reportTroubles(v, p, overflowed, "the context window of the model was exceeded")
	},
}
