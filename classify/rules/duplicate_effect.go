package rules

import (
	"fmt"
	"slices"
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
		for _, second := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if !done(second) || !v.Owns(second.Action) || !judged(v, second) {
				continue
			}
			if first := doneFirst(v, second); first != nil && twice(v, first, second) {
				reportTwice(v, p, first, second)
			}
		}
	},
}

// done reports an external write that succeeded and is not safe to repeat.
func done(x *classify.Effect) bool {
	return x.Writes() && x.Outcome == ingest.OK && !x.Repeatable
}

// doneWrites are those of the thread.
func doneWrites(v *classify.View) []*classify.Effect {
	return classify.Once(&v.Facts, "done writes", func() []*classify.Effect {
		return slices.DeleteFunc(slices.Clone(v.Effects), func(x *classify.Effect) bool { return !done(x) })
	})
}

// doneFirst is the latest done write before another of the same intent.
func doneFirst(v *classify.View, second *classify.Effect) *classify.Effect {
	for _, first := range slices.Backward(second.BeforeIn(v.Alike(second))) {
		if done(first) {
			return first
		}
	}
	return nil
}

// twice decides whether two successes of one intent are two effects.
func twice(v *classify.View, a, b *classify.Effect) bool {
	if classify.SameResource(a, b) {
		return false
	}
	if a.Contract == nil && v.Run.OnlyCalls() { // whoever asked for them does not show
		return false
	}
	if v.AskedAnew(a.Action.End, b.Action.Pos) || a.Contract == nil && v.NewEnvironment(a.Action.End, b.Action.Pos) {
		return false
	}
	if severalAsked(v, b) || startsAnew(v, a, b) {
		return false
	}
	if len(v.Undoing(a, a.Action.Pos, b.Action.Pos)) > 0 {
		return false
	}
	if slices.ContainsFunc(v.Revealing(a, a.Action.Pos, b.Action.Pos), func(x *classify.Effect) bool { return fellThrough(a, x) }) {
		return false
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
	for _, x := range v.Revealing(w, again.Action.Pos, v.End()+1) {
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
	for _, x := range v.Alike(a) {
		if x.Action.Pos >= b.Action.Pos {
			break
		}
		if x.Writes() && x.Outcome == ingest.Unknown {
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
		Message:   fmt.Sprintf("%s succeeded twice for one intended effect, and nothing was undone between%s", what(b), spacing(a, b)),
		Structure: []string{tool(b), string(b.Verb), b.Resource},
	})
}
