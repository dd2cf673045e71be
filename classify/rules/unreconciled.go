package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var unreconciled = classify.Rule{
	Name:    "idempotency/unreconciled",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The run ended with an operation still unknown",
		Text:     "An external write timed out or lost its reply, and until the end of the thread nothing found out whether it happened.",
		Fires:    "refund_payment gives no answer; the run closes with \"the refund was issued\".",
		NearMiss: "Reconciled later in the thread; pending an approval; a local target; a definite refusal.",
		Occasion: "an external write with an unknown outcome",
		Needs:    "calls with arguments and results",
		Owner:    classify.Idempotency,
		Change:   "Keep the run open, or write the operation into the handoff, until a look-up has settled it.",
		Metric:   "runs that end with an unknown operation",
	},
	Occasion: func(v *classify.View) bool { return len(openWrites(v)) > 0 || len(operations(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, w := range openWrites(v) {
			if !settledLater(v, w) {
				reportOpen(v, p, w)
			}
		}
		for _, r := range operations(v) {
			openOperation(v, p, r)
		}
	},
}

// openWrites are all external writes of the run with an unknown outcome,
// repeatable or not.
func openWrites(v *classify.View) []*classify.Effect {
	return classify.Once(&v.Own, "open writes", func() []*classify.Effect {
		var out []*classify.Effect
		for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if x.Writes() && x.Outcome == ingest.Unknown && judged(v, x) {
				out = append(out, x)
			}
		}
		return out
	})
}

// settledLater reports that something after the write tells what became of it:
// a look-up, another attempt at the same intent (whose own outcome counts), or
// its undo.
func settledLater(v *classify.View, w *classify.Effect) bool {
	apart := func(x *classify.Effect) bool { return x.Action.Pos > w.Action.Pos && !x.Action.Overlaps(w.Action) }
	again := func(x *classify.Effect) bool { return apart(x) && x.Writes() }
	return slices.ContainsFunc(w.After(v.Alike(w)), again) ||
		slices.ContainsFunc(v.Revealing(w, w.Action.Pos, never), apart) ||
		slices.ContainsFunc(v.Undoing(w, w.Action.Pos, never), apart) ||
		operationSettled(v, w)
}

// never is a position after every thread.
const never = 1 << 60

// operationSettled reports that the write's Operation record holds its result
// or a look-up that found out.
func operationSettled(v *classify.View, w *classify.Effect) bool {
	return classify.Once(&v.Own, "settled by record", func() map[*classify.Action]bool {
		settled := map[*classify.Action]bool{}
		for _, r := range operations(v) {
			for _, d := range r.Operation.Dispatches {
				a := actionOf(v, d.CallID)
				if _, known := settled[a]; a != nil && !known {
					settled[a] = recordSettles(r)
				}
			}
		}
		return settled
	})[w.Action]
}

func recordSettles(r classify.Record) bool {
	op := r.Operation
	for _, l := range op.Lookups {
		if l.Found != nil {
			return true
		}
	}
	if len(op.Result) > 0 && string(op.Result) != "null" {
		return true
	}
	n := len(op.Dispatches)
	return n == 0 || !notAnswered(op.Dispatches[n-1])
}

// notAnswered reports that nobody knows what became of a dispatch, whatever the
// record calls it: a time-out is no failure.
func notAnswered(d record.Dispatch) bool {
	return d.Outcome == "unknown" || d.Outcome == "fail" && classify.NoAnswer(d.Error)
}

func reportOpen(v *classify.View, p *classify.Pass, w *classify.Effect) {
	e := v.EpisodeAt(w.Action.Pos)
	grade := w.Grade()
	p.Report(classify.Hit{
		Severity: classify.High, Grade: grade, Episode: e.Index, At: e.Last,
		Cite:      []classify.Cite{w.Action.Cite(), w.Action.CiteEnd(), e.At},
		Message:   fmt.Sprintf("%s has an unknown outcome (%s) and nothing found out what became of it", what(w), reason(w)),
		Structure: []string{tool(w), string(w.Verb), w.Resource},
	})
}

// openOperation reports a record whose last dispatch is unknown, unless the
// trace already told so.
func openOperation(v *classify.View, p *classify.Pass, r classify.Record) {
	if recordSettles(r) || len(v.Episodes) == 0 || v.Episodes[len(v.Episodes)-1].Open {
		return
	}
	op := r.Operation
	if len(dispatchCites(v, op)) > 0 {
		return // the trace holds the call, and it was judged there
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
		Cite:      append([]classify.Cite{r.Cite}, dispatchCites(v, op)...),
		Message:   fmt.Sprintf("the record of operation %q ends with an unknown dispatch and no look-up", classify.Clip(op.ID, 40)),
		Structure: []string{op.Tool, "operation"},
	})
}
