package handover

import (
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// State is what the events show to be true at a point.
type State struct {
	Checks      []*classify.Check     // the last run of each check, in order
	Commits     []*classify.Action    // that went through
	Uncommitted []*classify.Change    // that no commit or stash holds, as far as calls tell
	Servers     []*classify.Action    // launched and not known to have ended
	Unknown     []*classify.Action    // that may have done something, and nothing told
	Todos       []classify.TodoChange // items on which work is left
}

// Before is the state just before a position.
func Before(v *classify.View, pos int) State {
	s := State{Uncommitted: Uncommitted(v, pos)}
	last := map[string]*classify.Check{}
	for _, c := range v.ChecksIn(-1, pos) {
		last[c.Title()] = c
	}
	for _, c := range v.ChecksIn(-1, pos) {
		if last[c.Title()] == c {
			s.Checks = append(s.Checks, c)
		}
	}
	for _, a := range v.ActionsIn(-1, pos) {
		if Commits(a) && a.Outcome == ingest.OK {
			s.Commits = append(s.Commits, a)
		}
		if a.Outcome == ingest.Pending && a.Settled < 0 && a.Kind == classify.RunsShell {
			s.Servers = append(s.Servers, a)
		}
		if a.Outcome == ingest.Unknown && a.Ran() && !a.ReadOnly() {
			s.Unknown = append(s.Unknown, a)
		}
	}
	todos := v.Todos()
	todos.To(pos)
	s.Todos = todos.Left()
	return s
}

// Commits reports that a call records the state of the tree in the history.
func Commits(a *classify.Action) bool {
	return slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
		sub, args, ok := c.Git()
		return ok && sub == "commit" && !hasFlag(args, "--dry-run")
	})
}

// Uncommitted are the changes of the work before a position that are still
// there and that nothing saved: no commit, no stash, no copy, and no status that
// shows a clean tree.
func Uncommitted(v *classify.View, pos int) []*classify.Change {
	from := saved(v).Before(pos)
	var out []*classify.Change
	left := map[string]map[*classify.Change]bool{}
	for _, c := range v.ChangesIn(from, pos) {
		if !c.Candidate() || c.Path == "." || c.Op == shell.OpUnknown || c.Op == shell.OpMode || c.Op == shell.OpDelete {
			continue
		}
		if _, ok := left[c.Path]; !ok {
			left[c.Path] = map[*classify.Change]bool{}
			for _, d := range v.Remaining(c.Path, from, pos) {
				left[c.Path][d] = true
			}
		}
		if left[c.Path][c] && c.Action.Outcome == ingest.OK {
			out = append(out, c)
		}
	}
	return out
}

// Dirty reports that something was changed before a position since the work was
// last saved, whether or not it was taken back.
func Dirty(v *classify.View, pos int) bool {
	for _, c := range slices.Backward(v.ChangesIn(saved(v).Before(pos), pos)) {
		if c.Candidate() && c.Action.Outcome == ingest.OK {
			return true
		}
	}
	return false
}

// saved are the positions after which the tree held nothing that was not also
// elsewhere.
func saved(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "saved", func() classify.Positions {
		return v.Places(func(a *classify.Action) bool {
			if a.Outcome != ingest.OK {
				return false
			}
			return Commits(a) || Saves(a) || showsClean(a) || slices.ContainsFunc(a.Commands, func(c shell.Command) bool { return Wipes(c) == Everything })
		})
	})
}

// Saves reports that a call puts the work aside so that it can be had back: in
// the stash, as a patch, in an archive.
func Saves(a *classify.Action) bool {
	return slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
		if len(c.Argv) == 0 {
			return false
		}
		sub, args, ok := c.Git()
		if ok {
			stashes := sub == "stash" && (len(args) == 0 || args[0] == "push" || args[0] == "save" || args[0][0] == '-')
			return stashes || (sub == "diff" || sub == "format-patch" || sub == "bundle" || sub == "archive") && (len(c.Writes) > 0 || sub != "diff")
		}
		switch shell.Program(c.Argv[0]) {
		case "tar", "zip", "rsync", "7z":
			return true
		case "cp":
			return hasFlag(c.Argv, "-r", "-R", "-a", "-rp", "-ra", "-rf", "-pr", "-ar", "--recursive", "--archive")
		}
		return false
	})
}

// showsClean reports that git says that nothing is changed: by words of its
// own, or by a short status that is empty.
func showsClean(a *classify.Action) bool {
	if len(a.Commands) != 1 {
		return false
	}
	sub, args, ok := a.Commands[0].Git()
	return ok && sub == "status" && hasFlag(args, "--short", "-s", "--porcelain") && a.Output() == ""
}

// Extent is what a command takes away from a tree under version control.
type Extent string

// The extents. Tracked: changes of files that the history knows; Untracked:
// files that it does not know; Everything: the tree with all that is in it.
const (
	Nothing    Extent = ""
	Tracked    Extent = "tracked"
	Untracked  Extent = "untracked"
	Everything Extent = "everything"
)

// Wipes tells what a command takes away from its whole tree.
func Wipes(c shell.Command) Extent {
	if len(c.Argv) == 0 || c.Host != "" {
		return Nothing
	}
	sub, args, ok := c.Git()
	if !ok {
		return Nothing
	}
	whole := func() bool {
		named := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return len(w) > 0 && w[0] == '-' || w == "HEAD" })
		return len(named) == 1 && (named[0] == "." || named[0] == ":/" || named[0] == "*")
	}
	switch sub {
	case "reset":
		if hasFlag(args, "--hard") {
			return Tracked
		}
	case "checkout":
		if whole() || hasFlag(args, "-f", "--force") {
			return Tracked
		}
	case "restore":
		if whole() && (!hasFlag(args, "--staged", "-S") || hasFlag(args, "--worktree", "-W")) {
			return Tracked
		}
	case "switch":
		if hasFlag(args, "-f", "--force", "--discard-changes") {
			return Tracked
		}
	case "clean":
		return cleans(args)
	}
	return Nothing
}

// cleans is what `git clean` takes: nothing without force, in a dry run, or
// where it is given paths of its own.
func cleans(args []string) Extent {
	force := false
	for _, w := range args {
		switch {
		case w == "--force":
			force = true
		case w == "--dry-run" || w == "-n":
			return Nothing
		case len(w) > 1 && w[0] == '-' && w[1] != '-':
			for _, r := range w[1:] {
				if r == 'n' {
					return Nothing
				}
				force = force || r == 'f'
			}
		case w != "." && w[0] != '-':
			return Nothing
		}
	}
	if !force {
		return Nothing
	}
	return Untracked
}
