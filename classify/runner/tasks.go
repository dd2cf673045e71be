package runner

import (
	"path"
	"slices"
	"strings"
)

// managers run the scripts of package.json; they are one family.
var managers = map[string]bool{"npm": true, "pnpm": true, "yarn": true, "bun": true}

// taskRunners run named tasks of a project file. sub lists the words that may
// stand between the runner and the task.
var taskRunners = map[string]struct{ sub, values, lang string }{
	"npm":  {sub: "run run-script", values: "--workspace -w --prefix", lang: "js"},
	"pnpm": {sub: "run", values: "--filter -F -C --dir", lang: "js"},
	"yarn": {sub: "run workspace workspaces foreach", values: "--cwd", lang: "js"},
	"bun":  {sub: "run", values: "--cwd --filter", lang: "js"},
	"make": {values: "-j -f --file -C -l -o"}, "gmake": {values: "-j -f -C"}, "just": {values: "-f --justfile -d"},
	"task": {values: "-t --taskfile -d"}, "mise": {sub: "run r", values: "-C"}, "rake": {lang: "ruby"}, "invoke": {lang: "py"}, "inv": {lang: "py"},
	"poe": {lang: "py"}, "composer": {sub: "run run-script", lang: "php"}, "hatch": {sub: "run", lang: "py"}, "pdm": {sub: "run", lang: "py"}, "deno": {sub: "task", lang: "js"}, "mage": {lang: "go"}, "xtask": {lang: "rust"}, "moon": {sub: "run"}, "earthly": {}, "nx": {sub: "run", lang: "js"}, "turbo": {sub: "run", values: "--filter -F --concurrency", lang: "js"}, "lerna": {sub: "run", values: "--scope", lang: "js"},
}

// taskKinds maps a word of a task's name to what the task proves.
var taskKinds = map[string]Kind{
	"test": Test, "tests": Test, "unit": Test, "e2e": Test, "spec": Test, "specs": Test, "integration": Test,
	"check": Test, "checks": Test, "ci": Test, "verify": Test, "validate": Test, "coverage": Test, "cov": Test, "smoke": Test, "unittest": Test, "pytest": Test, "jest": Test, "vitest": Test, "playwright": Test, "t": Test, "precommit": Lint, "presubmit": Test,
	"lint": Lint, "eslint": Lint, "vet": Lint, "clippy": Lint, "ruff": Lint, "golangci": Lint,
	"typecheck": Types, "types": Types, "tsc": Types, "mypy": Types, "typing": Types, "pyright": Types,
	"build": Build, "compile": Build, "bundle": Build,
}

// notTasks are words that make a task something else whatever follows.
var notTasks = map[string]bool{"watch": true, "dev": true, "start": true, "serve": true, "clean": true, "install": true, "setup": true, "deploy": true, "publish": true, "release": true, "docs": true, "ui": true, "debug": true, "update": true, "fixtures": true, "generate": true, "gen": true}

// taskKind reads the kind out of a task name such as "test:unit",
// "type-check" or "fmt_check"; "" if it is no check.
func taskKind(name string) Kind {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(":-_./", r) })
	if len(words) > 5 || slices.ContainsFunc(words, func(w string) bool { return notTasks[w] }) {
		return ""
	}
	joined := strings.Join(words, " ")
	switch {
	case strings.Contains(joined, "type check"), strings.Contains(joined, "check types"):
		return Types
	case hasWord(words, "fmt", "format", "prettier", "formatting"):
		if hasWord(words, "check", "verify", "ci", "lint") {
			return Format
		}
		return ""
	}
	for _, w := range words {
		if k := taskKinds[w]; k != "" && w != "check" {
			return k
		}
	}
	if hasWord(words, "check") {
		return Test
	}
	return ""
}

func hasWord(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
}

// task recognises npm test, make check, just ci, mise run lint and the like.
func task(name string, argv []string) (Check, bool) {
	t, ok := taskRunners[name]
	if !ok {
		return Check{}, false
	}
	if (name == "make" || name == "gmake") && hasAny(argv, "-n --dry-run --just-print --version -q --question -p") {
		return Check{}, false
	}
	family := name
	if managers[name] {
		family = "npm"
	}
	i, sub := 1, false
	for i < len(argv) {
		a := argv[i]
		switch {
		case has(t.values, a) && i+1 < len(argv) && !(a == "-j" && !isNumber(argv[i+1])):
			i += 2
		case strings.HasPrefix(a, "-") || !managers[name] && strings.Contains(a, "="):
			i++
		case !sub && has(t.sub, a):
			sub = true
			i++
		default:
			return taskCheck(family, a, sub, argv, i+1)
		}
	}
	if name == "make" || name == "gmake" {
		return Check{Runner: "make", Kind: Build}, true
	}
	return Check{}, false
}

