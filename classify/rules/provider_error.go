package rules

import "github.com/faultline-dev/faultline/classify"

var providerFailed = classify.Rule{
	Name:    "provider/error",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The model's provider refused or failed a request",
		Text:     "A request to the model met an error of the provider or of the way to it: overload, rate limit, authentication, a bad request, a lost stream.",
		Fires:    "The session ends with \"API Error: 529\" where an answer should be.",
		NearMiss: "Retried and recovered: low; an error that a tool met; the words in a log; a context that was too big; a safety stop.",
		Occasion: "a failed request to the model",
		Needs:    "errors of the harness",
		Owner:    classify.Provider,
		Change:   "Retry with back-off and a bound, fall back to another model, and end a run that got no answer as failed.",
		Metric:   "requests that failed, and runs that ended with one",
	},
	Occasion: func(v *classify.View) bool { return len(troubles(v, providerError)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		reportTroubles(v, p, providerError, "a request to the model failed")
	},
}
