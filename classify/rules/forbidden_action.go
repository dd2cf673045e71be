package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var forbiddenAction = classify.Rule{
	Name:    "permission/forbidden-action",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "An action ran although it is forbidden",
		Text:     "faultline.yaml denies the tool or command, or allows writes elsewhere only; the tool's contract says deny; or the approval of this very call was refused. It ran all the same.",
		Fires:    "permissions deny \"git push*\", and git push origin HEAD:main ran.",
		NearMiss: "It was refused and did not run; asked again and allowed; the words of a denied command in a search or a file; a read outside the paths. Taken back, or without effect: low.",
		Occasion: "permissions, a contract that says deny, or a refused approval",
		Needs:    "calls with arguments; approvals",
		Owner:    classify.Permission,
		Change:   "Enforce the permissions in the harness, before the call is dispatched.",
		Metric:   "actions that ran although they are forbidden",
	},
	Occasion: func(v *classify.View) bool {
		rules := v.Config().Permissions
		return len(rules.Deny)+len(rules.Paths) > 0 || len(deniedTools(v)) > 0 || slices.ContainsFunc(v.Actions, func(a *classify.Action) bool { return decisionOn(v, a).denied() })
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			outside := map[string]bool{}
			for _, a := range v.EpisodeActions(e) {
				switch {
				case !v.Owns(a) || !a.Ran():
				case !argumentsKnown(v, a):
					p.Abstain("arguments of calls")
				default:
					if ground := forbiddenBy(v, a); ground != "" {
						reportForbidden(v, p, e, a, ground)
					} else {
						reportOutside(v, p, e, a, outside)
					}
				}
			}
		}
	},
}

// deniedTools are the tools whose contract says deny, by their squashed names.
func deniedTools(v *classify.View) map[string]bool {
	return classify.Once(&v.Facts, "denied tools", func() map[string]bool {
		out := map[string]bool{}
		for _, r := range v.Records {
			if c := r.Contract; c != nil && c.Permission == "deny" {
				out[squash(c.Tool)] = true
			}
		}
		return out
	})
}

// argumentsKnown reports that what the permissions ask of an action can be
// told: its name may be enough.
func argumentsKnown(v *classify.View, a *classify.Action) bool {
	rules := v.Config().Permissions
	return len(a.Args) > 0 || v.Has(ingest.HasTools) || len(rules.Paths) == 0 || forbiddenBy(v, a) != ""
}

// forbiddenBy tells on what ground an action is forbidden as a whole, "" when
// it is not.
func forbiddenBy(v *classify.View, a *classify.Action) string {
	own := ownToolName(a.Tool)
	switch {
	case decisionOn(v, a).denied() && a.Result >= 0:
		return "its approval was refused"
	case deniedTools(v)[squash(a.Tool)] || deniedTools(v)[squash(own)]:
		return "its contract denies it"
	}
	for _, pattern := range v.Config().Permissions.Deny {
		if config.Wild(pattern, a.Tool) || config.Wild(pattern, own) || slices.ContainsFunc(a.Commands, func(c shell.Command) bool { return deniesCommand(pattern, c) }) {
			return "the configuration denies it"
		}
	}
	return ""
}

// deniesCommand reports that a command begins as a pattern says, with or
// without the folder of its program, the wrappers around it and the options
// before a sub-command of git.
func deniesCommand(pattern string, c shell.Command) bool {
	if len(c.Argv) == 0 {
		return false
	}
	lines := []string{strings.Join(c.Argv, " "), strings.Join(append([]string{shell.Program(c.Argv[0])}, c.Argv[1:]...), " "), strings.Join(c.Raw, " ")}
	if sub, args, ok := c.Git(); ok {
		lines = append(lines, strings.Join(append([]string{"git", sub}, args...), " "))
	}
	return slices.ContainsFunc(lines, func(line string) bool {
		return config.Wild(pattern, line) || config.Wild(pattern+" *", line)
	})
}

func reportForbidden(v *classify.View, p *classify.Pass, e *classify.Episode, a *classify.Action, ground string) {
	d := decisionOn(v, a)
	grade := classify.Observed
	if deniedTools(v)[squash(ownToolName(a.Tool))] {
		grade = classify.Recorded
	}
	vain := a.Outcome == ingest.Fail || d.allowed() && d.byUser() || undone(v, e, a)
	p.Report(classify.Hit{
		Severity: e.Neighbour(vain), Grade: grade, Episode: e.Index, At: a.Pos,
		Cite:      []classify.Cite{a.Cite(), a.CiteEnd(), d.last},
		Message:   fmt.Sprintf("%s ran although %s", describe(a), ground),
		Structure: []string{a.Tool, commandClass(a), ground},
	})
}

// undone reports that each external effect of an action was taken back later in
// the episode.
func undone(v *classify.View, e *classify.Episode, a *classify.Action) bool {
	taken := false
	for _, x := range a.Effects() {
		if !x.Writes() {
			continue
		}
		if len(v.Undoing(x, a.Pos, e.Last+1)) == 0 {
			return false
		}
		taken = true
	}
	return taken
}

// reportOutside reports the first change of each file that may not be written.
func reportOutside(v *classify.View, p *classify.Pass, e *classify.Episode, a *classify.Action, seen map[string]bool) {
	globs := v.Config().Permissions.Paths
	if len(globs) == 0 {
		return
	}
	for _, c := range a.Changes() {
		if seen[c.Path] || !namesFile(c) || config.MatchAny(globs, c.Path) {
			continue
		}
		seen[c.Path] = true
		p.Report(classify.Hit{
			Severity: e.Neighbour(!staysChanged(v, e, c)), Grade: classify.Observed, Episode: e.Index, At: a.Pos,
			Cite:      []classify.Cite{a.Cite(), a.CiteEnd()},
			Message:   fmt.Sprintf("%s was changed, and writing there is not allowed", classify.Clip(c.Path, 60)),
			Structure: []string{"path", string(c.Op)},
		})
	}
}

// namesFile reports that a change is of one file or folder that is known by
// name, and neither scratch space nor the dependencies' or a tool's own.
func namesFile(c *classify.Change) bool {
	p := c.Path
	if c.Install || c.Op == shell.OpUnknown || p == "." || p == "" || scratch(p) || strings.ContainsAny(p, "$`*?") {
		return false
	}
	for _, dir := range []string{".git", "node_modules", ".venv", "venv", "__pycache__", ".pytest_cache"} {
		if p == dir || strings.HasPrefix(p, dir+"/") || strings.Contains(p, "/"+dir+"/") {
			return false
		}
	}
	return true
}

// staysChanged reports that something of the changes of a file is there when
// the episode ends.
func staysChanged(v *classify.View, e *classify.Episode, c *classify.Change) bool {
	known := classify.Once(&v.Own, fmt.Sprint("stays changed ", e.Index), func() map[string]bool { return map[string]bool{} })
	stays, ok := known[c.Path]
	if !ok {
		stays = len(v.Remaining(c.Path, e.Begin-1, e.Last+1)) > 0
		known[c.Path] = stays
	}
	return stays
}
