package rules

import "github.com/faultline-dev/faultline/classify"

var safetyStop = classify.Rule{
	Name:    "provider/safety-stop",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The provider's safety system stopped the response",
		Text:     "The provider ended a response by its own filter or policy; what was asked was not answered.",
		Fires:    "The message ends with stop_reason refusal and the run with an error.",
		NearMiss: "A configured fallback answered: low; a refusal in the model's own words; a moderation tool's answer; the words in source.",
		Occasion: "a provider's statement that it stopped a response",
		Needs:    "reasons to stop and errors",
		Owner:    classify.Provider,
		Change:   "Route the stop to a person or to the configured fallback, and say in the result that it happened.",
		Metric:   "runs ended by a safety stop",
	},
	Occasion: func(v *classify.View) bool { return len(troubles(v, safetyStopped)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		reportTroubles(v, p, safetyStopped, "the provider's safety system stopped the response")
	},
}
