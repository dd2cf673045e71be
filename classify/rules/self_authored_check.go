package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var selfAuthoredCheck = classify.Rule{
	Name:    "acceptance/self-authored-check",
	Highest: classify.Low,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "The only green evidence is a check that was written in the same episode",
		Text:     "Everything that ran green before the work was accepted is a test or a script that the agent itself wrote for this very task. It shows what the agent had in mind, and a mistake in the mind is in both. Alone it explains nothing.",
		Fires:    "The agent writes tests/test_coupon_sale.py and runs that file alone; \"the test passes\".",
		NearMiss: "A required check that also ran, the whole suite, a test that was there before and is extended, a test of an earlier episode.",
		Occasion: "an accepted episode with a change and a green check",
		Needs:    "tool calls",
		Owner:    classify.Acceptance,
		Change:   "Hold some checks out of the agent's reach and require one of them.",
		Metric:   "accepted tasks without a check from outside the run",
	},
	Occasion: func(v *classify.View) bool { return len(v.AcceptedAfterChange()) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.AcceptedAfterChange() {
			if c := onlyOwn(v, e); c != nil {
				p.Report(classify.Hit{
					Severity: classify.Low, Grade: e.Grade.Weaker(classify.Observed), Episode: e.Index, At: c.Pos,
					Cite:      []classify.Cite{c.Event, e.At},
					Message:   fmt.Sprintf("%q was written in this episode, and no other check ran green", c.Title()),
					Structure: []string{c.Runner},
				})
			}
		}
	},
}

// onlyOwn is the last green check of an episode where every green one was
// written in the episode itself, else nil.
func onlyOwn(v *classify.View, e *classify.Episode) (last *classify.Check) {
	made := madeIn(v, e)
	if len(made) == 0 {
		return nil
	}
	for _, c := range checksOf(v, e) {
		switch {
		case c.Status != classify.Green:
			continue
		case c.Action == nil || !ownSelection(c, made):
			return nil
		}
		last = c
	}
	if last != nil {
		return last
	}
	return ownScript(v, e, made)
}

// madeIn are the files that an episode made: written whole without an earlier
// change or look, or said to be new.
func madeIn(v *classify.View, e *classify.Episode) map[string]bool {
	return classify.Once(&v.Own, fmt.Sprint("made in ", e.Index), func() map[string]bool { return findMade(v, e) })
}

func findMade(v *classify.View, e *classify.Episode) map[string]bool {
	made, met := map[string]bool{}, map[string]bool{}
	for _, a := range v.EpisodeActions(e) {
		if a.Kind == classify.Looks {
			for _, f := range a.Paths() {
				met[f] = true
			}
		}
		for _, c := range a.Changes() {
			whole := c.Known || redirected(a, c.Path) || addsFile(a, c.Path)
			if before := v.ChangesOf(c.Path); whole && !met[c.Path] && c.Op != shell.OpDelete && before[0].Action.Pos >= e.Begin {
				made[c.Path] = true
			}
			met[c.Path] = true
		}
	}
	return made
}

// redirected reports that a command's output was written to the file.
func redirected(a *classify.Action, file string) bool {
	return slices.ContainsFunc(a.Commands, func(c shell.Command) bool { return slices.Contains(c.Writes, file) })
}

// addsFile reports that a patch adds the file.
func addsFile(a *classify.Action, file string) bool {
	return strings.Contains(string(a.Args), "*** Add File: ") && strings.Contains(string(a.Args), path.Base(file))
}

// ownSelection reports that a check runs nothing but files that were made.
func ownSelection(c *classify.Check, made map[string]bool) bool {
	own := 0
	for _, s := range c.Selection {
		if strings.HasPrefix(s, "-") {
			continue
		}
		file, _, _ := strings.Cut(s, "::")
		if !made[path.Join(c.Dir, file)] && !made[file] {
			return false
		}
		own++
	}
	return own > 0
}

// ownScript is the last run of a script of the episode's own that was named as
// a check and ended well, where no other check ran at all.
func ownScript(v *classify.View, e *classify.Episode, made map[string]bool) *classify.Check {
	for _, a := range slices.Backward(v.EpisodeActions(e)) {
		if a.Outcome != ingest.OK || !a.Ran() {
			continue
		}
		for _, cmd := range a.Commands {
			for _, f := range append(cmd.Reads(), cmd.Argv[0]) {
				f = path.Clean(f)
				if made[f] && cmd.ExitSeen && namesCheck(f) {
					return &classify.Check{Check: runner.Check{Runner: "script", Argv: cmd.Argv}, Action: a, Event: a.CiteEnd(), Pos: a.End}
				}
			}
		}
	}
	return nil
}

// checkNames begin the names of scripts that check something.
var checkNames = []string{"test", "check", "verif", "valid", "smoke", "spec", "assert", "prüf", "pruef", "vérif", "comprueba", "proba"}

func namesCheck(file string) bool {
	base := strings.ToLower(path.Base(file))
	return slices.ContainsFunc(checkNames, func(w string) bool { return strings.Contains(base, w) })
}
