package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/shell"
)

// prefixes are wrappers that Recognize takes off itself, so that an argv out
// of a record or a configuration file needs no shell parser.
var prefixes = []string{
	"npx", "bunx", "pnpx", "pnpm exec", "pnpm dlx", "npm exec", "npm x", "yarn exec", "yarn dlx", "bun x",
	"python -m", "uv run", "uvx", "poetry run", "pipenv run", "pdm run", "rye run", "hatch run", "bundle exec",
	"coverage run -m", "env", "sudo", "time", "nohup", "command", "cross-env",
}

// Recognize tells whether argv, with its wrappers peeled, runs a check.
// Listing, help, installing and merely naming a runner is none.
func Recognize(argv []string) (Check, bool) {
	given := argv
	argv = unwrap(argv)
	if len(argv) == 0 || slices.ContainsFunc(argv[1:], isInfo) || len(argv) == 2 && (argv[1] == "-V" || argv[1] == "-h" || argv[1] == "version" || argv[1] == "help") {
		return Check{}, false
	}
	c, ok := recognize(argv)
	c.Argv = given
	if !ok {
		return Check{}, false
	}
	return c, true
}

func recognize(argv []string) (Check, bool) {
	name := shell.Program(argv[0])
	if name == "mvn" || name == "mvnw" || name == "gradle" || name == "gradlew" {
		return goals(name, argv)
	}
	if name == "python" && len(argv) > 2 && path.Base(argv[1]) == "manage.py" && argv[2] == "test" {
		sel, _ := row{values: "--settings -v --parallel", filters: "-k --tag --exclude-tag --pattern"}.selection(argv[3:])
		return Check{Runner: "django test", Kind: Test, Selection: sel}, true
	}
	if name == "cargo" {
		argv = cargoWords(argv)
	}
	if rest := interpreted(name, argv); rest != nil {
		argv, name = rest, shell.Program(rest[0])
	}
	if name == "php" && len(argv) > 1 && argv[1] == "artisan" || name == "node" && slices.Contains(argv, "--test") {
		argv, name = reorder(name, argv)
	}
	if r, width, ok := find(name, argv); ok {
		return r.check(argv[width:])
	}
	if managers[name] && len(argv) > 1 { // yarn jest, pnpm playwright test
		if r, width, ok := find(shell.Program(argv[1]), argv[1:]); ok {
			return r.check(argv[1+width:])
		}
	}
	if c, ok := task(name, argv); ok {
		return c, true
	}
	return script(name, argv)
}

// cargoWords drops the toolchain and writes the short names out.
func cargoWords(argv []string) []string {
	if len(argv) > 1 && strings.HasPrefix(argv[1], "+") {
		argv = append([]string{argv[0]}, argv[2:]...)
	}
	long := map[string]string{"t": "test", "b": "build", "c": "check"}
	if len(argv) > 1 && long[argv[1]] != "" {
		argv = append([]string{argv[0], long[argv[1]]}, argv[2:]...)
	}
	return argv
}

