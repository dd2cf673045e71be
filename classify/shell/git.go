package shell

import (
	"slices"
	"strings"
)

// gitValues are git's own flags that take the next word.
const gitValues = "-c --git-dir --work-tree --namespace --exec-path --config-env"

// Git returns the subcommand of a git call and the arguments after it; ok is
// false for any other program. -C has become Dir by then.
func (c Command) Git() (sub string, args []string, ok bool) {
	if Program(c.Argv[0]) != "git" {
		return "", nil, false
	}
	for i := 1; i < len(c.Argv); i++ {
		a := c.Argv[i]
		switch {
		case has(gitValues, a):
			i++
		case strings.HasPrefix(a, "-"):
		default:
			return a, c.Argv[i+1:], true
		}
	}
	return "", nil, true
}

// gitTree are the subcommands that rewrite the work tree in a way that the
// text does not tell.
var gitTree = map[string]bool{
	"merge": true, "rebase": true, "pull": true, "cherry-pick": true, "revert": true, "am": true,
	"switch": true, "clone": true, "bisect": true, "submodule": true, "filter-branch": true,
}

// gitReads are the subcommands that change neither the tree nor the history.
var gitReads = map[string]bool{
	"status": true, "log": true, "diff": true, "show": true, "blame": true, "ls-files": true,
	"ls-tree": true, "ls-remote": true, "rev-parse": true, "rev-list": true, "describe": true,
	"cat-file": true, "grep": true, "shortlog": true, "merge-base": true, "for-each-ref": true,
	"show-ref": true, "name-rev": true, "reflog": true, "version": true, "help": true,
	"check-ignore": true, "diff-tree": true, "whatchanged": true, "count-objects": true, "var": true,
	"": true, "fsck": true, "verify-commit": true, "cherry": true, "range-diff": true,
}

func gitChanges(c Command, _ []string) []Change {
	sub, args, _ := c.Git()
	ops := operands(args, "-b -B -s --source -m -U")
	if i := slices.Index(args, "--"); i >= 0 {
		ops = args[i+1:]
	}
	switch sub {
	case "rm":
		if hasAny(args, "--cached") {
			return nil
		}
		return changesOf(OpDelete, ops...)
	case "mv":
		return copyTo(true)(c, args)
	case "apply":
		if hasAny(args, "--check --stat --cached") {
			return nil
		}
		return patchFiles(c, args)
	case "restore":
		if hasAny(args, "--staged -S") && !hasAny(args, "--worktree -W") {
			return nil
		}
		return restored(ops)
	case "checkout":
		return gitCheckout(args, ops)
	case "reset":
		if hasAny(args, "--hard --merge --keep") {
			return changesOf(OpUnknown, ".")
		}
	case "clean":
		if shortFlag(args, "n") || hasAny(args, "--dry-run") {
			return nil
		}
		return changesOf(OpDelete, orHere(ops)...)
	case "stash":
		if len(args) > 0 && (args[0] == "list" || args[0] == "show" || args[0] == "drop" || args[0] == "create") {
			return nil
		}
		return changesOf(OpUnknown, ".")
	case "worktree":
		if len(ops) > 1 && ops[0] == "add" {
			return changesOf(OpWrite, ops[1])
		}
	default:
		if gitTree[sub] {
			return changesOf(OpUnknown, ".")
		}
	}
	return nil
}

func restored(ops []string) []Change {
	if len(ops) == 0 || ops[0] == "." {
		return changesOf(OpUnknown, ".")
	}
	return changesOf(OpWrite, ops...)
}

// gitCheckout tells `checkout -b new` (no change) from `checkout -- file`
// and from a switch of branches.
func gitCheckout(args, ops []string) []Change {
	dash := slices.Contains(args, "--")
	switch {
	case dash:
		return restored(ops)
	case hasAny(args, "-b -B --orphan") && len(ops) == 0:
		return nil
	case len(ops) > 1:
		return restored(ops[1:])
	case len(ops) == 1 && strings.Contains(ops[0], ".") && !strings.HasPrefix(ops[0], "v"):
		return restored(ops) // a file name rather than a branch
	}
	return changesOf(OpUnknown, ".")
}

func orHere(ops []string) []string {
	if len(ops) == 0 {
		return []string{"."}
	}
	return ops
}
