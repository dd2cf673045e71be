package runner

import (
	"path"
	"slices"
	"strings"
)

// Satisfies tells whether the result of ran answers the required check: the
// same runner (or a whole-suite wrapper such as make test, npm test, tox for a
// runner of its ecosystem), at the same folder or above, with a selection that
// covers the required one. Where a folder is absolute or holds an expansion
// and the other is not, paths are compared by their tails.
func Satisfies(required, ran Check) bool {
	if need, have := targets(required), targets(ran); len(need) > 1 || len(have) > 1 {
		return allTargets(need, have)
	}
	if required.Runner != ran.Runner && !laterGoal(required, ran) {
		return ran.Kind == required.Kind && (wide(ran, required) || behind(ran, required)) && dirCovers(ran.Dir, required.Dir)
	}
	if required.Kind != ran.Kind {
		return false
	}
	needFilters, needPaths := split(required)
	hasFilters, hasPaths := split(ran)
	for _, f := range hasFilters {
		if !slices.Contains(needFilters, f) && !anyName(needFilters, hasFilters, f) {
			return false
		}
	}
	if strings.HasPrefix(required.Runner, "cargo") && !coversNames(needFilters, hasFilters) {
		return false
	}
	if len(needPaths) == 0 {
		return dirCovers(ran.Dir, required.Dir) && (len(hasPaths) == 0 || slices.ContainsFunc(hasPaths, everything))
	}
	for _, p := range needPaths {
		if !pathCovered(p, required, hasPaths, ran) {
			return false
		}
	}
	return true
}

// targets parts a run of make with several targets into one check each.
func targets(c Check) []Check {
	words := strings.Fields(c.Runner)
	if len(words) < 3 || words[0] != "make" {
		return []Check{c}
	}
	out := make([]Check, 0, len(words)-1)
	for _, w := range words[1:] {
		one := c
		one.Runner, one.Kind = "make "+w, taskKind(w)
		out = append(out, one)
	}
	return out
}

func allTargets(need, have []Check) bool {
	for _, n := range need {
		if !slices.ContainsFunc(have, func(h Check) bool { return Satisfies(n, h) }) {
			return false
		}
	}
	return true
}

// anyName allows several name filters: each required one needs its own.
func anyName(need, have []string, f string) bool {
	return strings.HasPrefix(f, "-name=") && len(need) > 0 && slices.ContainsFunc(have, func(h string) bool { return slices.Contains(need, h) })
}

// coversNames: name filters add up, so that all required ones must be there
// unless none narrows.
func coversNames(need, have []string) bool {
	if !slices.ContainsFunc(have, isNameFilter) {
		return true
	}
	for _, n := range need {
		if isNameFilter(n) && !slices.Contains(have, n) {
			return false
		}
	}
	return true
}

func isNameFilter(f string) bool { return strings.HasPrefix(f, "-name=") }

// wide is true for a task that runs a project's whole suite whatever the
// runner below it is called.
func wide(ran, required Check) bool {
	if len(ran.Selection) > 0 && ran.Runner != "script" {
		return false
	}
	family, target, _ := strings.Cut(ran.Runner, " ")
	if ran.Runner == "script" {
		return len(ran.Selection) == 1 && required.Runner != "script" && wholeSuite(ran.Selection[0])
	}
	var lang string
	switch {
	case ran.Runner == "tox" || ran.Runner == "nox":
		lang = "py"
	case family == "npm":
		lang, target = "js", strings.TrimPrefix(target, "run ")
	default:
		t, ok := taskRunners[family]
		if !ok {
			return false
		}
		lang = t.lang
	}
	if target != "" && breadth[target] == 0 {
		return false
	}
	if isTask(required) && !asWide(taskOf(required), target) {
		return false
	}
	need := langOf(required)
	return lang == "" || need == "" || lang == need
}

// behind is true for the whole suite of a runner where the project's test script
// is required: npm test stands for jest, vitest or whatever it calls.
func behind(ran, required Check) bool {
	family, target, _ := strings.Cut(required.Runner, " ")
	t, ok := taskRunners[family]
	return ok && t.lang != "" && target == "test" && len(ran.Selection)+len(required.Selection) == 0 && rowOf(ran.Runner).lang == t.lang
}

// breadth orders the task names and goals that stand for everything of their
// kind: check, ci and verify usually hold test; install holds verify.
var breadth = map[string]int{
	"test": 1, "tests": 1, "lint": 1, "typecheck": 1, "type-check": 1, "types": 1, "tsc": 1,
	"test:all": 2, "test-all": 2, "test:ci": 2, "test-ci": 2, "test:full": 2, "check": 2, "ci": 2, "verify": 2, "all": 2, "integration-test": 2,
	"build": 3, "install": 3,
}

func asWide(required, ran string) bool {
	return breadth[required] > 0 && breadth[required] <= max(1, breadth[ran])
}

