package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// worksOutside reports that an action does work whose repetition matters: it
// writes files with stated content, changes something outside, or runs a
// command that is no look, check, install or housekeeping.
func worksOutside(v *classify.View, a *classify.Action) bool { return len(workKeys(v, a)) > 0 }

// workKeys name the pieces of work that an action does: one for a tool call,
// one for each command that works. Equal keys are the same piece of work.
func workKeys(v *classify.View, a *classify.Action) []string {
	if !a.Ran() || a.ReadOnly() {
		return nil
	}
	switch a.Kind {
	case classify.Edits:
		if allScratch(a.Paths()) {
			return nil
		}
		return []string{a.Key()}
	case classify.Other:
		if toolWorks(v, a) {
			return []string{a.Key()}
		}
	case classify.RunsShell:
		var keys []string
		for i, c := range a.Commands {
			if isWork(c) {
				keys = append(keys, a.CommandKey(i))
			}
		}
		return keys
	}
	return nil
}

// doneBefore is the earliest of the actions that did all these pieces of work,
// nil if one of them was not done.
func doneBefore(before map[string]*classify.Action, keys []string) *classify.Action {
	var first *classify.Action
	for _, key := range keys {
		a := before[key]
		if a == nil || a.Outcome != ingest.OK {
			return nil
		}
		if first == nil || a.Pos < first.Pos {
			first = a
		}
	}
	return first
}

// steps are tools that act on a surface whose state the arguments do not name,
// or on nothing: pressing the same button again is another step.
var steps = regexp.MustCompile(`(?i)(browser|playwright|puppeteer|selenium|computer|click|scroll|hover|keypress|type_text|navigate|screenshot|thinking|sleep|wait|ask_|respond)`)

func toolWorks(v *classify.View, a *classify.Action) bool {
	if steps.MatchString(a.Tool) {
		return false
	}
	if ts := targets(v, a); len(ts) > 0 {
		return !allScratch(ts)
	}
	switch effect.FromTool(a.Tool, a.Args).Class {
	case effect.Read:
		return false
	case effect.Unknown:
		return len(a.Args) > 2 // {} says nothing of an artifact
	}
	return true
}

// allScratch reports that all paths lie in scratch space.
func allScratch(paths []string) bool {
	for _, p := range paths {
		if !scratch(p) {
			return false
		}
	}
	return len(paths) > 0
}

func scratch(p string) bool {
	return strings.HasPrefix(p, "/tmp/") || strings.HasPrefix(p, "/var/tmp/") || strings.HasPrefix(p, "$TMPDIR") || strings.HasPrefix(p, "/dev/")
}

// housekeeping are programs whose repetition is harmless or a matter of
// course.
var housekeeping = wordSet("cd mkdir touch chmod chown export source echo sleep kill pkill killall docker docker-compose systemctl service curl wget rm ln set " +
	"true test [ wait nohup tmux screen open which printf tee xcodebuild nvidia-smi ffprobe nvm pyenv conda ping clear read trap ulimit umask alias type")

// builders make again what is made from sources; building anew is a matter of
// course.
var builders = wordSet("cmake ninja meson bazel hugo jekyll mkdocs sphinx-build webpack rollup esbuild vite next tsc gcc g++ clang clang++ cc rustc javac nyc coverage lcov swift zig dotnet latexmk pdflatex")

// packageManagers fetch what others made; fetching again changes nothing.
var packageManagers = wordSet("npm pnpm yarn bun pip pip3 uv poetry pipenv conda mamba cargo go bundle gem composer apt apt-get apk dnf yum brew pacman mix nix rustup dotnet gradle ./gradlew mvn")

var fetches = wordSet("install i ci add fetch download restore sync update upgrade tidy vendor get deps deps.get bootstrap")

// asks are words after a program that make it look only.
var asks = wordSet("--version -version version --help -h help --dry-run --check check status list ls show showmigrations info describe diff history logs inspect validate verify doctor current -n --list --status")

// interpreters run code that is given on the command line.
var interpreters = wordSet("python python3 node bun deno ruby perl php")

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func isWork(c shell.Command) bool {
	if len(c.Argv) == 0 {
		return len(c.Writes) > 0
	}
	if c.ReadOnly() || c.Background {
		return false
	}
	if sends, known := effects(c); known {
		return sends
	}
	if _, ok := runner.Recognize(c.Argv); ok {
		return false
	}
	if _, _, ok := c.Git(); ok {
		return false
	}
	if paths := given(c); len(paths) > 0 {
		return !allScratch(paths)
	}
	return !fetchesOnly(c) && !looksOnly(c) && !housekeeping[path.Base(c.Argv[0])] && !builders[path.Base(c.Argv[0])]
}

// given are the files that a command writes with the content of its own
// here-document.
func given(c shell.Command) []string {
	var out []string
	for _, ch := range c.Changes() {
		if c.Stdin != "" && ch.Op == shell.OpWrite {
			out = append(out, ch.Path)
		}
	}
	return out
}

