package handover

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// Handover is one point of a run at which what was known is handed on.
type Handover struct {
	Boundary classify.Boundary // the first at this point, a stated one before others
	Begin    int               // position of the first event after the boundary
	End      int               // position of the last text that was handed over; what comes later rests on it
	Texts    []Text            // in order
	Record   *classify.Record  // the Handoff record for the run that goes on, nil when there is none

	view  *classify.View
	known *known
}

// Text is one text that was handed over.
type Text struct {
	Text string
	Cite classify.Cite
	Pos  int
	// Stated: the source marks it as a summary or as the text of a boundary.
	Stated bool
}

// Grade is how sure it is that the text was handed over.
func (t Text) Grade() classify.Grade {
	if t.Stated {
		return classify.Observed
	}
	return classify.Inferred
}

// Find lists the hand-overs after which the run goes on, in order. A run that
// began while an earlier run of its thread still went on took nothing over.
func Find(v *classify.View) []*Handover {
	return classify.Once(&v.Own, "handovers", func() []*Handover {
		acts := Acts(v)
		known := knownOf(v)
		var out []*Handover
		for _, b := range v.Boundaries {
			if b.Pos < v.Start() || b.Pos > v.End() || b.Kind == "run" && beside(v) {
				continue
			}
			if n := len(out); n > 0 && !acts.Any(out[n-1].Begin-1, b.Pos) {
				out[n-1].join(b)
				continue
			}
			out = append(out, &Handover{Boundary: b, Begin: b.Pos, End: b.Pos, view: v, known: known})
		}
		for _, h := range out {
			h.readTexts(acts)
		}
		return records(v, out)
	})
}

// Acts are the positions at which the run's agent calls or speaks.
func Acts(v *classify.View) classify.Positions {
	return classify.Once(&v.Own, "agent acts", func() classify.Positions {
		var out classify.Positions
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			if !e.Copied && !e.Summary && (e.Kind == ingest.ToolCall || e.Kind == ingest.Message && e.Actor == ingest.Agent) {
				out = append(out, v.Start()+i)
			}
		}
		return out
	})
}

// beside reports that an earlier run of the thread was still going on when this
// one began.
func beside(v *classify.View) bool {
	start := firstOwn(v.Run)
	for _, r := range v.Runs {
		if r == v.Run {
			return false
		}
		if start != nil && !start.At.IsZero() && r.End().After(start.At) {
			return true
		}
	}
	return false
}

func firstOwn(r *ingest.Run) *ingest.Event {
	for i := range r.Events {
		if !r.Events[i].Copied {
			return &r.Events[i]
		}
	}
	return nil
}

// join takes in a boundary at the same point. What the source states names it.
func (h *Handover) join(b classify.Boundary) {
	h.End = max(h.End, b.Pos)
	if h.Boundary.Kind == "run" || h.Boundary.Kind == "continuation" {
		h.Boundary = b
	}
}

// readTexts collects what was handed over before the agent acts again.
func (h *Handover) readTexts(acts classify.Positions) {
	r, start := h.view.Run, h.view.Start()
	next := h.view.End() + 1
	if i, _ := slices.BinarySearch(acts, h.Begin); i < len(acts) {
		next = acts[i]
	}
	for pos := h.Begin; pos < next; pos++ {
		e := &r.Events[pos-start]
		if e.Copied || e.Agent != "" || e.Text.Len == 0 {
			continue
		}
		stated := e.Summary || e.Kind == ingest.Compaction || e.Kind == ingest.Resume || e.Kind == ingest.Handoff
		if !stated && !handsOver(h.view, e, pos) {
			continue
		}
		h.Texts = append(h.Texts, Text{r.Text(e), classify.Cite{Run: r, Event: e}, pos, stated})
		h.End = pos
	}
}

// handsOver reports that a message in the user's place asks for nothing but to
// go on, and so may tell of what was before.
func handsOver(v *classify.View, e *ingest.Event, pos int) bool {
	return e.Kind == ingest.Message && e.Actor == ingest.User && !v.Asked().Any(pos-1, pos+1) && v.Run.Text(e) != goal(v)
}

// goal is the thread's first request.
func goal(v *classify.View) string {
	return classify.Once(&v.Facts, "first request", func() string {
		for _, r := range v.Runs {
			for i := range r.Events {
				if e := &r.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.User && e.Agent == "" && !e.Summary {
					return r.Text(e)
				}
			}
		}
		return ""
	})
}

// records ties the Handoff records to the hand-overs: one for a next run to its
// start, one without to the first boundary after it was written.
func records(v *classify.View, out []*Handover) []*Handover {
	for i := range v.Records {
		rec := &v.Records[i]
		h := rec.Handoff
		if h == nil {
			continue
		}
		switch {
		case h.NextRunID != "" && names(h.NextRunID, v.Run):
			if len(out) == 0 || out[0].Begin > v.Start()+1 {
				out = append([]*Handover{fromRecord(v)}, out...)
			}
			out[0].Record = rec
		case h.NextRunID == "" && names(h.RunID, v.Run) && !h.At.IsZero():
			k, _ := slices.BinarySearchFunc(out, 0, func(x *Handover, _ int) int {
				if at := x.Boundary.Cite.Event.At; at.IsZero() || at.Before(h.At) {
					return -1
				}
				return 1
			})
			if k < len(out) && out[k].Record == nil {
				out[k].Record = rec
			}
		}
	}
	return out
}

// fromRecord is the hand-over of a run that only a record ties to the one before.
func fromRecord(v *classify.View) *Handover {
	b := classify.Boundary{Kind: "run", Pos: v.Start(), Cite: v.Event(v.Start()), Run: v.Run}
	return &Handover{Boundary: b, Begin: b.Pos, End: b.Pos - 1, view: v, known: knownOf(v)}
}

func names(id string, r *ingest.Run) bool { return id == r.ID || id == r.Meta.Native }

// Next is the position of the agent's first act after the hand-over, -1 when
// there is none.
func (h *Handover) Next() int {
	acts := Acts(h.view)
	if i, _ := slices.BinarySearch(acts, h.Begin); i < len(acts) {
		return acts[i]
	}
	return -1
}

// Until is the position before which the run rests on this hand-over: that of
// the next one, or the end of the run.
func (h *Handover) Until() int {
	all := Find(h.view)
	k, _ := slices.BinarySearchFunc(all, h.Begin+1, func(x *Handover, p int) int { return cmp.Compare(x.Begin, p) })
	if k < len(all) {
		return all[k].Begin
	}
	return h.view.End() + 1
}

// Mentions reports that a text that was handed over holds the words.
func (h *Handover) Mentions(words string) bool {
	return slices.ContainsFunc(h.Texts, func(t Text) bool { return strings.Contains(t.Text, words) })
}
