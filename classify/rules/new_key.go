package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var newKey = classify.Rule{
	Name:    "idempotency/new-key-same-operation",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "One intended effect was retried under a new key",
		Text:     "An external write had an unknown outcome, and the same intended effect was sent again under another operation id or provider key. To the service these are two requests, so it cannot tell the second from a new order. An id that the model's provider gave the call is such a key: it changes with every attempt.",
		Fires:    "A POST with one Idempotency-Key times out; the same body follows under a fresh one.",
		NearMiss: "The same key again; a changed request, newly approved; a look-up between; two effects with an id each.",
		Occasion: "an external write with an unknown outcome, or an Operation record",
		Needs:    "arguments of calls, or the records' dispatches",
		Owner:    classify.Idempotency,
		Change:   "Make the key once per intended effect, keep it before the first dispatch, and send it with every attempt.",
		Metric:   "retries under a new key",
	},
	Occasion: func(v *classify.View) bool { return len(unknownWrites(v)) > 0 || len(kept(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, w := range unknownWrites(v) {
			freshKey(v, p, w)
		}
		for i, r := range kept(v) {
			keyPerAttempt(v, p, r)
			secondOperation(v, p, i)
		}
	},
}

// freshKey reports the next attempt at a write if it has another key, while
// nothing told what became of the write.
func freshKey(v *classify.View, p *classify.Pass, w *classify.Effect) {
	for _, x := range w.After(v.Alike(w)) {
		if x.Action.Pos <= w.Action.Pos || !x.Writes() || x.Action.Overlaps(w.Action) {
			continue
		}
		if v.AskedAnew(w.Action.End, x.Action.Pos) || lookedUp(v, w, x.Action.Pos) {
			return
		}
		if len(w.Action.Args) == 0 && len(x.Action.Args) == 0 {
			p.Abstain("arguments of calls: neither intent nor key can be seen")
			return
		}
		if !otherKey(w, x) {
			return // and x is judged by what follows it
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: w.Grade().Weaker(x.Grade()), Episode: v.EpisodeAt(w.Action.Pos).Index, At: x.Action.Pos,
			Cite:      []classify.Cite{x.Action.Cite(), w.Action.Cite(), w.Action.CiteEnd()},
			Message:   fmt.Sprintf("%s was retried under a new key after an unknown outcome (%s)", what(w), reason(w)),
			Structure: []string{tool(w), string(w.Verb), w.Resource},
		})
		return
	}
}

// keyPerAttempt reports a record whose operation was dispatched again under
// another service key, while nobody knew what became of the dispatch before.
func keyPerAttempt(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	if inTrace(v, op) {
		return
	}
	for i := 1; i < len(op.Dispatches); i++ {
		before, again := op.Dispatches[i-1], op.Dispatches[i]
		if notAnswered(before) && before.ServiceKey != "" && again.ServiceKey != "" && before.ServiceKey != again.ServiceKey && !lookedUpBetween(op, before, again) {
			reportNewKey(v, p, op, "operation %q was dispatched again under another service key after an unknown outcome", r.Cite)
			return
		}
	}
}

// secondOperation reports a record with the tool and arguments of the latest
// one before it whose outcome nobody knew.
func secondOperation(v *classify.View, p *classify.Pass, i int) {
	before, ok := equalBefore(v)[i]
	if !ok {
		return
	}
	first, second := kept(v)[before], kept(v)[i]
	a, b := first.Operation, second.Operation
	if len(dispatchCites(v, a)) > 0 && len(dispatchCites(v, b)) > 0 {
		return // the trace holds the calls, and they were judged there
	}
	if recordSettles(first) || len(b.Dispatches) == 0 || a.ID == b.ID || a.Key.Value != "" && a.Key.Value == b.Key.Value {
		return
	}
	reportNewKey(v, p, b, "operation %q repeats another one whose outcome was unknown, under an id of its own", second.Cite, first.Cite)
}

// equalBefore maps each kept record to the latest one before it with equal tool
// and arguments.
func equalBefore(v *classify.View) map[int]int {
	return classify.Once(&v.Own, "equal operations", func() map[int]int {
		last, out := map[string]int{}, map[int]int{}
		for i, r := range kept(v) {
			args := argumentsOf(r.Operation)
			if args == "" {
				continue
			}
			key := r.Operation.Tool + "\x00" + args
			if j, ok := last[key]; ok {
				out[i] = j
			}
			last[key] = i
		}
		return out
	})
}

// argumentsOf is the canonical form of a record's arguments, else their hash.
func argumentsOf(op *record.Operation) string {
	if a := op.Arguments.Clone(); len(a) > 0 && a.Canonicalize() == nil {
		return string(a)
	}
	return op.ArgumentsSHA256
}

func reportNewKey(v *classify.View, p *classify.Pass, op *record.Operation, message string, cites ...classify.Cite) {
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
		Cite:      append(cites, dispatchCites(v, op)...),
		Message:   fmt.Sprintf(message, classify.Clip(op.ID, 40)),
		Structure: []string{op.Tool, "operation"},
	})
}
