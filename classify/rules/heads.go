package rules

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// head is what git said in one action of the commit that is checked out.
type head struct {
	*classify.Action
	from, id string   // before and after the action, "" where git did not say
	commits  bool     // the action may have made a commit
	moves    bool     // it brought in what others, or another branch, hold
	touched  []string // the files that git lists as changed by the move
}

var (
	committedAs = phrase.MustCompile(`(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] `)
	headIsNow   = phrase.MustCompile(`(?m)^(?:HEAD is now at|Previous HEAD position was) ([0-9a-f]{7,40})\b`)
	updating    = phrase.MustCompile(`(?m)^Updating ([0-9a-f]{7,40})\.\.([0-9a-f]{7,40})$`)
	plainHash   = phrase.MustCompile(`(?m)^\s*([0-9a-f]{7,40})\s*$`)
	logLine     = phrase.MustCompile(`(?m)^(?:commit )?([0-9a-f]{7,40})(?: |$)`)
	statLine    = phrase.MustCompile(`(?m)^ (\S[^|\n]*?)\s+\|\s+(?:\d+|Bin)\b`)
)

// Subcommands of git that put other content into the tree, and those that only
// record what is there.
var (
	bringsIn = []string{"pull", "rebase", "merge", "checkout", "switch", "reset", "cherry-pick", "revert", "am"}
	records  = []string{"commit", "merge", "cherry-pick", "revert", "am", "rebase", "pull"}
)

// heads are the actions that speak of the checked out commit, in order.
func heads(v *classify.View) []*head {
	return classify.Once(&v.Facts, "heads", func() []*head {
		var out []*head
		for _, a := range v.Actions {
			if h := readHead(a); h != nil {
				out = append(out, h)
			}
		}
		return out
	})
}

func readHead(a *classify.Action) *head {
	if a.Kind != classify.RunsShell || !a.Ran() || a.Outcome != ingest.OK {
		return nil
	}
	h := &head{Action: a}
	asked, shown := false, false
	for _, c := range a.Commands {
		sub, args, ok := c.Git()
		if !ok || c.Host != "" {
			continue
		}
		h.commits = h.commits || slices.Contains(records, sub)
		h.moves = h.moves || slices.Contains(bringsIn, sub) && !slices.Contains(args, "--") && !slices.Contains(args, "-b") && !slices.Contains(args, "-c")
		asked = asked || sub == "rev-parse" && slices.Contains(args, "HEAD")
		shown = shown || sub == "log" || sub == "show"
	}
	if !h.commits && !h.moves && !asked && !shown {
		return nil
	}
	out := a.Output()
	if m := updating.FindStringSubmatch(out); m != nil {
		h.from, h.id = m[1], m[2]
	}
	for _, said := range []struct {
		when bool
		re   *phrase.Pattern
	}{{h.commits, committedAs}, {h.moves, headIsNow}, {shown && !asked, logLine}, {asked, plainHash}} {
		if all := said.re.FindAllStringSubmatch(out, -1); said.when && len(all) > 0 {
			h.id = all[len(all)-1][1]
			if said.re == logLine {
				h.id = all[0][1] // the newest comes first
			}
		}
	}
	if h.moves {
		for _, m := range statLine.FindAllStringSubmatch(out, -1) {
			h.touched = append(h.touched, strings.TrimSpace(m[1]))
		}
	}
	return h
}

// movedBetween is the first move of the tree between two points that git
// itself proves: it named another commit before than after.
func movedBetween(v *classify.View, after, before int, matters func(path string) bool) *head {
	known := ""
	list := heads(v)
	for i, h := range list {
		if h.Pos >= before {
			break
		}
		if h.moves && h.Pos > after && h.matters(matters) {
			from, to := known, h.id
			if h.from != "" {
				from = h.from
			}
			if to == "" {
				to = nextNamed(list[i+1:], before)
			}
			if from != "" && to != "" && !sameSnapshot(from, to) {
				return h
			}
		}
		if known = h.id; h.id == "" && !h.commits && !h.moves {
			known = ""
		}
	}
	return nil
}

// matters reports that the move touched a path that matters, or does not say
// what it touched.
func (h *head) matters(pass func(string) bool) bool {
	return len(h.touched) == 0 || slices.ContainsFunc(h.touched, pass)
}

// nextNamed is the commit that git names next, with none made in between.
func nextNamed(list []*head, before int) string {
	for _, h := range list {
		if h.Pos >= before || h.commits || h.moves {
			break
		}
		if h.id != "" {
			return h.id
		}
	}
	return ""
}
