package handover

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/todo"
	"github.com/faultline-dev/faultline/ingest"
)

// Diff sets what was true before a hand-over beside what it said and what came
// after it.
type Diff struct {
	Run      string     `json:"run"`
	Boundary string     `json:"boundary"` // compaction, resume, continuation or run
	At       ingest.Ref `json:"at"`
	Before   []Fact     `json:"before"`
	Said     []Fact     `json:"said"`
	After    []Fact     `json:"after"` // the first act and the first change
	// Duplicates is the number of actions behind it that did finished work
	// again.
	Duplicates int `json:"duplicates"`
	// Findings are what the rules say of the part that rests on it.
	Findings []classify.Finding `json:"findings"`
}

// Fact is one thing that is said or shown.
type Fact struct {
	What string      `json:"what"` // "check", "commit", "uncommitted", "server", "open item", "file", …
	Text string      `json:"text"`
	At   *ingest.Ref `json:"at,omitzero"`
}

// mostFacts bounds what is listed of one kind; the last ones count most.
const mostFacts = 20

// Diffs compares at each hand-over of a run. Repeats are the actions that did
// finished work again, found the findings of the run's verdict.
func Diffs(v *classify.View, repeats []*classify.Action, found []classify.Finding) []Diff {
	var out []Diff
	for _, h := range Find(v) {
		d := Diff{Run: v.Run.ID, Boundary: h.Boundary.Kind, At: h.Boundary.Cite.Run.Ref(h.Boundary.Cite.Event),
			Before: facts(Before(v, h.Begin)), Said: h.said(), After: h.after()}
		for _, a := range repeats {
			if a.Pos >= h.Begin && a.Pos < h.Until() {
				d.Duplicates++
			}
		}
		d.Findings = h.concerns(found)
		out = append(out, d)
	}
	return out
}

func facts(s State) []Fact {
	var out []Fact
	for _, c := range tail(s.Checks) {
		out = append(out, fact("check "+string(c.Status), c.Title(), c.Event))
	}
	for _, a := range tail(s.Commits) {
		out = append(out, fact("commit", brief(a), a.Cite()))
	}
	for _, c := range tail(s.Uncommitted) {
		out = append(out, fact("uncommitted", c.Path, c.Action.Cite()))
	}
	for _, a := range tail(s.Servers) {
		out = append(out, fact("running", brief(a), a.Cite()))
	}
	for _, t := range tail(s.Todos) {
		out = append(out, fact(string(t.State)+" item", t.Text, t.Action.Cite()))
	}
	for _, a := range tail(s.Unknown) {
		out = append(out, fact("unknown", brief(a), a.CiteEnd()))
	}
	return out
}

func tail[T any](list []T) []T { return list[max(0, len(list)-mostFacts):] }

func fact(what, text string, at classify.Cite) Fact {
	f := Fact{What: what, Text: classify.Clip(text, 120)}
	if at.Event != nil {
		ref := at.Run.Ref(at.Event)
		f.At = &ref
	}
	return f
}

func brief(a *classify.Action) string {
	if a.Shell != "" {
		return a.Shell
	}
	return strings.TrimSpace(a.Tool + " " + strings.Join(a.Paths(), " "))
}

// said are the statements, the listed items and the measures of a hand-over.
func (h *Handover) said() []Fact {
	var out []Fact
	for _, s := range h.Statements() {
		out = append(out, fact(string(s.Kind), strings.TrimSpace(s.Target+" "+s.State), s.Cite))
	}
	for _, it := range h.Items() {
		what := "open item"
		if it.State == todo.Done {
			what = "done item"
		}
		out = append(out, fact(what, strings.Join(it.Words, " "), it.Cite))
	}
	for _, m := range h.Measures() {
		out = append(out, fact("measure", m.Number+" "+m.Unit, m.Cite))
	}
	return out
}

// after are the first call and the first change behind the hand-over.
func (h *Handover) after() []Fact {
	var out []Fact
	for _, a := range h.view.ActionsIn(h.Begin-1, h.Until()) {
		if !h.view.Owns(a) {
			continue
		}
		if len(out) == 0 {
			out = append(out, fact("first call", brief(a), a.Cite()))
		}
		if len(a.Changes()) > 0 || slices.ContainsFunc(a.Effects(), (*classify.Effect).Writes) {
			return append(out, fact("first change", brief(a), a.Cite()))
		}
	}
	return out
}

// concerns picks the findings of the handoff layer that cite an event which
// rests on the hand-over.
func (h *Handover) concerns(found []classify.Finding) []classify.Finding {
	at := map[ingest.Ref]bool{}
	for pos := h.Boundary.Pos; pos < h.Until(); pos++ {
		if c := h.view.Event(pos); c.Event != nil {
			at[c.Run.Ref(c.Event)] = true
		}
	}
	if h.Record != nil {
		at[h.Record.Cite.Run.Ref(h.Record.Cite.Event)] = true
	}
	out := []classify.Finding{}
	for _, f := range found {
		if f.Layer == classify.Handoff && slices.ContainsFunc(f.Refs, func(r ingest.Ref) bool { return at[r] }) {
			out = append(out, f)
		}
	}
	return out
}
