package rules

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

var duplicateEffect = classify.Rule{
	Name:    "idempotency/duplicate-effect",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "One intended effect happened twice",
		Text:     "Two dispatches of one intended effect both succeeded and none was undone between: two orders, two refunds, two tickets.",
		Fires:    "book_room for the same room and night is confirmed twice under two booking numbers.",
		NearMiss: "Undone between; a distinct natural key; setting the same value; a replay under the same id that returns the same resource; asked for again; messages without a preceding unknown outcome.",
		Occasion: "two external writes that succeeded",
		Needs:    "calls with arguments and results",
		Owner:    classify.Idempotency,
		Change:   "Deduplicate by an operation id that the application owns, or look for the effect before creating it.",
		Metric:   "intended effects with more than one success",
	},
	Occasion: func(v *classify.View) bool { return len(doneWrites(v)) > 1 },
	Check: func(v *classify.View, p *classify.Pass) {
		done := doneWrites(v)
		for i, second := range done {
			if !v.Owns(second.Action) || !judged(v, second) {
				continue
			}
			for j := i - 1; j >= 0; j-- {
				if first := done[j]; first.SameIntent(second) {
					if twice(v, first, second) {
						reportTwice(v, p, first, second)
					}
					break
				}
			}
		}
	},
}

// doneWrites are the external writes of the thread that succeeded and are not
// safe to repeat.
func doneWrites(v *classify.View) []*classify.Effect {
	var out []*classify.Effect
	for _, x := range v.Effects {
		if x.Writes() && x.Outcome == ingest.OK && !x.Repeatable {
			out = append(out, x)
		}
	}
	return out
}

// twice decides whether two successes of one intent are two effects.
func twice(v *classify.View, a, b *classify.Effect) bool {
	if a.OperationID != "" && a.OperationID == b.OperationID {
		return false
	}
	if ra, rb := effect.ResultID(a.Action.Output()), effect.ResultID(b.Action.Output()); ra != "" && ra == rb {
		return false
	}
	if v.AskedAnew(a.Action.End, b.Action.Pos) {
		return false
	}
	for _, x := range v.EffectsIn(a.Action.Pos, b.Action.Pos) {
		if x.Undoes(a) {
			return false
		}
	}
	if a.Append {
		return unknownBefore(v, a, b)
	}
	return true
}

// unknownBefore reports that a dispatch of the same message with an unknown
// outcome precedes the second success.
func unknownBefore(v *classify.View, a, b *classify.Effect) bool {
	for _, x := range v.EffectsIn(-1, b.Action.Pos) {
		if x.Writes() && x.Outcome == ingest.Unknown && x.SameIntent(a) {
			return true
		}
	}
	return false
}

func reportTwice(v *classify.View, p *classify.Pass, a, b *classify.Effect) {
	e := v.EpisodeAt(b.Action.Pos)
	if e == nil {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: a.Grade().Weaker(b.Grade()), Episode: e.Index, At: b.Action.Pos,
		Cite:      []classify.Cite{b.Action.Cite(), a.Action.Cite()},
		Message:   fmt.Sprintf("%s succeeded twice for one intended effect, and nothing was undone between", what(b)),
		Structure: []string{tool(b), string(b.Verb), b.Resource},
	})
}
