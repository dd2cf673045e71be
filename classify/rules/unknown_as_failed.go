package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var unknownAsFailed = classify.Rule{
	Name:    "idempotency/unknown-as-failed",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "An unknown outcome was called a failure, or a success",
		Text:     "A request left and no answer came, so the effect may exist. The application's record, the tool's reply or the closing text says all the same that it did not happen (or that it did). Whoever reads that sends it again, or never looks.",
		Fires:    "The tool returns \"Order was NOT placed: upstream request timed out\".",
		NearMiss: "A definite rejection; a request that never left; an outcome that is called unknown; a claim after a look-up; reconciled later.",
		Occasion: "an external write with an unknown outcome, or an Operation record",
		Needs:    "results of calls, closing texts, or the records' dispatches",
		Owner:    classify.Idempotency,
		Change:   "Give tools a third outcome, unknown, and let only a look-up turn it into done or not done.",
		Metric:   "unknown outcomes recorded, reported or claimed as known",
	},
	Occasion: func(v *classify.View) bool { return len(openWrites(v)) > 0 || len(kept(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		recorded := map[*classify.Action]bool{}
		for _, r := range kept(v) {
			recordedAsKnown(v, p, r, recorded)
		}
		for _, w := range openWrites(v) {
			if recorded[w.Action] || settledLater(v, w) {
				continue
			}
			if c := deniedByReply(v, w); c.Event != nil {
				reportKnown(v, p, w, c, "and the model was told that it had not happened")
			} else if c, how := claimedAsKnown(v, w); c.Event != nil {
				reportKnown(v, p, w, c, how)
			}
		}
	},
}

// recordedAsKnown reports a dispatch whose error says that no answer came and
// whose outcome is given as known, unless the record found out later.
func recordedAsKnown(v *classify.View, p *classify.Pass, r classify.Record, recorded map[*classify.Action]bool) {
	op := r.Operation
	for i, d := range op.Dispatches {
		if d.Outcome != "fail" && d.Outcome != "ok" || !classify.NoAnswer(d.Error) {
			continue
		}
		later := slices.ContainsFunc(op.Lookups, func(l record.Lookup) bool { return l.Found != nil && (l.At.IsZero() || !l.At.Before(d.At)) })
		replayed := slices.ContainsFunc(op.Dispatches[i+1:], func(e record.Dispatch) bool {
			return d.ServiceKey != "" && e.ServiceKey == d.ServiceKey && e.Outcome == "ok"
		})
		a := actionOf(v, d.CallID)
		if later || replayed || a != nil && lookedUpLater(v, a) {
			continue
		}
		if a != nil {
			recorded[a] = true
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
			Cite:      []classify.Cite{r.Cite, callOf(v, d)},
			Message:   fmt.Sprintf("operation %q got no answer, and its record calls that %q", classify.Clip(op.ID, 40), d.Outcome),
			Structure: []string{op.Tool, "operation", d.Outcome},
		})
		return
	}
}

// lookedUpLater reports that the thread found out what became of an action.
func lookedUpLater(v *classify.View, a *classify.Action) bool {
	return slices.ContainsFunc(a.Effects(), func(w *classify.Effect) bool { return w.Writes() && len(v.Revealing(w, a.Pos, never)) > 0 })
}

// deniedByReply is the result that told the model that a write whose outcome is
// unknown had not happened. Where spans lie inside each other, the outermost is
// what the model saw.
func deniedByReply(v *classify.View, w *classify.Effect) classify.Cite {
	a := w.Action
	for _, c := range shown(v, a) {
		if saysNotDone(c.Run.Text(c.Event), w) {
			return c
		}
	}
	return classify.Cite{}
}

// shown are the results of an action, in every view that the log has of it.
func shown(v *classify.View, a *classify.Action) []classify.Cite {
	id := a.Cite().Event.Call
	if id == "" || a.Call < 0 {
		return []classify.Cite{a.CiteEnd()}
	}
	type call struct {
		run *ingest.Run
		id  string
	}
	var out []classify.Cite
	for _, i := range classify.Once(&v.Facts, "results by call", func() map[call][]int {
		index := map[call][]int{}
		for _, r := range slices.Concat(v.Runs, v.Subs) {
			for i := range r.Events {
				if e := &r.Events[i]; e.Kind == ingest.ToolResult && e.Call != "" && !e.Copied {
					index[call{r, e.Call}] = append(index[call{r, e.Call}], i)
				}
			}
		}
		return index
	})[call{a.Run, id}] {
		if i > a.Call && len(out) < mostViews {
			out = append(out, classify.Cite{Run: a.Run, Event: &a.Run.Events[i]})
		}
	}
	return out
}

// mostViews bounds how many results of one call are read.
const mostViews = 20

func reportKnown(v *classify.View, p *classify.Pass, w *classify.Effect, c classify.Cite, how string) {
	p.Report(classify.Hit{
		Severity: classify.High, Grade: w.Grade(), Episode: v.EpisodeAt(w.Action.Pos).Index, At: w.Action.End,
		Cite:      []classify.Cite{c, w.Action.Cite(), w.Action.CiteEnd()},
		Message:   fmt.Sprintf("%s has an unknown outcome (%s), %s", what(w), reason(w), how),
		Structure: []string{tool(w), string(w.Verb), w.Resource},
	})
}
