package check

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/expect"
)

// SeenIn is what the log of a run tells of its acts, in order, and those of the
// runs of its thread before it: an effect may have happened there. Fired and
// Abstained come from its verdict; without one no rule counts as having judged.
func SeenIn(v *classify.View, verdict *classify.Verdict) expect.Seen {
	w := watcher{v: v}
	w.actions()
	w.checks()
	w.events()
	w.boundaries()
	w.acceptance()
	slices.SortStableFunc(w.acts, func(a, b placed) int { return cmp.Compare(a.pos, b.pos) })
	s := expect.Seen{Kinds: kinds(v)}
	for _, a := range w.acts {
		s.Acts = append(s.Acts, a.Act)
	}
	if verdict != nil {
		s.Judged = true
		for _, f := range verdict.Findings {
			s.Fired = append(s.Fired, expect.Fired{Rule: f.Rule, Fingerprint: f.Fingerprint, Ref: refText(f.Refs)})
		}
		for _, a := range verdict.Abstentions {
			s.Abstained = append(s.Abstained, a.Rule)
		}
	}
	return s
}

// kinds are what the sources of a run can show.
func kinds(v *classify.View) []expect.ActKind {
	out := []expect.ActKind{expect.ProviderStop, expect.Asked, expect.Crossed}
	if v.Has(ingest.HasTools) {
		out = append(out, expect.Called, expect.Changed)
	}
	if v.Has(ingest.HasTools | ingest.HasResults) {
		out = append(out, expect.Checked)
	}
	if v.Has(ingest.HasApprovals) {
		out = append(out, expect.Refused)
	}
	recorded := slices.ContainsFunc(v.Episodes, func(e *classify.Episode) bool { return e.Record != nil })
	if v.Has(ingest.HasEnds) || recorded {
		out = append(out, expect.Accepted)
	}
	if recorded {
		out = append(out, expect.Reviewed)
	}
	return out
}

type placed struct {
	expect.Act
	pos int
}

// watcher collects acts with the positions of their events.
type watcher struct {
	v    *classify.View
	acts []placed
}

func (w *watcher) add(pos int, at classify.Cite, a expect.Act) {
	if at.Run != nil && at.Event != nil {
		a.Ref = refText([]ingest.Ref{at.Run.Ref(at.Event)})
	}
	w.acts = append(w.acts, placed{a, pos})
}

func refText(refs []ingest.Ref) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0].File + ":" + strconv.Itoa(refs[0].Line)
}

func (w *watcher) actions() {
	for _, a := range w.v.ActionsIn(-1, w.v.End()+1) {
		act := expect.Act{Kind: expect.Called, Tool: a.Tool, Command: a.Shell, Args: object(a.Args), Outcome: string(a.Outcome), Looks: a.ReadOnly() || a.Checks()}
		for _, e := range a.Effects() { // what the reply says goes before the flag of the call
			act.Outcome = string(e.Outcome)
		}
		if !a.Ran() {
			act.Kind = expect.Refused
		}
		w.add(a.Pos, a.Cite(), act)
	}
	for _, c := range w.v.ChangesIn(-1, w.v.End()+1) {
		if c.Candidate() && !c.Cosmetic && c.Action.Outcome != ingest.Fail {
			w.add(c.Action.Pos, c.Action.Cite(), expect.Act{Kind: expect.Changed, Args: map[string]any{"path": c.Path}})
		}
	}
}

func (w *watcher) checks() {
	for _, c := range w.v.ChecksIn(-1, w.v.End()+1) {
		act := expect.Act{Kind: expect.Checked, Tool: c.Name, Command: c.Title(), Outcome: string(ingest.Unknown)}
		switch {
		case c.Status == classify.Green && c.Masked == "":
			act.Outcome = string(ingest.OK)
		case c.Status == classify.Red, c.Status == classify.Nothing:
			act.Outcome = string(ingest.Fail)
		}
		w.add(c.Pos, c.Event, act)
	}
}

func (w *watcher) events() {
	for i := range w.v.Run.Events {
		e := &w.v.Run.Events[i]
		if e.Copied {
			continue
		}
		at, pos := classify.Cite{Run: w.v.Run, Event: e}, w.v.PosOf(w.v.Run, i)
		switch {
		case e.Kind == ingest.Message && e.Actor == ingest.User:
			w.add(pos, at, expect.Act{Kind: expect.Requested})
		case e.StopsForSafety():
			w.add(pos, at, expect.Act{Kind: expect.ProviderStop})
		case e.Kind == ingest.ModelCall, e.Kind == ingest.Request && e.Name == "model":
			w.add(pos, at, expect.Act{Kind: expect.Asked})
		}
	}
}

func (w *watcher) boundaries() {
	for _, b := range w.v.Boundaries {
		if b.Pos <= w.v.End() {
			w.add(b.Pos-1, b.Cite, expect.Act{Kind: expect.Crossed})
		}
	}
}

func (w *watcher) acceptance() {
	for _, e := range w.v.Episodes {
		switch {
		case e.Accepted && e.Grade != classify.Inferred:
			w.add(e.Last, e.At, expect.Act{Kind: expect.Accepted})
		case e.Record != nil && (e.Record.Completion.Decision == "eligible" || e.Record.Completion.Decision == "open"):
			w.add(e.Last, e.At, expect.Act{Kind: expect.Reviewed})
		}
	}
}

// object is the arguments as a map; nil where they are no object.
func object(v jsontext.Value) map[string]any {
	var m map[string]any
	if len(v) == 0 || json.Unmarshal(v, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return m
}
