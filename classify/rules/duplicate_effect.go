package rules

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
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
	Across: func(v *classify.View, p *classify.Pass, first, second *classify.Effect) {
		if judged(v, second) && !classify.SameResource(first, second) {
			reportTwice(v, p, first, second)
		}
	},
	Occasion: func(v *classify.View) bool { return len(doneWrites(v)) > 1 || len(unknownWrites(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, w := range unknownWrites(v) {
			if again := sentAgain(v, w); again != nil && again.Outcome == ingest.OK && foundTwice(v, w, again) {
				reportTwice(v, p, w, again)
			}
		}
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
	if classify.SameResource(a, b) {
		return false
	}
	if v.AskedAnew(a.Action.End, b.Action.Pos) || a.Contract == nil && v.NewEnvironment(a.Action.End, b.Action.Pos) {
		return false
	}
	if severalAsked(v, b) || startsAnew(v, a, b) {
		return false
	}
	for _, x := range v.EffectsIn(a.Action.Pos, b.Action.Pos) {
		if x.Undoes(a) || x.Reveals(a) && fellThrough(a, x) {
			return false
		}
	}
	if a.Append {
		return unknownBefore(v, a, b)
	}
	return true
}

// foundTwice reports that a look-up after the second dispatch shows two
// effects: the text that names the intent stands in its answer twice.
func foundTwice(v *classify.View, w, again *classify.Effect) bool {
	name := longestText(w.Identity)
	for _, x := range v.EffectsIn(again.Action.Pos, v.End()+1) {
		if !x.Reveals(w) {
			continue
		}
		if len(name) >= 8 && strings.Count(x.Action.Output(), name) > 1 || listed(x.Action.Output(), w.Identity, again) > 1 {
			return true
		}
	}
	return false
}

// longestText is the longest string among the values of an identity.
func longestText(identity string) string {
	var fields map[string]jsontext.Value
	if json.Unmarshal([]byte(identity), &fields) != nil {
		return ""
	}
	best := ""
	for _, v := range fields {
		if s := ingest.TextOf(v); len(s) > len(best) || len(s) == len(best) && s < best {
			best = s
		}
	}
	return best
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
