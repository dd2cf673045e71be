package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
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
	known := classify.Once(&v.Facts, "work keys", func() map[*classify.Action][]string { return map[*classify.Action][]string{} })
	keys, ok := known[a]
	if !ok {
		keys = findWork(a)
		known[a] = keys
	}
	return keys
}

func findWork(a *classify.Action) []string {
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
		if toolWorks(a) {
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

// doers lists, for each piece of work, the actions of the thread that did it.
func doers(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Facts, "doers", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.Actions {
			for _, key := range workKeys(v, a) {
				out[key] = append(out[key], a)
			}
		}
		return out
	})
}

// doneBefore is the earliest of the actions that last did these pieces of work
// before a point, nil if one of them was not done then.
func doneBefore(v *classify.View, keys []string, point int) *classify.Action {
	var first *classify.Action
	for _, key := range keys {
		all := doers(v)[key]
		n, _ := slices.BinarySearchFunc(all, point, func(a *classify.Action, p int) int { return cmp.Compare(a.Pos, p) })
		if n == 0 || all[n-1].Outcome != ingest.OK {
			return nil
		}
		if a := all[n-1]; first == nil || a.Pos < first.Pos {
			first = a
		}
	}
	return first
}

// steps are tools that act on a surface whose state the arguments do not name,
// or on nothing: pressing the same button again is another step.
var steps = phrase.MustCompile(`(?i)(browser|playwright|puppeteer|selenium|computer|click|scroll|hover|keypress|type_text|navigate|screenshot|thinking|sleep|wait|ask_|respond)`)

func toolWorks(a *classify.Action) bool {
	if steps.MatchString(a.Tool) {
		return false
	}
	if ts := targets(a); len(ts) > 0 {
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

// A command's work is taken from what it says: content that it is given, a file
// that it is to write, a verb in the name of program, script or sub-command. A
// command that says none of it may be a look, a check, a server or anything
// else, and its repetition proves nothing.

// workVerbs are what programs, scripts and sub-commands are called that do a
// piece of work which is then done. Those of five letters and more are also
// looked for at the start of a word ("createsuperuser").
var workVerbs = strings.Fields("import load seed migrate migration convert render generate train finetune deploy send publish create insert backfill export " +
	"sync upload ingest index reindex transform process encode transcode apply provision upgrade downgrade populate restore dump backup resize thumbnail " +
	"translate transcribe crawl scrape extract merge split aggregate enrich dedupe normalize archive compress mail notify register enrol issue charge refund pay " +
	"invoice bill book rotate revoke grant purge prune release promote rollout rewrite copy annotate score embed vectorize preprocess simulate optimize reconcile settle")

// workPrograms do nothing but such work.
var workPrograms = wordSet("ffmpeg pandoc convert magick mogrify whisper flyway rsync wkhtmltopdf inkscape sox handbrakecli mysqldump pg_dump pg_restore pdftotext tesseract potrace")

// targetRunners take the name of what to make.
var targetRunners = wordSet("make just task rake gmake")

// quietTargets are made again as a matter of course.
var quietTargets = wordSet("all build test tests check lint install clean fmt format dev run start serve help deps watch setup up down logs ps")

// outputFlags name the file that a command is to write.
var outputFlags = wordSet("-o --out --output --output-dir --output_dir --outfile --output-file --dest --target")

// builders make again what is made from sources.
var builders = wordSet("cmake ninja meson bazel hugo jekyll mkdocs sphinx-build webpack rollup esbuild vite next tsc gcc g++ clang clang++ cc rustc javac go cargo nyc coverage lcov swift zig dotnet latexmk pdflatex")

// packageManagers fetch what others made; fetching again changes nothing.
var packageManagers = wordSet("npm pnpm yarn bun pip pip3 uv poetry pipenv conda mamba cargo go bundle gem composer apt apt-get apk dnf yum brew pacman nix rustup")

var fetches = wordSet("install i ci add fetch download restore sync update upgrade tidy vendor get deps bootstrap")

// asks are words after a program that make it look only.
var asks = wordSet("--version -version version --help -h help --dry-run --check check status list ls show showmigrations info describe diff history logs inspect validate verify doctor current -n --list --status lint")

// interpreters run code that is given on the command line.
var interpreters = wordSet("python python3 node bun deno ruby perl php")

// writesInCode matches code that keeps something.
var writesInCode = phrase.MustCompile(`(?i)(insert into|update \w+ set|delete from|create table|\.commit\(|\.save\(|\.to_(csv|parquet|sql|json)\(|write_text\(|writefile|open\([^)]*,\s*['"][wa]b?\+?['"])`)

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
	if _, _, ok := c.Git(); ok || fetchesOnly(c) || looksOnly(c) {
		return false
	}
	if paths := given(c); len(paths) > 0 {
		return !allScratch(paths)
	}
	return saysWork(c)
}

// saysWork reports that a command names a piece of work.
func saysWork(c shell.Command) bool {
	name := path.Base(c.Argv[0])
	switch {
	case name == "echo" || name == "printf" || name == "cat" && len(c.Argv) == 1:
		return false
	case slices.ContainsFunc(c.Writes, keepsResult):
		return true
	case builders[name]:
		return false
	case targetRunners[name]:
		return slices.ContainsFunc(c.Argv[1:], func(w string) bool { return w[:min(1, len(w))] != "-" && !strings.Contains(w, "=") && !quietTargets[w] })
	case workPrograms[strings.ToLower(name)], slices.ContainsFunc(c.Argv[1:], func(w string) bool { head, _, _ := strings.Cut(w, "="); return outputFlags[head] }):
		return true
	case interpreters[name] && writesInCode.MatchString(c.Stdin+strings.Join(c.Argv[1:], " ")), name == "sqlite3" || name == "duckdb":
		return true // a SELECT was known as a read
	}
	return namesVerb(c.Argv)
}

// keepsResult: a redirect to anything but a log or scratch space.
func keepsResult(p string) bool { return !scratch(p) && path.Ext(p) != ".log" }

// namesVerb looks for a verb in the program and the first words after it.
func namesVerb(argv []string) bool {
	seen := 0
	for _, w := range argv {
		switch {
		case w == "-c" || w == "-e" || w == "--eval":
			return false // code, not a name
		case strings.HasPrefix(w, "-"):
			continue
		}
		if seen++; seen > 3 {
			return false
		}
		base, _, _ := strings.Cut(strings.ToLower(path.Base(w)), ".")
		for _, part := range strings.FieldsFunc(base, func(r rune) bool { return r < 'a' || r > 'z' }) {
			if slices.ContainsFunc(workVerbs, func(verb string) bool { return part == verb || len(verb) >= 5 && strings.HasPrefix(part, verb) }) {
				return true
			}
		}
	}
	return false
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

// looksOnly: the words after the program make it look; a script in scratch
// space is a trial.
func looksOnly(c shell.Command) bool {
	return slices.ContainsFunc(c.Argv[1:min(4, len(c.Argv))], func(w string) bool { return asks[w] || scratch(w) })
}