// interpreted finds a runner's own file behind its interpreter:
// `php -d x=y vendor/bin/phpunit`, `node node_modules/.bin/jest`.
func interpreted(name string, argv []string) []string {
	if !interpreters[name] {
		return nil
	}
	for i := 1; i < len(argv); i++ {
		switch a := argv[i]; {
		case a == "-d" || a == "-r" || a == "--require" || a == "-I":
			i++
		case strings.HasPrefix(a, "-"):
		case strings.Contains(a, "/"):
			if _, _, ok := find(shell.Program(a), argv[i:]); ok {
				return argv[i:]
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// reorder brings `php artisan test` and `node --x --test` into table form.
func reorder(name string, argv []string) ([]string, string) {
	if name == "php" {
		return argv[1:], "artisan"
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return a == "--test" })
	return append([]string{"node", "--test"}, rest...), "node"
}

// find returns the row with the most words that begin argv.
func find(name string, argv []string) (best row, width int, ok bool) {
	for _, r := range rows {
		n := max(shell.Leading(name, argv, r.words), shell.Leading(argv[0], argv, r.words))
		if n > width {
			best, width = r, n
		}
	}
	return best, width, width > 0
}

func (r row) name() string {
	if r.runner != "" {
		return r.runner
	}
	return r.words
}

// check reads the arguments after the row's words.
func (r row) check(args []string) (Check, bool) {
	if r.kind == "" || hasAny(args, r.not) || r.needs != "" && !hasAny(args, r.needs) {
		return Check{}, false
	}
	sel, paths := r.selection(args)
	if r.exact && paths == 0 {
		sel = append(sel, ".")
	}
	return Check{Runner: r.name(), Kind: r.kind, Selection: sel}, true
}

// selection returns what narrows, and how many paths are in it.
func (r row) selection(args []string) (sel []string, paths int) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, value, attached := strings.Cut(a, "=")
		if r.lang == "go" && strings.HasPrefix(name, "--") && has(r.filters, name[1:]) {
			name = name[1:] // Go takes --run for -run
		}
		switch {
		case a == "" || a == "--":
		case a[0] != '-':
			if r.none {
				continue
			}
			if r.names {
				sel = append(sel, "-name="+a)
				continue
			}
			sel = append(sel, cleanPath(a))
			paths++
		case has(r.filters, name):
			if !attached && i+1 < len(args) {
				i++
				value = args[i]
			}
			sel = append(sel, name+"="+value)
		case has(r.narrow, name):
			sel = append(sel, name)
		case has(r.values, name) && !attached && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
		}
	}
	return sel, paths
}

// goals reads Maven's and Gradle's command line.
func goals(name string, argv []string) (Check, bool) {
	runner := strings.TrimSuffix(name, "w")
	c := Check{}
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		last := a[strings.LastIndexByte(a, ':')+1:]
		switch {
		case a == "-DskipTests", strings.HasPrefix(a, "-Dmaven.test.skip"):
			c.Kind = Build
		case strings.HasPrefix(a, "-Dtest="), strings.HasPrefix(a, "-Dit.test="):
			c.Selection = append(c.Selection, a)
		case (a == "--tests" || a == "-pl" || a == "-p") && i+1 < len(argv):
			i++
			c.Selection = append(c.Selection, a+"="+argv[i])
		case lifecycle[last] != "":
			if c.Runner == "" || lifecycle[last] == Test {
				c.Runner = runner + " " + last
				if c.Kind == "" || c.Kind != Test && !slices.Contains(argv, "-DskipTests") {
					c.Kind = lifecycle[last]
				}
			}
			if project := strings.Trim(strings.TrimSuffix(a, last), ":"); project != "" {
				c.Selection = append(c.Selection, "-p="+project)
			}
		}
	}
	return c, c.Runner != ""
}

// unwrap takes off the prefixes, their flags and NAME=value words.
func unwrap(argv []string) []string {
	for range 8 {
		if len(argv) == 0 {
			return nil
		}
		name, width := shell.Program(argv[0]), 0
		for _, p := range prefixes {
			if n := shell.Leading(name, argv, p); n < len(argv) {
				width = max(width, n)
			}
		}
		rest := argv[width:]
		if width > 0 || strings.Contains(argv[0], "=") && !strings.Contains(argv[0], "/") {
			for len(rest) > 0 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
				rest = rest[1:]
			}
		}
		if len(rest) == len(argv) {
			return argv
		}
		argv = rest
	}
	return argv
}

func isInfo(a string) bool { return has(anyInfo, a) }

func has(list, flag string) bool {
	for list != "" {
		var word string
		word, list, _ = strings.Cut(list, " ")
		if word == flag && flag != "" {
			return true
		}
	}
	return false
}

func hasAny(args []string, flags string) bool {
	return flags != "" && slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return has(flags, name)
	})
}

// cleanPath removes "./" and a trailing "/", and keeps Go's "/...".
func cleanPath(p string) string {
	if p == "" || strings.Contains(p, "://") {
		return p
	}
	if strings.HasPrefix(p, "//") { // a Bazel label
		return p
	}
	if p = path.Clean(p); p == "..." {
		return "./..."
	}
	return p
}
