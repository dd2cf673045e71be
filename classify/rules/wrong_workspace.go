package rules

import (
	"fmt"
	"path"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/ingest"
)

var wrongWorkspace = classify.Rule{
	Name:    "acceptance/wrong-workspace",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "The check ran on another tree, host, server or build than the one that was edited",
		Text:     "The last green result of a check comes from a place that does not hold the change: another worktree or clone, a machine to which nothing was sent, a public server to which nothing was deployed, an image or a served build that is older than the edit. It says nothing about the work that was accepted.",
		Fires:    "The edit is in the worktree giftwrap; `cd ../main && pytest` is green; \"36 tests pass\".",
		NearMiss: "A folder of the same tree, a link or mount to it, work that was merged, pushed, copied or deployed before the check, a server that was rebuilt and restarted or that reloads by itself, a place of which nothing is known.",
		Occasion: "an accepted episode with a change and a green check",
		Needs:    "tool calls with their commands",
		Owner:    classify.Acceptance,
		Change:   "Run acceptance checks from the harness, in the candidate's own tree, against a build made from it.",
		Metric:   "accepted tasks whose check did not see the change",
	},
	Occasion: func(v *classify.View) bool { return len(v.AcceptedAfterChange()) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.AcceptedAfterChange() {
			changes := localChanges(v, e)
			for _, c := range lastResults(v, e) {
				if c.Action == nil || c.Status != classify.Green || c.Kind != runner.Test {
					continue
				}
				edit := lastRead(changes, c)
				if edit == nil {
					continue
				}
				if where, by := elsewhere(v, e, c, edit); where != "" && !sameKindHere(v, e, c, edit) {
					reportElsewhere(p, e, c, edit, where, by)
				}
			}
		}
	},
}

// localChanges are the edits of an episode that a check should see.
func localChanges(v *classify.View, e *classify.Episode) []*classify.Change {
	return slices.DeleteFunc(slices.Clone(v.CandidateChanges(e)), func(c *classify.Change) bool {
		return harmless(c) || c.Path == "." || isTestFile(c.Path)
	})
}

// lastRead is the last edit before a check that it could read.
func lastRead(changes []*classify.Change, c *classify.Check) *classify.Change {
	i, _ := slices.BinarySearchFunc(changes, c.Start, func(ch *classify.Change, pos int) int { return ch.Action.Pos - pos })
	for n, ch := range slices.Backward(changes[:i]) {
		if i-n > mostChecks {
			break
		}
		if c.Covers(path.Base(ch.Path)) {
			return ch
		}
	}
	return nil
}

// elsewhere tells in which respect a check looked at something else than what
// was edited, and the event that shows it.
func elsewhere(v *classify.View, e *classify.Episode, c *classify.Check, edit *classify.Change) (string, classify.Cite) {
	cmd := commandOf(c)
	if cmd == nil {
		return "", classify.Cite{}
	}
	carried := carrying(v).Any(edit.Action.Pos, c.Start+1) || carries(edit.Action)
	switch remote := onHost(c, cmd); {
	case remote && !carried && !deployed(v, edit.Action.Pos, c.Start+1):
		return "host", c.Action.Cite()
	case remote:
		return "", classify.Cite{}
	case otherTree(v, c, edit) && !carried:
		return "worktree", edit.Action.Cite()
	}
	if image := imageOf(cmd); image != "" {
		if built := lastBuilt(v, image, c.Start); built != nil && built.Pos < edit.Action.Pos {
			return "image", built.Cite()
		}
		return "", classify.Cite{}
	}
	server := serverOf(c, cmd)
	switch {
	case server == "":
	case public(server):
		if !carried && !deployed(v, edit.Action.Pos, c.Start+1) {
			return "server", c.Action.Cite()
		}
	default:
		if served := staleServed(v, server, edit.Action.Pos, c.Start); served != nil {
			return "build", served.Cite()
		}
	}
	return "", classify.Cite{}
}

// deployed reports an external write between two points: a deployment, or what
// may be one.
func deployed(v *classify.View, after, before int) bool {
	return slices.ContainsFunc(v.EffectsIn(after, before), func(x *classify.Effect) bool {
		return x.Class != effect.Read && x.Class != effect.LocalWrite && x.Outcome != ingest.Fail
	})
}

// otherTree reports that the check ran in one proven working tree and the edit
// lies in another.
func otherTree(v *classify.View, c *classify.Check, edit *classify.Change) bool {
	roots := trees(v)
	if len(roots) < 2 {
		return false
	}
	at := treeOf(roots, absolute(c.Action, c.Dir, c.Dir))
	of := treeOf(roots, absolute(edit.Action, edit.Path, edit.Path))
	return at != "" && of != "" && at != of
}

// sameKindHere reports that a check of the same kind was green after the edit
// in a place of which nothing speaks against it.
func sameKindHere(v *classify.View, e *classify.Episode, c *classify.Check, edit *classify.Change) bool {
	all := lastResults(v, e)
	return slices.ContainsFunc(all[max(0, len(all)-mostChecks):], func(d *classify.Check) bool {
		if d == c || d.Kind != c.Kind || d.Status != classify.Green || d.Start < edit.Action.Pos || d.Action == nil {
			return false
		}
		where, _ := elsewhere(v, e, d, edit)
		return where == "" && d.Covers(path.Base(edit.Path))
	})
}

func reportElsewhere(p *classify.Pass, e *classify.Episode, c *classify.Check, edit *classify.Change, where string, by classify.Cite) {
	what := map[string]string{
		"host":     "ran on another machine, to which nothing was sent after %s was changed",
		"worktree": "ran in another working tree than the one in which %s was changed",
		"image":    "ran in an image that was built before %s was changed",
		"server":   "ran against a public server, to which nothing was deployed after %s was changed",
		"build":    "ran against a build that was made before %s was changed",
	}[where]
	p.Report(classify.Hit{
		Severity: classify.High, Grade: e.Grade.Weaker(classify.Observed), Episode: e.Index, At: c.Pos,
		Cite:      []classify.Cite{c.Event, edit.Action.Cite(), by, e.At},
		Message:   fmt.Sprintf("%q "+what, c.Title(), classify.Clip(edit.Path, 60)),
		Structure: []string{where, c.Runner},
	})
}
