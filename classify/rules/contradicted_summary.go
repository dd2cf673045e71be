package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

var contradictedSummary = classify.Rule{
	Name:    "handoff/contradicted-summary",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The summary or record says what the events before it deny",
		Text:     "What was handed over gives a check as green whose last run was red, something as committed that was not, an item as done that is open or as open that is done, or a measure that nothing before it shows; and what follows rests on it.",
		Fires:    "The last test run before compaction is red; the summary says that all 31 tests pass; the changelog is written.",
		NearMiss: "True at the time; the summary discloses the failure; checked again before anything rests on it; an estimate; a number that something before it printed.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Let the harness add results, commits and items from its own log, and the model only the prose.",
		Metric:   "statements of summaries that the log denies",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		walk := v.Todos()
		for _, h := range handover.Find(v) {
			walk.To(h.Begin)
			if h.Next() < 0 {
				continue
			}
			deniedClaims(v, p, h)
			deniedItems(v, p, h, walk)
			deniedRecord(v, p, h)
		}
		unsourced(v, p)
	},
}

// denied is a statement with the event that denies it.
type denied struct {
	said, by classify.Cite
	grade    classify.Grade
	what     string
	kind     string
}

func (d denied) report(v *classify.View, p *classify.Pass, h *handover.Handover, pos int) {
	e := v.EpisodeAt(max(h.Next(), 0))
	if e == nil || e.Open {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: d.grade, Episode: e.Index, At: pos,
		Cite:      []classify.Cite{d.said, d.by, h.Boundary.Cite},
		Message:   d.what,
		Structure: []string{h.Boundary.Kind, d.kind},
	})
}

// deniedClaims compares claims of green tests and of commits with the last
// result before the hand-over.
func deniedClaims(v *classify.View, p *classify.Pass, h *handover.Handover) {
	for _, t := range h.Texts {
		st := claim.Read(t.Text)
		for _, c := range st.Claims {
			if c.Negated || c.Kind != claim.TestsPass && c.Kind != claim.Committed {
				continue
			}
			if c.Kind == claim.TestsPass && !failsNowhere(st) {
				continue
			}
			by, what := denialOf(v, h, c, t.Text)
			if by.Event == nil {
				continue
			}
			denied{t.Cite, by, t.Grade(), what, string(c.Kind)}.report(v, p, h, t.Pos)
			break
		}
	}
}

// failsNowhere reports that a text admits no failing or skipped check.
func failsNowhere(st claim.Statement) bool {
	return !slices.ContainsFunc(st.Disclosed, func(d claim.Disclosure) bool {
		return d.Gap == claim.Failing || d.Gap == claim.Skipped || d.Gap == claim.NotRun
	})
}

func denialOf(v *classify.View, h *handover.Handover, c claim.Claim, text string) (classify.Cite, string) {
	if c.Kind == claim.Committed {
		return uncommittedAtAll(v, h)
	}
	if partial(c) {
		return classify.Cite{}, ""
	}
	last := lastTest(v, h.Begin)
	if last == nil || last.Status != classify.Red || retested(v, h, last) {
		return classify.Cite{}, ""
	}
	return last.Event, fmt.Sprintf("the summary says that tests pass, but the last run of %q before it was red", last.Title())
}

// partial reports a claim of some tests only: "30 of 31".
func partial(c claim.Claim) bool { return c.Number >= 0 && c.Total > c.Number }

// lastTest is the last test run before a position that showed a result.
func lastTest(v *classify.View, pos int) *classify.Check {
	tests := classify.Once(&v.Facts, "shown tests", func() []*classify.Check {
		return slices.DeleteFunc(slices.Clone(v.Checks), func(c *classify.Check) bool {
			return c.Kind != runner.Test || c.Status != classify.Red && c.Status != classify.Green
		})
	})
	i, _ := slices.BinarySearchFunc(tests, pos, func(c *classify.Check, p int) int { return c.Pos - p })
	if i == 0 {
		return nil
	}
	return tests[i-1]
}

// retested reports that after the hand-over a test runs before anything rests
// on the claim: a change of the work, a commit, an answer.
func retested(v *classify.View, h *handover.Handover, last *classify.Check) bool {
	rests := restsAt(v, h)
	return slices.ContainsFunc(v.ChecksIn(h.Begin-1, h.Until()), func(c *classify.Check) bool { return c.Start <= rests && c.Kind == last.Kind })
}

// restsAt is the position of the first act after a hand-over that builds on it:
// a change, a commit, or the last word.
func restsAt(v *classify.View, h *handover.Handover) int {
	for _, a := range v.ActionsIn(h.Begin-1, h.Until()) {
		if v.Owns(a) && a.Ran() && (changesState(a) || handover.Commits(a)) {
			return a.Pos
		}
	}
	return h.Until()
}

