package rules

import "github.com/faultline-dev/faultline/classify"

var budgetExceeded = classify.Rule{
	Name:    "runtime/budget-exceeded",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "The run spent its budget",
		Text:     "The harness states that money, tokens, turns or steps that the run was given are spent.",
		Fires:    "The result line says error_max_budget_usd, in the middle of the work.",
		NearMiss: "Raised, and the run went on: low; a warning before the limit; a time limit; a budget that the work is about.",
		Occasion: "a statement that a budget is spent",
		Needs:    "errors, limits and ends of the harness",
		Owner:    classify.Runtime,
		Change:   "Tell the agent what is left, and keep enough of it to stop in a known state.",
		Metric:   "runs ended by their budget",
	},
	Occasion: func(v *classify.View) bool { return len(troubles(v, budgetSpent)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		reportTroubles(v, p, budgetSpent, "the run's budget was spent")
	},
}
