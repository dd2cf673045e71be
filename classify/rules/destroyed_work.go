package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var destroyedWork = classify.Rule{
	Name:    "handoff/destroyed-work",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "Uncommitted work from before a boundary was destroyed after it",
		Text:     "After compaction, a resume or a new session, a command put the whole tree back, cleaned it or removed it, while changes from before the boundary were nowhere else. The session that ran it did not know what it held.",
		Fires:    "The summary says that two files are not committed; the next command is git reset --hard origin/main.",
		NearMiss: "The same command on a clean tree, after a commit, a stash or a copy; asked for by the user; a build folder that is made again; one file taken back.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Hand over the list of uncommitted files, and refuse commands that wipe the tree while it is not empty.",
		Metric:   "changed files lost to a destructive command after a boundary",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		all := handover.Find(v)
		if len(all) == 0 {
			return
		}
		wipes := 0
		for _, a := range v.ActionsIn(all[0].Begin-1, v.End()+1) {
			if a.Kind != classify.RunsShell || a.Outcome != ingest.OK || !v.Owns(a) {
				continue
			}
			for i, c := range a.Commands {
				if handover.Wipes(c) == handover.Nothing && !removesTree(v, a, c) {
					continue
				}
				if wipes++; wipes > mostWipes {
					return
				}
				if lost := destroys(v, all, a, i, c); lost != nil {
					reportDestroyed(v, p, all, a, c, lost)
					break
				}
			}
		}
	},
}

// mostWipes bounds how many commands of one run that wipe a tree are looked at:
// for each the changes before it are walked. Real runs have a few.
const mostWipes = 50

// destroys returns the latest uncommitted change from before the last boundary
// that a command took away, or nil.
func destroys(v *classify.View, all []*handover.Handover, a *classify.Action, i int, c shell.Command) *classify.Change {
	extent, tree := handover.Wipes(c), repositoryOf(a, c)
	if removesTree(v, a, c) {
		extent, tree = handover.Everything, removed(a, c)
	}
	if extent == handover.Nothing || savedFirst(a, i) {
		return nil
	}
	b := lastBefore(all, a.Pos)
	if b == nil || askedToDiscard(v, a.Pos) {
		return nil
	}
	lost := handover.Uncommitted(v, a.Pos)
	for _, ch := range slices.Backward(lost) {
		if ch.Action.Pos < b.Begin && ch.Action != a && under(tree, absolutePath(ch)) && takes(v, extent, ch, a) {
			return ch
		}
	}
	return nil
}

// savedFirst reports that the same text put the work aside before its i-th
// command.
func savedFirst(a *classify.Action, i int) bool {
	first := *a
	first.Commands = a.Commands[:i]
	return handover.Saves(&first) || handover.Commits(&first)
}

// takes reports that a command of an extent takes a changed file away: what the
// history does not know stays at a reset, what it knows stays at a clean.
func takes(v *classify.View, extent handover.Extent, c *classify.Change, a *classify.Action) bool {
	switch extent {
	case handover.Everything:
		return true
	case handover.Tracked:
		return !isNew(v, c) || staged(v, c, a)
	case handover.Untracked:
		if out := a.Output(); strings.Contains(out, "Removing ") {
			return strings.Contains(out, path.Base(c.Path)) || removesFolderOf(out, c.Path)
		}
		return isNew(v, c) && !staged(v, c, a)
	}
	return false
}

// removesFolderOf reports that git says that it removes a folder around a path.
func removesFolderOf(out, p string) bool {
	for line := range strings.Lines(out) {
		dir, ok := strings.CutPrefix(strings.TrimSpace(line), "Removing ")
		if ok && strings.HasSuffix(dir, "/") && strings.Contains("/"+p, "/"+dir) {
			return true
		}
	}
	return false
}

// isNew reports that the thread's first change of the file may have made it: it
// was written whole, and nothing had read it before.
func isNew(v *classify.View, c *classify.Change) bool {
	first := v.ChangesOf(c.Path)[0]
	if indexAdds.MatchString(string(first.Action.Args)) && strings.Contains(string(first.Action.Args), "*** Add File: "+c.Path) {
		return true
	}
	return first.Known && !readBefore(v, c.Path, first.Action.Pos) || first.Action.Kind == classify.RunsShell && first.Op == shell.OpWrite
}

var indexAdds = phrase.MustCompile(`\*\*\* Add File: `)

func readBefore(v *classify.View, file string, pos int) bool {
	reads := classify.Once(&v.Facts, "reads by file", func() map[string]int {
		out := map[string]int{}
		for _, a := range v.Actions {
			if a.Kind == classify.Looks && a.Outcome == ingest.OK {
				for _, p := range a.Paths() {
					if _, ok := out[p]; !ok {
						out[p] = a.Pos
					}
				}
			}
		}
		return out
	})
	at, ok := reads[file]
	return ok && at < pos
}

// staged reports that the file was added to the index between its change and
// the command.
func staged(v *classify.View, c *classify.Change, a *classify.Action) bool {
	adds := classify.Once(&v.Facts, "git adds", func() classify.Positions {
		return v.Places(func(x *classify.Action) bool {
			return slices.ContainsFunc(x.Commands, func(cmd shell.Command) bool {
				sub, _, ok := cmd.Git()
				return ok && sub == "add"
			})
		})
	})
	return adds.Any(c.Action.Pos, a.Pos+1)
}

