package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var blindRetry = classify.Rule{
	Name:    "idempotency/blind-retry",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A write with an unknown outcome was sent again",
		Text:     "The reply of an external write was lost or late, so the effect may exist. The same intended effect was dispatched again without a look-up between and without the same application-owned operation id: it may now exist twice.",
		Fires:    "create_order times out; create_order with the same arguments follows at once.",
		NearMiss: "A look-up first; the same operation id; a rejected call corrected and sent again; setting the same value; reads; local targets.",
		Occasion: "an external write with an unknown outcome",
		Needs:    "calls with arguments and results",
		Owner:    classify.Idempotency,
		Change:   "Persist an operation id before dispatch and send it with every attempt, or look the effect up before the next attempt.",
		Metric:   "writes sent again after an unknown outcome without a look-up",
	},
	Occasion: func(v *classify.View) bool { return len(unknownWrites(v)) > 0 || len(operations(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, w := range unknownWrites(v) {
			if again := sentAgain(v, w); again != nil && !lookedUp(v, w, again.Action.Pos) {
				reportRetry(v, p, w, again)
			}
		}
		for _, op := range operations(v) {
			blindDispatch(v, p, op)
		}
	},
}

// unknownWrites are the external writes of the run whose outcome is unknown
// and that are not safe to repeat.
func unknownWrites(v *classify.View) []*classify.Effect {
	return slices.DeleteFunc(slices.Clone(openWrites(v)), func(x *classify.Effect) bool { return x.Repeatable })
}

// judged reports that the effect's episode may get findings.
func judged(v *classify.View, x *classify.Effect) bool {
	e := v.EpisodeAt(x.Action.Pos)
	return e != nil && !e.Open
}

// sentAgain is the first later dispatch of the same intent in the thread.
func sentAgain(v *classify.View, w *classify.Effect) *classify.Effect {
	for _, x := range w.After(v.Alike(w)) {
		if x.Action.Pos <= w.Action.Pos || !x.Writes() || x.Action.Overlaps(w.Action) {
			continue
		}
		if w.OperationID != "" && w.OperationID == x.OperationID {
			return nil
		}
		if v.AskedAnew(w.Action.End, x.Action.Pos) {
			return nil
		}
		return x
	}
	return nil
}

// lookedUp reports that a look-up that could tell lies between a write and a
// later point.
func lookedUp(v *classify.View, w *classify.Effect, before int) bool {
	return len(v.Revealing(w, w.Action.Pos, before)) > 0
}

func reportRetry(v *classify.View, p *classify.Pass, w, again *classify.Effect) {
	e := v.EpisodeAt(w.Action.Pos)
	p.Report(classify.Hit{
		Severity: classify.High, Grade: w.Grade(), Episode: e.Index, At: again.Action.Pos,
		Cite:      []classify.Cite{again.Action.Cite(), w.Action.Cite(), w.Action.CiteEnd()},
		Message:   fmt.Sprintf("%s was sent again after an unknown outcome (%s), without a look-up and without an operation id%s", what(w), reason(w), spacing(w, again)),
		Structure: []string{tool(w), string(w.Verb), w.Resource},
	})
}

// what names an effect for a message.
func what(x *classify.Effect) string {
	return fmt.Sprintf("%q", classify.Clip(tool(x), 40))
}

// tool is the tool's or command's name, for messages and fingerprints.
func tool(x *classify.Effect) string {
	if x.Action.Kind == classify.RunsShell {
		return string(x.Verb) + " " + x.Resource
	}
	return x.Action.Tool
}

func reason(x *classify.Effect) string {
	switch x.Action.Reason {
	case ingest.TimedOut:
		return "timed out"
	case ingest.Lost:
		return "no reply"
	case ingest.Interrupted:
		return "interrupted"
	}
	return "reply lost"
}
