package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var noOperationID = classify.Rule{
	Name:    "idempotency/no-operation-id",
	Highest: classify.Medium,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "A write went out before an operation id was on record",
		Text:     "A write that must not happen twice was dispatched before, or without, an id that the application owns and has persisted. After a crash between dispatch and reply nobody can name the operation to look it up or to send it again safely. The id that the model's provider gave the call does not count: the next attempt has another one.",
		Fires:    "The record's persisted_at is four seconds after its first dispatch.",
		NearMiss: "The id persisted, then dispatched; a write that may be repeated; a read; an operation that was not dispatched. Without records the rule abstains: keys travel in headers that no log shows.",
		Occasion: "an external write that must not be repeated",
		Needs:    "Operation records",
		Owner:    classify.Idempotency,
		Change:   "Write the operation with its id and approved arguments to disk before the first dispatch.",
		Metric:   "dispatches without a persisted operation id",
	},
	Occasion: func(v *classify.View) bool { return len(kept(v)) > 0 || onceOnly(v) },
	Check: func(v *classify.View, p *classify.Pass) {
		if len(kept(v)) == 0 {
			p.Abstain("the ids of dispatches (operation records)")
		}
		for _, r := range kept(v) {
			if why := unnamed(r.Operation); why != "" && !mayRepeat(v, r.Operation) {
				p.Report(classify.Hit{
					Severity: classify.Medium, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
					Cite:      append([]classify.Cite{r.Cite}, dispatchCites(v, r.Operation)...),
					Message:   fmt.Sprintf("%q was dispatched %s", classify.Clip(r.Operation.Tool, 40), why),
					Structure: []string{r.Operation.Tool, "operation"},
				})
			}
		}
	},
}

// onceOnly reports that the run holds an external write that must not be
// repeated.
func onceOnly(v *classify.View) bool {
	return slices.ContainsFunc(v.EffectsIn(v.Start()-1, v.End()+1), func(x *classify.Effect) bool {
		return x.Writes() && !x.Repeatable && v.Owns(x.Action) && judged(v, x)
	})
}

// unnamed says in which way an operation was dispatched without an id on
// record, "" when it was not.
func unnamed(op *record.Operation) string {
	if len(op.Dispatches) == 0 {
		return ""
	}
	first := firstDispatch(op)
	switch {
	case op.ID == "":
		return "without an operation id"
	case slices.ContainsFunc(op.Dispatches, func(d record.Dispatch) bool { return d.CallID == op.ID }):
		return "under the id that the model's provider gave the call"
	case op.PersistedAt.IsZero():
		return "under an operation id that was never persisted"
	case !first.IsZero() && first.Before(op.PersistedAt):
		return "before its operation id was persisted"
	}
	return ""
}

// mayRepeat reports that a contract, or else the tool's name, says that the
// write may be sent twice.
func mayRepeat(v *classify.View, op *record.Operation) bool {
	if c := v.ContractOf(op.Tool); c != nil {
		return c.Repeatable
	}
	return effect.FromTool(op.Tool, op.Arguments).Repeatable
}