func taskCheck(family, target string, sub bool, argv []string, i int) (Check, bool) {
	if family == "npm" && target == "t" || family == "npm" && target == "tst" {
		target = "test"
	}
	kind := taskKind(target)
	if kind == "" || family == "npm" && !sub && notScript(target) || target == "all" {
		return Check{}, false
	}
	c := Check{Runner: family + " " + target, Kind: kind}
	if family == "npm" && target != "test" {
		c.Runner = "npm run " + target
	}
	for _, a := range argv[i:] {
		name, _, assigned := strings.Cut(a, "=")
		switch {
		case a == "--":
		case assigned && !strings.HasPrefix(a, "-"):
			if narrowing[strings.ToUpper(name)] {
				c.Selection = append(c.Selection, "-"+a)
			}
		case family == "make" && taskKind(a) == "":
		case family == "make":
			c.Runner += " " + a
		default:
			c.Selection = append(c.Selection, a)
		}
	}
	c.Selection = passedOn(c.Selection)
	return c, true
}

// narrowing are the variables by which makefiles select tests.
var narrowing = map[string]bool{"TEST": true, "TESTS": true, "T": true, "RUN": true, "FILTER": true, "PKG": true, "PKGS": true, "FILE": true, "FILES": true, "ONLY": true, "TESTARGS": true, "TEST_ARGS": true, "ARGS": true, "PYTEST_ARGS": true, "K": true, "SUITE": true}

// notScript are words after npm, pnpm, yarn and bun that are their own
// commands although they look like a task.
func notScript(target string) bool {
	return slices.Contains([]string{"install", "ci", "add", "i", "init", "publish", "audit", "pack", "verify", "check", "build"}, target)
}

// passedOn reads what a task hands to its tool: paths and filters narrow,
// other flags do not.
func passedOn(args []string) (out []string) {
	all := row{filters: pytestFilters + " " + jestFilters + " -run --filter --spec", narrow: jestNarrow + " --lf", values: pytestValues + " " + jestValues + " -count -timeout"}
	for _, a := range args {
		if strings.HasPrefix(a, "-") && strings.Contains(a, "=") && narrowing[strings.ToUpper(strings.TrimLeft(a[:strings.Index(a, "=")], "-"))] {
			out = append(out, a)
		}
	}
	sel, _ := all.selection(args)
	for _, s := range sel {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// interpreters run a test file given as their first operand.
var interpreters = map[string]bool{"python": true, "node": true, "ruby": true, "php": true, "perl": true, "tsx": true, "ts-node": true, "bun": true, "deno": true, "julia": true, "Rscript": true, "lua": true, "bash": true, "sh": true, "zsh": true, "dash": true}

// script recognises ./test.sh, bash tests/run.sh, python tests/test_x.py.
func script(name string, argv []string) (Check, bool) {
	i := 0
	if interpreters[name] {
		for i = 1; i < len(argv) && (strings.HasPrefix(argv[i], "-") || argv[i] == "run"); i++ {
			if argv[i] == "-c" || argv[i] == "-e" || argv[i] == "-m" || argv[i] == "--eval" {
				return Check{}, false
			}
		}
	} else if !strings.Contains(argv[0], "/") && !strings.HasSuffix(argv[0], ".sh") {
		return Check{}, false
	}
	if i >= len(argv) || !testFile(argv[i]) {
		return Check{}, false
	}
	sel := []string{cleanPath(argv[i])}
	for _, a := range argv[i+1:] {
		if a != "--" && !strings.HasPrefix(a, "-") {
			sel = append(sel, a)
		}
	}
	return Check{Runner: "script", Kind: Test, Selection: sel}, true
}

// bareWords are what the name of a test script without an ending is made of.
var bareWords = map[string]bool{"run": true, "test": true, "tests": true, "runtests": true, "testall": true, "all": true, "ci": true, "check": true, "verify": true, "e2e": true, "smoke": true, "unit": true, "integration": true, "selftest": true, "spec": true}

// testFile tells a script that tests from others by its name.
func testFile(p string) bool {
	base := strings.ToLower(path.Base(p))
	stem := base
	if ext := path.Ext(base); ext != "" {
		if !slices.Contains([]string{".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".sh", ".bash", ".rb", ".php", ".pl", ".t", ".jl", ".r", ".lua", ".tsx"}, ext) {
			return false
		}
		stem = strings.TrimSuffix(base, ext)
	}
	bare := path.Ext(base) == "" // a compiled program may be called anything-test
	words := strings.FieldsFunc(stem, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	if hasWord(words, "test", "tests", "spec", "e2e", "smoke", "runtests", "testall", "ci", "verify", "check", "selftest") {
		if bare && slices.ContainsFunc(words, func(w string) bool { return !bareWords[w] }) {
			return false
		}
		return !hasWord(words, "setup", "generate", "gen", "create", "make", "data", "config", "install", "conf")
	}
	dir := path.Base(path.Dir(p))
	return (dir == "tests" || dir == "test") && hasWord(words, "run", "runner", "all", "main")
}