// laterGoal: mvn verify runs what mvn test runs, gradle check what gradle
// test runs.
func laterGoal(required, ran Check) bool {
	family, goal, _ := strings.Cut(ran.Runner, " ")
	needFamily, needGoal, _ := strings.Cut(required.Runner, " ")
	return (family == "mvn" || family == "gradle") && family == needFamily && asWide(needGoal, goal)
}

func wholeSuite(p string) bool {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if path.Ext(p) != ".sh" && path.Ext(p) != "" {
		return false
	}
	stem = strings.ReplaceAll(stem, "_", "-")
	return slices.Contains([]string{"test", "tests", "run-tests", "runtests", "run-test", "ci", "check", "verify", "test-all", "run-all-tests"}, stem)
}

func isTask(c Check) bool {
	family, _, _ := strings.Cut(c.Runner, " ")
	_, ok := taskRunners[family]
	_, _, known := find(family, strings.Fields(c.Runner))
	return ok && !known
}

func taskOf(c Check) string {
	_, target, _ := strings.Cut(c.Runner, " ")
	return strings.TrimPrefix(target, "run ")
}

// split parts a selection into filters and paths.
func split(c Check) (filters, paths []string) {
	for _, s := range c.Selection {
		if strings.HasPrefix(s, "-") {
			filters = append(filters, s)
		} else {
			paths = append(paths, s)
		}
	}
	return filters, paths
}

// everything: the operand stands for the whole project.
func everything(p string) bool {
	ext := path.Ext(p)
	return p == "." || p == "./..." || p == "..." || p == "//..." || ext == ".sln" || ext == ".slnx"
}

// unplaced is a folder that cannot be related to the project's root.
func unplaced(dir string) bool {
	return strings.HasPrefix(dir, "/") || strings.ContainsAny(dir, "$~`")
}

// dirCovers: a run at have covers what is required at need.
func dirCovers(have, need string) bool {
	have, need = clean(have), clean(need)
	if unplaced(have) != unplaced(need) {
		return true // cannot be known: do not report a run as missing
	}
	return have == need || have == "" || strings.HasPrefix(need, have+"/")
}

func clean(dir string) string {
	if dir == "" || strings.ContainsAny(dir, "$`") {
		return dir
	}
	if dir = path.Clean(dir); dir == "." {
		return ""
	}
	return dir
}

func place(dir, p string) string {
	if dir = clean(dir); dir == "" || path.IsAbs(p) {
		return p
	}
	return path.Join(dir, p)
}

// pathCovered: some path of ran, or its folder, covers p.
func pathCovered(p string, required Check, have []string, ran Check) bool {
	want := place(required.Dir, p)
	r := rowOf(ran.Runner)
	if len(have) == 0 {
		if r.exact {
			return false
		}
		return unplaced(ran.Dir) != unplaced(want) || dirCovers(ran.Dir, want)
	}
	for _, h := range have {
		got := place(ran.Dir, h)
		if covers(got, want, r.exact) || covers(h, p, r.exact) && unplaced(ran.Dir) != unplaced(required.Dir) {
			return true
		}
		if r.loose && strings.Contains(want, h) {
			return true
		}
		if unplaced(got) != unplaced(want) && tailCovers(got, want) {
			return true
		}
	}
	return false
}

// tailCovers compares an absolute path with one from the root of a project.
func tailCovers(got, want string) bool {
	return strings.HasSuffix(got, "/"+want) || strings.HasSuffix(want, "/"+got)
}

// covers: the selection got includes want. exact runners include folders
// below only by "/...".
func covers(got, want string, exact bool) bool {
	if got == want {
		return true
	}
	if tree, ok := strings.CutSuffix(got, "..."); ok {
		tree = strings.TrimSuffix(tree, "/")
		return tree == "" || tree == "." || want == tree || strings.HasPrefix(want, tree+"/")
	}
	if exact {
		return false
	}
	if everything(got) {
		return !strings.HasPrefix(want, "../")
	}
	if rest, ok := strings.CutPrefix(want, got); ok {
		return rest[0] == '/' || rest[0] == ':' || rest[0] == '['
	}
	matched, err := path.Match(got, want)
	return err == nil && matched
}

// rowOf finds the table row of a canonical runner; the zero row if none.
func rowOf(runner string) row {
	for _, r := range rows {
		if r.name() == runner {
			return r
		}
	}
	return row{}
}

// langOf is the ecosystem of a check, "" if any.
func langOf(c Check) string {
	if r := rowOf(c.Runner); r.kind != "" {
		return r.lang
	}
	family, _, _ := strings.Cut(c.Runner, " ")
	switch family {
	case "mvn", "gradle":
		return "jvm"
	case "django":
		return "py"
	}
	return taskRunners[family].lang
}