// uncommittedAtAll is what denies a commit: the last attempt before the
// hand-over failed, and nobody looked at the history or tried again since.
func uncommittedAtAll(v *classify.View, h *handover.Handover) (classify.Cite, string) {
	tries := classify.Once(&v.Facts, "commits", func() []*classify.Action {
		return slices.DeleteFunc(slices.Clone(v.Actions), func(a *classify.Action) bool { return !handover.Commits(a) || !a.Ran() })
	})
	i, _ := slices.BinarySearchFunc(tries, h.Begin, func(a *classify.Action, p int) int { return a.Pos - p })
	if i == 0 {
		return classify.Cite{}, ""
	}
	last := tries[i-1]
	if last.Outcome != ingest.Fail || strings.Contains(last.Output(), "nothing to commit") || strings.Contains(last.Output(), "nothing added to commit") {
		return classify.Cite{}, ""
	}
	if strings.Contains(last.Output(), " file changed") || strings.Contains(last.Output(), " files changed") {
		return classify.Cite{}, "" // it went through, and what came after it failed
	}
	if i < len(tries) && tries[i].Pos < h.Until() || looksAtHistory(v, h) || !handover.Dirty(v, h.Begin) {
		return classify.Cite{}, ""
	}
	return last.CiteEnd(), "the summary says that the work is committed, but the last commit before it failed"
}

// looksAtHistory reports that the run asks git for its state after the hand-over.
func looksAtHistory(v *classify.View, h *handover.Handover) bool {
	for _, a := range v.ActionsIn(h.Begin-1, h.Until()) {
		for _, c := range a.Commands {
			if sub, _, ok := c.Git(); ok && (sub == "status" || sub == "log" || sub == "diff" || sub == "show") {
				return true
			}
		}
	}
	return false
}

// deniedItems compares what the texts list as done or open with the list that
// the events show.
func deniedItems(v *classify.View, p *classify.Pass, h *handover.Handover, walk *classify.Todos) {
	listed := h.Items()
	if len(listed) == 0 {
		return
	}
	items := standing(v, h, walk)
	for i, it := range items {
		own := ownWords(items, i)
		if len(own) == 0 {
			continue
		}
		says, against := listedAs(listed, own)
		if says == nil || against {
			continue
		}
		what := ""
		switch {
		case says.State == "done" && it.Left() && !workedOn(v, it.Pos, h.Begin):
			what = "done, but it is open"
		case says.State == "open" && it.State == "done" && !reopened(v, it.Pos, h.Begin):
			what = "open, but it was done"
		default:
			continue
		}
		if settledAfter(v, h, it, own) {
			continue
		}
		denied{says.Cite, it.Action.Cite(), says.Grade, fmt.Sprintf("the summary lists %q as %s", classify.Clip(it.Text, 60), what), "item " + string(says.State)}.report(v, p, h, says.Pos)
		return
	}
}

// standing are the items as they stand at a hand-over: those that are left, and
// those that the thread saw done.
func standing(v *classify.View, h *handover.Handover, walk *classify.Todos) []classify.TodoChange {
	out := walk.Left()
	changes := v.TodoChanges()
	i, _ := slices.BinarySearchFunc(changes, h.Begin, func(c classify.TodoChange, p int) int { return c.Pos - p })
	for k := i - 1; k >= 0 && k >= i-mostItems; k-- {
		if c := changes[k]; c.State == "done" {
			if now, ok := walk.Item(c.List, c.Key()); ok && now.Pos == c.Pos && now.State == "done" {
				out = append(out, c)
			}
		}
	}
	return out
}

// mostItems bounds how many closed items before a hand-over are looked at.
const mostItems = 100

// ownWords are the words by which an item differs from all others.
func ownWords(items []classify.TodoChange, i int) []string {
	words := handover.Words(items[i].Text)
	for k, other := range items {
		if k != i {
			have := handover.Words(other.Text)
			words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(have, w) })
		}
	}
	return words
}

// listedAs finds the entry that names an item by all its own words and little
// else, and reports whether the text also lists it otherwise.
func listedAs(listed []handover.Listed, own []string) (says *handover.Listed, against bool) {
	for i := range listed {
		l := &listed[i]
		n := 0
		for _, w := range own {
			if slices.Contains(l.Words, w) {
				n++
			}
		}
		switch {
		case n == 0:
		case says == nil && n == len(own) && len(l.Words) <= len(own)+3:
			says = l
		case says == nil || l.State != says.State:
			against = true
		}
	}
	return says, against
}

// workedOn reports that something was done between two points.
func workedOn(v *classify.View, after, before int) bool {
	return slices.ContainsFunc(v.ActionsIn(after, before), func(a *classify.Action) bool {
		return a.Ran() && a.Kind != classify.Notes && !a.ReadOnly()
	})
}

// reopened reports that something between two points may have opened an item
// again: a request, or a red check.
func reopened(v *classify.View, after, before int) bool {
	return v.UserSpoke().Any(after, before) || slices.ContainsFunc(v.ChecksIn(after, before), func(c *classify.Check) bool { return c.Status != classify.Green })
}

// settledAfter reports that after the hand-over the item is looked at, or the
// list is put right.
func settledAfter(v *classify.View, h *handover.Handover, it classify.TodoChange, own []string) bool {
	for _, a := range v.ActionsIn(h.Begin-1, h.Until()) {
		if a.Kind == classify.Notes || !a.Ran() {
			continue
		}
		text := strings.ToLower(a.Shell + " " + string(a.Args))
		if slices.ContainsFunc(own, func(w string) bool { return strings.Contains(text, w) }) {
			return true
		}
	}
	changes := v.TodoChanges()
	i, _ := slices.BinarySearchFunc(changes, h.Begin, func(c classify.TodoChange, p int) int { return c.Pos - p })
	for _, c := range changes[i:] {
		if c.Pos >= h.Until() {
			break
		}
		if alikeItems(handover.Words(it.Text), c.Text) && !c.Gone {
			return c.State == it.State || it.Left() && c.Left()
		}
	}
	return false
}
