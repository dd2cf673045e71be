package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var openItems = classify.Rule{
	Name:    "acceptance/open-items",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "Done was claimed with open items, or an item was set to passing untried",
		Text:     "The agent's own list still holds open items when it claims to be done and nothing shows that they were worked on; or a feature was set to passing with no end-to-end check after its last edit.",
		Fires:    "The last state of the list has the third item pending, nothing was done for it, and the closing text calls everything complete.",
		NearMiss: "An item that the user dropped, or that was closed later; an answer that names what is open; the last item whose work is visibly done.",
		Occasion: "an accepted episode with a list of items, or a feature that was set to passing",
		Needs:    "tool calls, and their results for a feature",
		Owner:    classify.Acceptance,
		Change:   "Refuse to end while an item is open, and let the harness set a feature to passing from its own check.",
		Metric:   "accepted episodes with open items",
	},
	Occasion: func(v *classify.View) bool { return len(v.TodoChanges()) > 0 || len(flipsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			reportOpenItems(v, p, e)
		}
		reportFlips(v, p)
	},
}

func reportOpenItems(v *classify.View, p *classify.Pass, e *classify.Episode) {
	left := itemsLeft(v, e)
	if len(left.items) == 0 || !e.Accepted || e.Discloses() || e.Statement.Asks || e.Statement.Announces || handsOver(e) || wrapsUpOpen(v, e) {
		return
	}
	severity := classify.Medium
	if v.Grader.Accepted() || workAfter(v, left.last.Action, e.AtPos) >= len(left.items) {
		severity = classify.Low // what is left is done, or may be
	}
	p.Report(classify.Hit{
		Severity: severity, Grade: e.Grade, Episode: e.Index, At: e.AtPos,
		Cite:      []classify.Cite{e.At, left.last.Action.Cite(), left.items[0].Action.Cite()},
		Message:   fmt.Sprintf("done was claimed with %d open item(s): %q", len(left.items), classify.Clip(left.items[0].Text, 60)),
		Structure: []string{"list"},
	})
}

// handsOver reports that the closing text asks the user to act, or asks
// something in one of its paragraphs.
func handsOver(e *classify.Episode) bool {
	if slices.ContainsFunc(e.Statement.Disclosed, func(d claim.Disclosure) bool { return d.Gap == claim.NeedsUser }) {
		return true
	}
	if e.Closing.Event == nil {
		return false
	}
	for paragraph := range strings.SplitSeq(e.Closing.Run.Text(e.Closing.Event), "\n\n") {
		if claim.Read(paragraph).Asks {
			return true
		}
	}
	return false
}

func wrapsUpOpen(v *classify.View, e *classify.Episode) bool {
	return e.Closing.Event != nil && wrapsUp(v, e)
}

// workAfter counts the calls between the last change of a list and a point that
// may each have done an item.
func workAfter(v *classify.View, list *classify.Action, before int) (n int) {
	for _, a := range v.ActionsIn(list.Pos, before+1) {
		if a.Ran() && a.Outcome != ingest.Fail && mayDoItem(a) {
			n++
		}
	}
	return n
}

func mayDoItem(a *classify.Action) bool {
	for _, c := range a.Changes() {
		if c.Candidate() {
			return true
		}
	}
	return a.Checks() || mayRunCode(a) || slices.ContainsFunc(a.Effects(), (*classify.Effect).Writes) || slices.ContainsFunc(a.Commands, keepsOrPublishes)
}

// publishing are the subcommands of git that keep work or hand it on.
var publishing = wordSet("commit push merge tag rebase cherry-pick")

func keepsOrPublishes(c shell.Command) bool {
	sub, _, ok := c.Git()
	return ok && publishing[sub]
}

// reportFlips reports features that were set to passing with nothing between
// their last edit and that which could have tried them.
func reportFlips(v *classify.View, p *classify.Pass) {
	flips := flipsOf(v)
	if len(flips) == 0 {
		return
	}
	tried, called := triedPlaces(v, false), triedPlaces(v, true)
	for _, a := range flips {
		e := v.EpisodeAt(a.Pos)
		if !v.Owns(a) || e == nil || e.Open {
			continue
		}
		edit := lastFeatureEdit(v, a)
		from := -1
		if edit != nil {
			from = edit.Action.Pos
		}
		switch {
		case tried.Any(from, a.Pos) && v.Has(ingest.HasResults):
			continue
		case !v.Has(ingest.HasResults) && called.Any(from, a.Pos):
			p.Abstain("results of tool calls")
			continue
		}
		cites := []classify.Cite{a.Cite()}
		if edit != nil {
			cites = append(cites, edit.Action.Cite())
		}
		p.Report(classify.Hit{
			Severity: classify.Medium, Grade: classify.Observed, Episode: e.Index, At: a.Pos,
			Cite:      cites,
			Message:   "a feature was set to passing with no end-to-end check after the last edit",
			Structure: []string{"flip"},
		})
	}
}
