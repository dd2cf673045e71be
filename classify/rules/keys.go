package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// kept are the Operation records that the application kept of the run's
// external writes; what a service's log knows is not among them.
func kept(v *classify.View) []classify.Record {
	return classify.Once(&v.Own, "kept operations", func() []classify.Record {
		return slices.DeleteFunc(slices.Clone(operations(v)), func(r classify.Record) bool { return r.Linked })
	})
}

// keyedWrites are the external writes of the thread that carry one operation id to
// one place, in order, by id and place. A write that was refused left no key
// behind, and one that may be repeated needs none.
func keyedWrites(v *classify.View) [][]*classify.Effect {
	return classify.Once(&v.Facts, "keyed writes", func() [][]*classify.Effect {
		at := map[string]int{}
		var out [][]*classify.Effect
		for _, x := range v.Effects {
			if x.OperationID == "" || !x.Writes() || x.Repeatable {
				continue
			}
			key := strings.Join([]string{x.OperationID, x.Server, x.Tool, string(x.Verb), x.Resource}, "\x00")
			i, ok := at[key]
			if !ok {
				i = len(out)
				at[key], out = i, append(out, nil)
			}
			out[i] = append(out[i], x)
		}
		return out
	})
}

// took reports that the service may have kept the key of a write: it was not
// refused.
func took(x *classify.Effect) bool { return x.Outcome != ingest.Fail }

// payload is what a write sends beside its key, in canonical form.
func payload(x *classify.Effect) string {
	if x.Contract == nil || x.Action.Kind == classify.RunsShell {
		return x.Identity
	}
	return effect.FromTool(x.Action.Tool, x.Action.Args).Identity
}

// otherKey reports that two attempts at one effect went out under different
// ids: in the call, in the application's records, or made of the call's own id.
func otherKey(a, b *classify.Effect) bool {
	switch {
	case a.OperationID != "" && b.OperationID != "":
		return a.OperationID != b.OperationID
	case a.Operation != nil && b.Operation != nil && a.Operation.ID != "" && b.Operation.ID != "":
		return a.Operation.ID != b.Operation.ID
	}
	return sendsCallID(a.Action) && sendsCallID(b.Action)
}

// sendsCallID reports that the arguments hold the id that the model's provider
// gave the call: it is another one with every attempt.
func sendsCallID(a *classify.Action) bool {
	id := a.Cite().Event.Call
	return len(id) >= shortestCallID && strings.Contains(string(a.Args), `"`+id+`"`)
}

const shortestCallID = 8

// dispatched is when a write was sent.
func dispatched(x *classify.Effect) time.Time { return x.Action.Cite().Event.At }

// recordOf is the record of the application that names a write's call.
func recordOf(v *classify.View, x *classify.Effect) classify.Cite {
	for _, r := range kept(v) {
		if r.Operation == x.Operation && x.Operation != nil {
			return r.Cite
		}
	}
	return classify.Cite{}
}

// firstDispatch is when a record's operation was first sent.
func firstDispatch(op *record.Operation) time.Time {
	if len(op.Dispatches) == 0 {
		return time.Time{}
	}
	return op.Dispatches[0].At
}

// inTrace reports that the trace holds more than one of a record's dispatches,
// so that they are judged there.
func inTrace(v *classify.View, op *record.Operation) bool { return len(dispatchCites(v, op)) > 1 }
