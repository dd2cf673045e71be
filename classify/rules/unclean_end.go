package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/ingest"
)

var uncleanEnd = classify.Rule{
	Name:    "handoff/unclean-end",
	Highest: classify.Low,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The run ended in the middle of an operation and left no word of its state",
		Text:     "The last call never finished, what was changed before it is in no commit, and no note or message says what is done and what is not. Whoever goes on has to find out.",
		Fires:    "Two files are edited, a migration is started, the terminal is closed.",
		NearMiss: "Nothing was changed; all of it is committed; a progress note or a message tells the state; the unfinished tail of a live log.",
		Occasion: "a run that stopped without a closing text",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Write a progress note before each long operation, and commit what is finished.",
		Metric:   "runs that end in the middle of an operation with a dirty tree",
	},
	Occasion: func(v *classify.View) bool { return stoppedEpisode(v) != nil },
	Check: func(v *classify.View, p *classify.Pass) {
		a := unfinished(v)
		if a == nil {
			return
		}
		dirty := slices.DeleteFunc(handover.Uncommitted(v, a.Pos), func(c *classify.Change) bool { return c.Action.Pos < v.Start() })
		if len(dirty) == 0 || noted(v, dirty, a) {
			return
		}
		e := stoppedEpisode(v)
		last := dirty[len(dirty)-1]
		p.Report(classify.Hit{
			Severity: classify.Low, Grade: classify.Observed, Episode: e.Index, At: a.Pos,
			Cite:      []classify.Cite{a.Cite(), last.Action.Cite()},
			Message:   fmt.Sprintf("the run ends in the middle of %s, with uncommitted changes and no note", describe(a)),
			Structure: []string{a.Tool, commandClass(a)},
		})
	},
}

// stoppedEpisode is the last episode of a run that ended without a closing text or a
// stated success, nil for any other. The tail of a live log has not ended.
func stoppedEpisode(v *classify.View) *classify.Episode {
	if len(v.Episodes) == 0 {
		return nil
	}
	e := v.Episodes[len(v.Episodes)-1]
	if e.Open || e.Accepted {
		return nil
	}
	for i := e.Episode.Last; i >= e.First; i-- {
		ev := &v.Run.Events[i]
		if ev.Copied || ev.Agent != "" {
			continue
		}
		switch ev.Kind {
		case ingest.ToolCall, ingest.ToolResult, ingest.ModelCall:
			return e
		case ingest.Message:
			if ev.Actor == ingest.Agent {
				return nil
			}
		}
	}
	return nil
}

// unfinished is the run's last call, when nothing came back and it was no look.
func unfinished(v *classify.View) *classify.Action {
	var last *classify.Action
	for _, a := range v.EpisodeActions(stoppedEpisode(v)) {
		if a.Run == v.Run && a.Kind != classify.Notes {
			last = a
		}
	}
	if last == nil || last.ReadOnly() || last.Kind == classify.Delegates {
		return nil
	}
	if last.Outcome != ingest.Unknown || last.Reason != ingest.Lost && last.Reason != ingest.Interrupted {
		return nil
	}
	if last.Kind == classify.Other && effect.FromTool(last.Tool, last.Args).Class == effect.Read {
		return nil
	}
	return last
}

// noted reports that a note was written after the last of the changes, or that
// a message of the agent tells of one of the files or of what is left.
func noted(v *classify.View, dirty []*classify.Change, until *classify.Action) bool {
	last := -1
	for _, c := range dirty {
		if isHandoffFile(v, c.Path) {
			return true
		}
		last = max(last, c.Action.Pos)
	}
	for pos := last + 1; pos < until.Pos; pos++ {
		c := v.Event(pos)
		if c.Event == nil || c.Event.Kind != ingest.Message || c.Event.Actor != ingest.Agent {
			continue
		}
		text := c.Run.Text(c.Event)
		if len(claim.Read(text).Disclosed) > 0 || slices.ContainsFunc(dirty, func(d *classify.Change) bool { return strings.Contains(text, path.Base(d.Path)) }) {
			return true
		}
	}
	return false
}
