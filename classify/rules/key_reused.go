package rules

import (
	"cmp"
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var keyReused = classify.Rule{
	Name:    "idempotency/key-reused",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "One key went out with two payloads",
		Text:     "An operation id or provider key that stands for one intended effect was sent with another payload. A service that compares refuses it; one that does not answers with the first effect, and the second never happens.",
		Fires:    "create_invoice for a second order carries the key of the first and gets the first invoice back.",
		NearMiss: "The same payload written another way; one value as key at two providers; a refused request corrected under its key; a mismatch error in a log that was read.",
		Occasion: "an external write that carries a key, or a mismatch error as its reply",
		Needs:    "arguments of calls, or the records' keys and arguments",
		Owner:    classify.Idempotency,
		Change:   "Derive the key from the intended effect, one per effect, and keep it with a hash of the payload.",
		Metric:   "keys with more than one payload",
	},
	Occasion: func(v *classify.View) bool {
		return len(keyedWrites(v)) > 0 || len(refusedKeys(v)) > 0 || len(kept(v)) > 1
	},
	Check: func(v *classify.View, p *classify.Pass) {
		said := map[*classify.Effect]bool{}
		for _, list := range keyedWrites(v) {
			if first, other := otherPayload(list); other != nil && v.Owns(other.Action) && judged(v, other) {
				reportReused(v, p, first, other)
				said[other] = true
			}
		}
		for _, x := range refusedKeys(v) {
			if !said[x] {
				reportReused(v, p, nil, x)
			}
		}
		reusedInRecords(v, p)
	},
}

// otherPayload finds the first write under a key whose payload differs from
// that of the first one that the service may have taken. What records tell of
// both is judged there.
func otherPayload(list []*classify.Effect) (first, other *classify.Effect) {
	for _, x := range list {
		switch {
		case first == nil && took(x):
			first = x
		case first == nil || payload(first) == payload(x):
		case first.Operation != nil && x.Operation != nil:
		default:
			if s := statedBy(x); s == nil || !s.perPayload {
				return first, x
			}
		}
	}
	return nil, nil
}

// mismatches are the codes by which services say that a key was used with
// other parameters before: AWS, Stripe, Square, and what others call it.
var mismatches = phrase.MustCompile(`(?i)\b(Idempotent_?ParameterMismatch(Exception)?|idempotency_error|(err_)?idempotency_?key_?(reused?|mismatch|conflict)(error|exception)?|idempotency_?(parameter_?)?mismatch(error|exception)?)\b`)

const longestRefusal = 2000 // bytes; a longer output is no error's

// refusedKeys are the run's writes whose reply is such an error.
func refusedKeys(v *classify.View) []*classify.Effect {
	return classify.Once(&v.Own, "refused keys", func() []*classify.Effect {
		var out []*classify.Effect
		for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if !x.Writes() || x.Outcome != ingest.Fail || !v.Owns(x.Action) || !judged(v, x) {
				continue
			}
			if text := x.Action.Output(); len(text) <= longestRefusal && mismatches.MatchString(text) {
				out = append(out, x)
			}
		}
		return out
	})
}

func reportReused(v *classify.View, p *classify.Pass, first, other *classify.Effect) {
	h := classify.Hit{
		Severity: classify.High, Grade: other.Grade(), Episode: v.EpisodeAt(other.Action.Pos).Index, At: other.Action.Pos,
		Cite:      []classify.Cite{other.Action.Cite()},
		Message:   fmt.Sprintf("the service refused the key of %s: it had been used with other parameters", what(other)),
		Structure: []string{tool(other), string(other.Verb), other.Resource},
	}
	if first != nil {
		h.Grade = h.Grade.Weaker(first.Grade())
		h.Cite = append(h.Cite, first.Action.Cite())
		h.Message = fmt.Sprintf("%s was sent with another payload under a key that was in use", what(other))
	}
	h.Cite = append(h.Cite, other.Action.CiteEnd())
	p.Report(h)
}

// reusedInRecords reports records that hold one key of one provider and
// different arguments, of which both were dispatched.
func reusedInRecords(v *classify.View, p *classify.Pass) {
	first := map[string]classify.Record{}
	said := map[string]bool{}
	for _, r := range kept(v) {
		op := r.Operation
		value := keyValue(op)
		if value == "" || len(op.Dispatches) == 0 || argumentsOf(op) == "" {
			continue
		}
		key := cmp.Or(op.Key.Provider, op.Tool) + "\x00" + value
		a, ok := first[key]
		if !ok {
			first[key] = r
			continue
		}
		if argumentsOf(a.Operation) == argumentsOf(op) || said[key] || sharesKeys(op) {
			continue
		}
		said[key] = true
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
			Cite:      append([]classify.Cite{r.Cite, a.Cite}, dispatchCites(v, op)...),
			Message:   fmt.Sprintf("operations %q and %q were sent under one key with different arguments", classify.Clip(a.Operation.ID, 40), classify.Clip(op.ID, 40)),
			Structure: []string{op.Tool, "operation"},
		})
	}
}

// keyValue is the key under which an operation was sent.
func keyValue(op *record.Operation) string {
	if op.Key.Value != "" || len(op.Dispatches) == 0 {
		return op.Key.Value
	}
	return op.Dispatches[0].ServiceKey
}

func sharesKeys(op *record.Operation) bool {
	s := statedBy(&classify.Effect{Operation: op})
	return s != nil && s.perPayload
}
