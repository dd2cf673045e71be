package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/record"
)

// operations are the Operation records of the run that write outside.
func operations(v *classify.View) []classify.Record {
	return classify.Once(&v.Own, "operations", func() []classify.Record {
		var out []classify.Record
		for _, r := range v.Records {
			if o := r.Operation; o != nil && o.Effect != "read" && o.Effect != "local_write" && (o.RunID == v.Run.ID || o.RunID == v.Run.Meta.Native) {
				out = append(out, r)
			}
		}
		return out
	})
}

// blindDispatch reports an operation that its record shows dispatched again
// after an unknown outcome, without a look-up and under another service key.
func blindDispatch(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	if len(dispatchCites(v, op)) > 1 {
		return // the trace holds the calls, and they were judged there
	}
	for i := 1; i < len(op.Dispatches); i++ {
		before, again := op.Dispatches[i-1], op.Dispatches[i]
		if !notAnswered(before) || before.ServiceKey != "" && before.ServiceKey == again.ServiceKey || lookedUpBetween(op, before, again) {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
			Cite:      append([]classify.Cite{r.Cite}, dispatchCites(v, op)...),
			Message:   fmt.Sprintf("operation %q was dispatched again after an unknown outcome, without a look-up and under no common key", classify.Clip(op.ID, 40)),
			Structure: []string{op.Tool, "operation"},
		})
		return
	}
}

func lookedUpBetween(op *record.Operation, a, b record.Dispatch) bool {
	for _, l := range op.Lookups {
		if l.Found != nil && (l.At.IsZero() || a.At.IsZero() || !l.At.Before(a.At)) && (l.At.IsZero() || b.At.IsZero() || !l.At.After(b.At)) {
			return true
		}
	}
	return false
}

// dispatchCites are the calls of the trace that the record's dispatches name.
func dispatchCites(v *classify.View, op *record.Operation) []classify.Cite {
	var out []classify.Cite
	for _, d := range op.Dispatches {
		if a := actionOf(v, d.CallID); a != nil {
			out = append(out, a.Cite())
		}
	}
	return out
}

func actionOf(v *classify.View, call string) *classify.Action {
	if call == "" {
		return nil
	}
	return classify.Once(&v.Facts, "actions by call", func() map[string]*classify.Action {
		byCall := map[string]*classify.Action{}
		for _, a := range v.Actions {
			if a.Call < 0 {
				continue
			}
			if id := a.Run.Events[a.Execution.Call].Call; byCall[id] == nil {
				byCall[id] = a
			}
		}
		return byCall
	})[call]
}

func lastIndex(v *classify.View) int {
	if n := len(v.Episodes); n > 0 {
		return v.Episodes[n-1].Index
	}
	return 0
}
