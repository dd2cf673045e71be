package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var conflictingWriters = classify.Rule{
	Name:    "handoff/conflicting-writers",
	Highest: classify.Medium,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "Two live writers changed the same file or branch without seeing each other",
		Text:     "While two runs of a thread, or two sub-agents, were both at work, one wrote a file whole or forced a push over what the other had just written there, without a look at it. The earlier change is lost, and neither knows.",
		Fires:    "Two sub-agents read cart.ts as it was; both write it whole.",
		NearMiss: "Separate worktrees; the later one reads, fetches or merges first; one begins after the other has ended; edits of single places.",
		Occasion: "two runs or sub-agents at work at one time",
		Needs:    "calls with arguments, results and times",
		Owner:    classify.Handoff,
		Change:   "Give each writer a worktree or a set of files of its own, and merge by one who reads both.",
		Metric:   "files written by two live writers without a read between",
	},
	Occasion: func(v *classify.View) bool { return severalWriters(v) },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, c := range clashes(v) {
			e := v.EpisodeAt(c.second.Pos)
			if !v.Owns(c.second) || e == nil || e.Open {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.Medium, Grade: classify.Observed, Episode: e.Index, At: c.second.Pos,
				Cite:      []classify.Cite{c.second.Cite(), c.first.Cite()},
				Message:   fmt.Sprintf("%s was written over what another live writer had just written there, without a look at it", classify.Clip(c.what, 80)),
				Structure: []string{c.kind, c.second.Tool},
			})
		}
	},
}

// severalWriters reports that this run shares the time with another of its
// thread or of its sub-agents, or is one of several agents in one record.
func severalWriters(v *classify.View) bool {
	spans := spansIn(v)
	for r := range spans {
		if r != v.Run && alive(spans[r], spans[v.Run]) {
			return true
		}
	}
	agents := map[string]bool{}
	for i := range v.Run.Events {
		if e := &v.Run.Events[i]; e.Agent != "" && e.Actor == ingest.Agent {
			agents[e.Agent] = true
		}
	}
	return len(agents) > 1
}

// span is the time in which a run did something of its own.
func span(r *ingest.Run) (from, to time.Time) {
	for i := range r.Events {
		e := &r.Events[i]
		if e.Copied || e.At.IsZero() {
			continue
		}
		if from.IsZero() || e.At.Before(from) {
			from = e.At
		}
		if e.At.After(to) {
			to = e.At
		}
	}
	return from, to
}

// spansIn are the spans of the thread's runs, which are read once.
func spansIn(v *classify.View) map[*ingest.Run][2]time.Time {
	return classify.Once(&v.Facts, "spans of runs", func() map[*ingest.Run][2]time.Time {
		out := map[*ingest.Run][2]time.Time{}
		for _, r := range slices.Concat(v.Runs, v.Subs) {
			from, to := span(r)
			out[r] = [2]time.Time{from, to}
		}
		return out
	})
}

// alive reports that two spans have some time in common.
func alive(a, b [2]time.Time) bool {
	return !a[0].IsZero() && !b[0].IsZero() && a[0].Before(b[1]) && b[0].Before(a[1])
}

// clash is a write over another live writer's.
type clash struct {
	first, second *classify.Action
	what, kind    string
}

// writing is a write of a file or a push of a branch, with its time.
type writing struct {
	act    *classify.Action
	who    string
	at     time.Time
	change *classify.Change // nil for a push
	forced bool
}

// clashes are all of the thread, in order of time.
func clashes(v *classify.View) []clash {
	return classify.Once(&v.Facts, "clashes", func() []clash {
		spans := spansIn(v)
		var out []clash
		byPlace, order := writings(v)
		for _, where := range order {
			list := byPlace[where]
			slices.SortStableFunc(list, func(a, b writing) int { return a.at.Compare(b.at) })
			for i := 1; i < len(list); i++ {
				a, b := list[i-1], list[i]
				if a.who == b.who || !overlap(spans, a.act, b.act) || !blind(a, b) || sawBetween(v, a, b) {
					continue
				}
				kind, what := "file", b.what()
				if b.change == nil {
					kind, what = "branch", strings.TrimPrefix(where, "branch ")
				}
				out = append(out, clash{a.act, b.act, what, kind})
			}
		}
		return out
	})
}

func (w writing) what() string {
	if w.change == nil {
		return ""
	}
	return w.change.Path
}