// effects tells what is known of a command's effects outside: whether one of
// them writes what must not be written twice; known is false where a program
// says nothing of it.
func effects(c shell.Command) (sends, known bool) {
	for _, e := range effect.FromCommand(c.Argv, c.Stdin) {
		if e.Class == effect.ExternalWrite && e.Local == "" {
			return !e.Repeatable || e.Verb == effect.Deploy || e.Verb == effect.Start, !e.Repeatable
		}
		known = known || e.Class == effect.Read
	}
	return false, known && len(c.Writes) == 0
}

func fetchesOnly(c shell.Command) bool {
	for _, ch := range c.Changes() {
		if ch.Install || ch.Formatter {
			return true
		}
	}
	if len(c.Argv) > 1 && c.Argv[1] == "install" {
		return true
	}
	return packageManagers[path.Base(c.Argv[0])] && slices.ContainsFunc(c.Argv[1:min(3, len(c.Argv))], func(w string) bool { return fetches[w] })
}

// looksOnly: the words after the program, or the code that an interpreter is
// given, change nothing; a script in scratch space is a trial.
func looksOnly(c shell.Command) bool {
	name := path.Base(c.Argv[0])
	for _, w := range c.Argv[1:min(4, len(c.Argv))] {
		if asks[w] || scratch(w) {
			return true
		}
	}
	if !interpreters[name] || len(c.Changes()) > 0 || len(c.Writes) > 0 {
		return false
	}
	return len(c.Argv) < 2 || slices.Contains([]string{"-c", "-e", "-p", "-"}, c.Argv[1])
}

// stateMoved reports that something changed what the action works on between
// its two runs: a change of what it names, for a command any change of the
// work but its prose; an undo; a look that found it gone; a new environment.
func stateMoved(v *classify.View, first, again *classify.Action) bool {
	ts := targets(v, again)
	for _, c := range v.ChangesIn(first.Pos, again.Pos) {
		if c.Action != first && c.Action != again && !c.Install && moves(c, again, ts) {
			return true
		}
	}
	for _, a := range v.ActionsIn(first.Pos, again.Pos) {
		if a != first && a.Ran() && (takesBack(a, again) || findsGone(a, ts) || makes(a, again)) {
			return true
		}
	}
	if v.NewEnvironment(first.Pos, again.Pos) {
		return true
	}
	return first.Run.Meta.Cwd != again.Run.Meta.Cwd && first.Run.Meta.Cwd != "" && again.Run.Meta.Cwd != ""
}

// moves reports that a change touches what an action works on.
func moves(c *classify.Change, again *classify.Action, ts []string) bool {
	if again.Kind == classify.RunsShell && !writesContent(again) {
		return c.Candidate() && !c.Formatter && (!prose(c.Path) || strings.Contains(again.Shell, path.Base(c.Path)))
	}
	if again.Kind == classify.Other && c.Path != "." && strings.Contains(string(again.Args), path.Base(c.Path)) {
		return true
	}
	for _, p := range ts {
		if c.Path == p || c.Path == "." || c.Op == shell.OpUnknown {
			return true
		}
	}
	return false
}

// prose are files that no program works on.
func prose(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

// undoWords name acts that put a state back.
var undoWords = regexp.MustCompile(`(?i)\b(roll[ _-]?back|undo|revert|reset|restore|drop|truncate|flush|wipe|purge|teardown|tear-down|destroy|migrate:(down|fresh|reset)|downgrade)\b`)

// takesBack reports that an action undoes states of the kind that a command or
// a tool leaves; files are judged by their changes.
func takesBack(a, again *classify.Action) bool {
	if again.Kind == classify.Edits || a.ReadOnly() {
		return false
	}
	return undoWords.MatchString(a.Shell) || a.Kind == classify.Other && undoWords.MatchString(strings.ReplaceAll(a.Tool, "_", " "))
}

// makes reports that another command between worked on a file that a command
// names: it may have made it anew.
func makes(a, again *classify.Action) bool {
	if again.Kind != classify.RunsShell || a.Kind != classify.RunsShell || a.Same(again) {
		return false
	}
	for _, c := range a.Commands {
		if _, _, isGit := c.Git(); isGit || c.ReadOnly() {
			continue
		}
		own := 1 // its own program, and the script that an interpreter runs
		if interpreters[path.Base(c.Argv[0])] {
			own = 2
		}
		for _, w := range c.Argv[min(own, len(c.Argv)):] {
			if base := path.Base(w); strings.Contains(base, ".") && len(base) > 3 && !prose(base) && strings.Contains(again.Shell, base) {
				return true
			}
		}
	}
	return false
}

var goneWords = regexp.MustCompile(`(?i)(no such file|not found|does not exist|cannot find|can't find|enoent)`)

// findsGone reports that an action looked at one of the files and did not find
// it.
func findsGone(a *classify.Action, ts []string) bool {
	if a.Outcome != ingest.Fail || !goneWords.MatchString(classify.Clip(a.Output(), 1000)) {
		return false
	}
	for _, p := range ts {
		if base := path.Base(p); strings.Contains(string(a.Args), base) {
			return true
		}
	}
	return false
}
