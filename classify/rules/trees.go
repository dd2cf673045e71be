package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
)

// Trees of one repository are told apart only where git, or the command that
// made a copy, names both.

var worktreeLine = phrase.MustCompile(`(?m)^(/\S+)\s+(?:[0-9a-f]{7,40}|\(bare\))\b`)

// trees are the roots of separate working trees that the thread proves, as
// absolute paths.
func trees(v *classify.View) []string {
	return classify.Once(&v.Facts, "trees", func() []string {
		seen := map[string]bool{}
		var out []string
		add := func(p string) {
			if p = path.Clean(p); path.IsAbs(p) && p != "/" && !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
		for _, a := range v.Actions {
			if a.Kind != classify.RunsShell || !a.Ran() {
				continue
			}
			for _, c := range a.Commands {
				readTrees(a, c, add)
			}
		}
		if len(out) > 0 {
			for _, r := range v.Runs {
				add(r.Meta.Cwd)
			}
		}
		return out[:min(len(out), mostTrees)]
	})
}

// mostTrees bounds how many working trees are told apart.
const mostTrees = 100

func readTrees(a *classify.Action, c shell.Command, add func(string)) {
	if c.Host != "" {
		return
	}
	sub, args, ok := c.Git()
	words := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return strings.HasPrefix(w, "-") })
	switch {
	case ok && sub == "worktree" && len(words) > 0 && words[0] == "list":
		for _, m := range worktreeLine.FindAllStringSubmatch(a.Output(), -1) {
			add(m[1])
		}
	case ok && sub == "worktree" && len(words) > 1 && words[0] == "add":
		for _, w := range words[1:] {
			if strings.Contains(w, "/") && (path.IsAbs(w) || strings.HasPrefix(w, ".")) {
				add(absolute(a, path.Join(c.Dir, w), w))
			}
		}
	case ok && sub == "clone" && len(words) > 1:
		w := words[len(words)-1]
		add(absolute(a, path.Join(c.Dir, w), w))
	}
}

// absolute places a path of an action.
func absolute(a *classify.Action, joined, own string) string {
	switch {
	case path.IsAbs(own):
		return own
	case path.IsAbs(joined):
		return joined
	case a.Run.Meta.Cwd == "":
		return ""
	}
	return path.Join(a.Run.Meta.Cwd, joined)
}

// treeOf is the innermost of the roots that holds a path, "" for none.
func treeOf(roots []string, p string) string {
	best := ""
	for _, r := range roots {
		if len(r) > len(best) && (p == r || strings.HasPrefix(p, r+"/")) {
			best = r
		}
	}
	return best
}

// carries reports that the action may have brought work from one place to
// another: it publishes, merges, copies, links or mounts.
func carries(a *classify.Action) bool {
	for _, c := range a.Commands {
		if sub, _, ok := c.Git(); ok {
			switch sub {
			case "push", "pull", "merge", "rebase", "cherry-pick", "apply", "am", "fetch", "checkout", "switch", "reset", "stash", "bundle":
				return true
			}
		}
		if len(c.Argv) == 0 {
			continue
		}
		switch shell.Program(c.Argv[0]) {
		case "rsync", "scp", "sftp", "cp", "ln", "mount", "sshfs", "tar", "unison", "mutagen", "patch", "rclone", "gh", "glab", "skaffold", "tilt", "devspace":
			return true
		}
		if (strings.HasSuffix(c.Argv[0], "docker") || c.Argv[0] == "kubectl" || c.Argv[0] == "podman") && slices.Contains(c.Argv, "cp") {
			return true
		}
	}
	return a.Kind == classify.RunsShell && len(a.Commands) == 0 // not readable
}

// carrying are the places of the actions that carry work elsewhere.
func carrying(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "carrying", func() classify.Positions { return v.Places(carries) })
}
