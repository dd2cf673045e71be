package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var duplicateDelivery = classify.Rule{
	Name:    "idempotency/duplicate-delivery",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The harness executed one call more than once",
		Text:     "The model made one call, and under its id the harness ran the tool twice: after a reconnect, from two workers, by a queue that delivers at least once. What the tool does, it did twice, and the model knows of one.",
		Fires:    "One call id has two results that differ, or two spans of its dispatch side by side.",
		NearMiss: "The log repeats the item or the result; spans of one dispatch inside each other; a launch and the notice of its end; ids that a provider uses again in later messages.",
		Occasion: "tool calls with ids",
		Needs:    "results with the ids of their calls",
		Owner:    classify.Idempotency,
		Change:   "Record a call as dispatched before running it, and hand a repeated delivery the recorded result.",
		Metric:   "call ids with more than one execution",
	},
	Occasion: func(v *classify.View) bool { return len(v.Actions) > 1 || len(kept(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, pair := range deliveredTwice(v) {
			reportDelivered(v, p, pair[0], pair[1])
		}
		for _, r := range kept(v) {
			deliveredInRecord(v, p, r)
		}
	},
}

// deliveredTwice are pairs of executions of one call, the first one with each
// later one.
func deliveredTwice(v *classify.View) [][2]*classify.Action {
	type dispatch struct {
		run  *ingest.Run
		call string
	}
	first := map[dispatch]*classify.Action{}
	var out [][2]*classify.Action
	for _, a := range v.Actions {
		if !v.Owns(a) || a.Call < 0 || !told(a) {
			continue
		}
		call := &a.Run.Events[a.Execution.Call]
		if call.Call == "" {
			continue
		}
		key := dispatch{a.Run, call.Call}
		b := first[key]
		switch {
		case b == nil:
			first[key] = a
		case oneCall(a, b):
			out = append(out, [2]*classify.Action{b, a})
		default: // the provider uses its ids again
			first[key] = a
		}
	}
	return out
}

// told reports that an execution is proven by what it returned. A call that was
// broken off may be answered for by the harness, and answered later.
func told(a *classify.Action) bool {
	return a.Ran() && a.Result >= 0 && (a.Outcome == ingest.OK || a.Outcome == ingest.Fail || a.Outcome == ingest.Unknown && a.Span != "")
}

// oneCall reports that two executions answer one call of the model: one event
// of the log with two results, or two dispatches side by side of which each has
// a span of its own.
func oneCall(a, b *classify.Action) bool {
	if a.Span != "" && b.Span != "" {
		return a.Span != b.Span
	}
	return a.Execution.Call == b.Execution.Call && a.Result != b.Result && !a.Run.Events[a.Execution.Call].Copied
}

func reportDelivered(v *classify.View, p *classify.Pass, first, second *classify.Action) {
	e := v.EpisodeAt(second.Pos)
	if e == nil || e.Open {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: second.End,
		Cite:      []classify.Cite{second.CiteEnd(), second.Cite(), first.CiteEnd(), first.Cite()},
		Message:   fmt.Sprintf("one call of %q was executed more than once", classify.Clip(second.Tool, 40)),
		Structure: []string{second.Tool},
	})
}

// deliveredInRecord reports a record that holds two dispatches of one call id,
// of which the trace shows one at most. A dispatch that never left is none.
func deliveredInRecord(v *classify.View, p *classify.Pass, r classify.Record) {
	seen := map[string]bool{}
	for _, d := range r.Operation.Dispatches {
		if d.CallID == "" || d.Outcome == "fail" && !notAnswered(d) {
			continue
		}
		if !seen[d.CallID] {
			seen[d.CallID] = true
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
			Cite:      []classify.Cite{r.Cite, callOf(v, d)},
			Message:   fmt.Sprintf("the record of operation %q holds more than one dispatch of one call", classify.Clip(r.Operation.ID, 40)),
			Structure: []string{r.Operation.Tool, "operation"},
		})
		return
	}
}

// callOf is the call of the trace that a dispatch names, if any.
func callOf(v *classify.View, d record.Dispatch) classify.Cite {
	if a := actionOf(v, d.CallID); a != nil {
		return a.Cite()
	}
	return classify.Cite{}
}
