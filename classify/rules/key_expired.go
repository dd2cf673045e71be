package rules

import (
	"fmt"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var keyExpired = classify.Rule{
	Name:    "idempotency/key-expired",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "A key was sent again after the provider may have forgotten it",
		Text:     "Providers keep idempotency keys for a time that they state. After it, a request under the same key is a new request: the effect can happen a second time, although the key looks like protection.",
		Fires:    "A refund gets no answer and goes to Stripe again under its key 25 hours later, without a look-up.",
		NearMiss: "23 hours and 59 minutes later; a look-up first; a provider that keeps keys longer, or states no time.",
		Occasion: "a key that was sent again",
		Needs:    "times of calls, and a retention that a record or the provider states",
		Owner:    classify.Idempotency,
		Change:   "Keep when a key was first sent, and look the effect up instead of sending it again once the retention is over.",
		Metric:   "keys sent again after their retention",
	},
	Occasion: func(v *classify.View) bool { return len(kept(v)) > 0 || len(keyedWrites(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, list := range keyedWrites(v) {
			expired(v, p, list)
		}
		for _, r := range kept(v) {
			expiredInRecord(v, p, r)
		}
	},
}

// expired reports the first write under a key that came after its retention,
// counted from the first one that the service may have taken.
func expired(v *classify.View, p *classify.Pass, list []*classify.Effect) {
	var first *classify.Effect
	for _, x := range list {
		if first == nil {
			if took(x) {
				first = x
			}
			continue
		}
		limit := keeps(x)
		if limit == 0 || !v.Owns(x.Action) || !judged(v, x) {
			continue
		}
		a, b := dispatched(first), dispatched(x)
		if a.IsZero() || b.IsZero() {
			p.Abstain("times of calls: how old the key was cannot be told")
			return
		}
		if b.Sub(a) <= limit || lookedUp(v, first, x.Action.Pos) || foundOut(x.Operation, a, b) {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: x.Grade().Weaker(first.Grade()), Episode: v.EpisodeAt(x.Action.Pos).Index, At: x.Action.Pos,
			Cite:      []classify.Cite{x.Action.Cite(), first.Action.Cite(), first.Action.CiteEnd(), recordOf(v, x)},
			Message:   fmt.Sprintf("%s was sent again under a key that was %s old, and keys are kept for %s", what(x), age(b.Sub(a)), age(limit)),
			Structure: []string{tool(x), string(x.Verb), x.Resource},
		})
		return
	}
}

// foundOut reports that the record holds a look-up between two times.
func foundOut(op *record.Operation, a, b time.Time) bool {
	return op != nil && lookedUpBetween(op, record.Dispatch{At: a}, record.Dispatch{At: b})
}

// expiredInRecord judges dispatches that only the record knows.
func expiredInRecord(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	limit := keeps(&classify.Effect{Operation: op})
	if limit == 0 || inTrace(v, op) {
		return
	}
	first := -1
	for i, d := range op.Dispatches {
		switch {
		case d.ServiceKey == "" || d.At.IsZero():
		case first < 0:
			if d.Outcome != "fail" || notAnswered(d) {
				first = i
			}
		default:
			a := op.Dispatches[first]
			gap := d.At.Sub(a.At)
			if d.ServiceKey != a.ServiceKey || gap <= limit || lookedUpBetween(op, a, d) {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
				Cite:      append([]classify.Cite{r.Cite}, dispatchCites(v, op)...),
				Message:   fmt.Sprintf("operation %q was dispatched again under a key that was %s old, and keys are kept for %s", classify.Clip(op.ID, 40), age(gap), age(limit)),
				Structure: []string{op.Tool, "operation"},
			})
			return
		}
	}
}

// age writes a duration for people: days where it is whole days, no seconds
// beyond an hour.
func age(d time.Duration) string {
	switch {
	case d >= 2*day && d%day == 0:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour:
		h, m := d/time.Hour, d%time.Hour/time.Minute
		if m == 0 {
			return fmt.Sprintf("%d h", h)
		}
		return fmt.Sprintf("%d h %d min", h, m)
	}
	return d.Round(time.Second).String()
}
