package handover

import (
	"path"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// known is what the calls of a thread worked with, by name, each with the
// position at which it was first met.
type known struct {
	changed  map[string]place // files that were changed, by path and by base name
	worked   map[string]place // paths that a successful call named
	branches map[string]place
	ports    map[string]place
}

type place struct {
	pos  int
	name string // in full
	act  *classify.Action
}

func knownOf(v *classify.View) *known {
	return classify.Once(&v.Facts, "known names", func() *known {
		k := &known{map[string]place{}, map[string]place{}, map[string]place{}, map[string]place{}}
		for _, a := range v.Actions {
			if a.Ran() && a.Outcome != ingest.Fail {
				k.read(a)
			}
		}
		return k
	})
}

func note(m map[string]place, key, name string, a *classify.Action) {
	if _, ok := m[key]; !ok && key != "" {
		m[key] = place{a.Pos, name, a}
	}
}

func (k *known) read(a *classify.Action) {
	for _, c := range a.Changes() {
		if c.Path != "." && !c.Install {
			note(k.changed, c.Path, c.Path, a)
			note(k.changed, path.Base(c.Path), c.Path, a)
		}
	}
	for _, c := range a.Commands {
		if c.Host != "" || len(c.Argv) == 0 {
			continue
		}
		if b := branchOf(c); b != "" {
			note(k.branches, b, b, a)
		}
		for _, w := range c.Argv[1:] {
			if longPath(w) {
				note(k.worked, strings.TrimRight(w, "/"), w, a)
			}
		}
	}
	for _, p := range Ports(a) {
		note(k.ports, p, p, a)
	}
}

// longPath reports that a word is a path of its own, not a bare name.
func longPath(w string) bool {
	return strings.Count(w, "/") >= 2 && !strings.Contains(w, "://") && !strings.ContainsAny(w, " \n*?$(){}<>|;'\"") && len(w) < 300
}

// branchOf is the branch that a git command makes or changes to.
func branchOf(c shell.Command) string {
	sub, args, ok := c.Git()
	if !ok || sub != "checkout" && sub != "switch" && sub != "branch" && sub != "worktree" {
		return ""
	}
	made := ""
	for i, w := range args {
		switch w {
		case "--":
			return "" // files follow
		case "-b", "-B", "-c", "-C":
			if i+1 < len(args) {
				return args[i+1]
			}
		}
		if made == "" && !strings.HasPrefix(w, "-") && w != "add" && w != "." {
			made = w
		}
	}
	if sub == "worktree" || sub == "branch" && hasFlag(args, "-d", "-D", "--delete", "-m", "-M", "--list", "-a", "-r") {
		return ""
	}
	return made
}

func hasFlag(args []string, flags ...string) bool {
	for _, a := range args {
		for _, f := range flags {
			if a == f {
				return true
			}
		}
	}
	return false
}

// address matches a host with a port, portFlag an option that names one.
var (
	address  = phrase.MustCompile(`(?:\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-zA-Z][\w-]*(?:\.[\w-]+)*)|\[::1?\]):(\d{2,5})\b`)
	portFlag = phrase.MustCompile(`(?i)(?:--?p(?:ort)?|\bport)[ =:"]{1,3}(\d{2,5})\b`)
)

// Ports are the ports that a call names: in an address or as an option.
func Ports(a *classify.Action) []string {
	text := a.Shell
	if text == "" {
		text = string(a.Args)
	}
	if len(text) > 4000 {
		text = text[:4000]
	}
	if !strings.ContainsAny(text, ":pP") {
		return nil
	}
	var out []string
	for _, re := range []*phrase.Pattern{address, portFlag} {
		for _, m := range re.FindAllStringSubmatch(text, 8) {
			if len(m[1]) > 2 || m[1] == "80" {
				out = append(out, m[1])
			}
		}
	}
	return out
}