// repositoryOf is the folder that a command works on, absolute where that is known.
func repositoryOf(a *classify.Action, c shell.Command) string { return join(a.Run.Meta.Cwd, c.Dir) }

func join(dir, p string) string {
	if path.IsAbs(p) || dir == "" {
		return path.Clean(p)
	}
	return path.Join(strings.ReplaceAll(dir, `\`, "/"), p)
}

// absolutePath is where a changed file lies.
func absolutePath(c *classify.Change) string { return join(c.Action.Run.Meta.Cwd, c.Path) }

// under reports that a file lies in a folder, as far as both are known.
func under(dir, file string) bool {
	if dir == "." || dir == "/" || dir == file || strings.HasPrefix(file, dir+"/") {
		return true
	}
	return !path.IsAbs(dir) && path.IsAbs(file) && strings.Contains(file+"/", "/"+dir+"/") || !path.IsAbs(file) && path.IsAbs(dir)
}

// removesTree reports that a command removes a whole place of work: the working
// directory, one above it, or a folder that the same text makes again from
// elsewhere.
func removesTree(v *classify.View, a *classify.Action, c shell.Command) bool {
	if len(c.Argv) == 0 || c.Host != "" {
		return false
	}
	if sub, args, ok := c.Git(); ok {
		return sub == "worktree" && len(args) > 1 && args[0] == "remove" && slices.ContainsFunc(args, func(w string) bool { return w == "-f" || w == "--force" })
	}
	dir := removed(a, c)
	if dir == "" {
		return false
	}
	cwd := path.Clean(a.Run.Meta.Cwd)
	if a.Run.Meta.Cwd != "" && (dir == cwd || strings.HasPrefix(cwd, dir+"/")) {
		return true
	}
	return slices.ContainsFunc(a.Commands, func(x shell.Command) bool {
		sub, args, ok := x.Git()
		return ok && (sub == "clone" || sub == "worktree") && len(args) > 1 && join(repositoryOf(a, x), args[len(args)-1]) == dir
	})
}

// removed is the folder that `rm -r` or `git worktree remove` removes, "" for
// any other command.
func removed(a *classify.Action, c shell.Command) string {
	operands := slices.DeleteFunc(slices.Clone(c.Argv[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
	if _, args, ok := c.Git(); ok && len(args) > 1 {
		return join(repositoryOf(a, c), args[len(args)-1])
	}
	recursive := slices.ContainsFunc(c.Argv[1:], func(w string) bool {
		return w == "--recursive" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.ContainsAny(w, "rR")
	})
	if shell.Program(c.Argv[0]) != "rm" || !recursive || len(operands) != 1 {
		return ""
	}
	return join(repositoryOf(a, c), strings.TrimSuffix(operands[0], "/"))
}

// lastBefore is the last hand-over before a position.
func lastBefore(all []*handover.Handover, pos int) *handover.Handover {
	k, _ := slices.BinarySearchFunc(all, pos+1, func(h *handover.Handover, p int) int { return cmp.Compare(h.Begin, p) })
	if k == 0 {
		return nil
	}
	return all[k-1]
}

// discards match a request to throw work away or to begin anew, in the words of
// people and in those of the commands; a language is added by adding words.
var discards = phrase.MustCompile(`(?i)(\b(reset|revert|discard|undo|throw|drop|forget|wipe|clean|scrap|abandon|start over|start again|from scratch|begin anew|fresh|roll ?back|restore|checkout|re-?clone|get rid|remove all|delete all|verwirf|verwerfen|zurücksetz\w*|wegwerfen|von vorn|descart\w*|deshaz|revierte|restablec\w*|desde cero|annule|jette|réinitialis\w*|à zéro|scarta|annulla|ripristina|desfaz\w*)|丢弃|放弃|重置|撤销|还原|破棄|やり直|リセット|сбрось|откати|отмени)`)

// askedToDiscard reports that the latest request before a position asks for it.
func askedToDiscard(v *classify.View, pos int) bool {
	at := v.Asked().Before(pos)
	if at < 0 {
		return false
	}
	c := v.Event(at)
	if c.Event == nil {
		return false
	}
	return discards.MatchString(c.Run.Text(c.Event)) || discards.MatchString(lastWord(v, pos))
}

// lastWord is what the user said last before a position.
func lastWord(v *classify.View, pos int) string {
	at := v.UserSpoke().Before(pos)
	if at < 0 {
		return ""
	}
	c := v.Event(at)
	return c.Run.Text(c.Event)
}

func reportDestroyed(v *classify.View, p *classify.Pass, all []*handover.Handover, a *classify.Action, c shell.Command, lost *classify.Change) {
	e, h := v.EpisodeAt(a.Pos), lastBefore(all, a.Pos)
	if e == nil || e.Open {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: a.Pos,
		Cite:      []classify.Cite{a.Cite(), lost.Action.Cite(), h.Boundary.Cite},
		Message:   fmt.Sprintf("after %s, %q took away uncommitted work from before it (%s)", boundaryWords(h.Boundary), classify.Clip(strings.Join(c.Argv, " "), 60), classify.Clip(lost.Path, 60)),
		Structure: []string{h.Boundary.Kind, string(handover.Wipes(c)), path.Base(c.Argv[0])},
	})
}