// overlap reports that the writers of two calls were both at work when the
// first wrote: the second had begun, or the first went on after the second.
func overlap(spans map[*ingest.Run][2]time.Time, a, b *classify.Action) bool {
	if a.Run == b.Run {
		return true // two agents of one record
	}
	x, y := spans[a.Run], spans[b.Run]
	return x[0].Before(y[1]) && y[0].Before(x[1])
}

// blind reports that the second writing, by itself, takes no account of the
// first: a whole content that lacks what the first brought, or force.
func blind(a, b writing) bool {
	if b.change == nil {
		return b.forced
	}
	if !b.change.Known || b.act.Outcome != ingest.OK || a.act.Outcome != ingest.OK {
		return false
	}
	return !a.change.Known || !holdsAll(b.change.Content, a.change.Content)
}

// holdsAll reports that a content has every line of another.
func holdsAll(content, other string) bool {
	have := map[string]bool{}
	for line := range strings.Lines(content) {
		have[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(other) {
		if !have[strings.TrimSpace(line)] {
			return false
		}
	}
	return true
}

// writer names who acts: a run, or an agent in the record of a run.
func writer(a *classify.Action) string { return a.Run.ID + " " + a.Cite().Event.Agent }

// writings lists the writes of each file and the pushes of each branch.
func writings(v *classify.View) (map[string][]writing, []string) {
	byPlace := map[string][]writing{}
	var order []string
	add := func(where string, w writing) {
		if byPlace[where] == nil {
			order = append(order, where)
		}
		byPlace[where] = append(byPlace[where], w)
	}
	for _, c := range v.Changes {
		at := c.Action.Cite().Event.At
		if c.Candidate() && c.Op == shell.OpWrite && !at.IsZero() {
			add(absolutePath(c), writing{act: c.Action, who: writer(c.Action), at: at, change: c})
		}
	}
	for _, a := range v.Actions {
		at := a.Cite().Event.At
		if a.Outcome != ingest.OK || at.IsZero() {
			continue
		}
		for _, c := range a.Commands {
			if branch, forced, ok := pushOf(c); ok {
				add("branch "+branch, writing{act: a, who: writer(a), at: at, forced: forced})
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(a, b) })
	return byPlace, order
}

// pushOf reads a git push: the branch that it names, and whether it takes no
// account of what is there.
func pushOf(c shell.Command) (branch string, forced, ok bool) {
	if len(c.Argv) == 0 || c.Host != "" {
		return "", false, false
	}
	sub, args, isGit := c.Git()
	if !isGit || sub != "push" {
		return "", false, false
	}
	var operands []string
	for _, w := range args {
		switch {
		case w == "--force" || w == "-f":
			forced = true
		case strings.HasPrefix(w, "-"):
		default:
			operands = append(operands, w)
		}
	}
	if len(operands) < 2 {
		return "", false, false
	}
	ref := operands[1]
	if rest, plus := strings.CutPrefix(ref, "+"); plus {
		ref, forced = rest, true
	}
	if _, to, found := strings.Cut(ref, ":"); found {
		ref = to
	}
	return operands[0] + " " + strings.TrimPrefix(ref, "refs/heads/"), forced, ref != "" && ref != "HEAD"
}

// sawBetween reports that the second writer looked between the two writings: at
// the file, at the tree's differences, or at what was pushed.
func sawBetween(v *classify.View, a, b writing) bool {
	for _, x := range byWriter(v)[b.who] {
		at := x.Cite().Event.At
		if x == b.act {
			break
		}
		if at.Before(a.at) || at.After(b.at) || !x.Ran() || x.Outcome == ingest.Fail {
			continue
		}
		if b.change != nil && (x.Kind == classify.Looks && slices.Contains(x.Paths(), b.change.Path) || x.Shell != "" && strings.Contains(x.Shell, fileName(b.change.Path))) {
			return true
		}
		if slices.ContainsFunc(x.Commands, takesIn) {
			return true
		}
	}
	return slices.ContainsFunc(b.act.Commands, takesIn)
}

// takesIn reports a git command that shows or brings in what others did.
func takesIn(c shell.Command) bool {
	if len(c.Argv) == 0 {
		return false
	}
	switch sub, _, ok := c.Git(); {
	case !ok:
		return false
	case sub == "fetch" || sub == "pull" || sub == "merge" || sub == "rebase" || sub == "diff":
		return true
	}
	return false
}

func byWriter(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Facts, "actions by writer", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.Actions {
			out[writer(a)] = append(out[writer(a)], a)
		}
		return out
	})
}

func fileName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
