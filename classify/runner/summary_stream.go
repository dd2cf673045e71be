package runner

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// goBlock adds up the packages of one `go test`. Without -v only packages are
// counted, because passing tests are not printed. An earlier run in the same
// output begins where a package repeats.
func goBlock(lines []string, i int, _ []string) (Summary, bool) {
	var pkgs, tests Summary
	verbose, built, empty := false, 0, 0
	seen := map[string]bool{}
	for j := i; j >= 0; j-- {
		l := lines[j]
		switch {
		case strings.HasPrefix(l, "ok  \t"), strings.HasPrefix(l, "FAIL\t"), strings.HasPrefix(l, "?   \t"):
			name := strings.Fields(l[5:] + " ?")[0]
			if seen[name] {
				j = 0
				continue
			}
			seen[name] = true
			switch {
			case strings.HasSuffix(l, "[build failed]"), strings.HasSuffix(l, "[setup failed]"):
				pkgs.Errors++
				built++
			case strings.HasSuffix(l, "[no test files]"), strings.HasSuffix(l, "[no tests to run]"):
				empty++
			case l[0] == 'F':
				pkgs.Failed++
			default:
				pkgs.Passed++
			}
		case strings.HasPrefix(strings.TrimLeft(l, " "), "--- "):
			l = strings.TrimLeft(l, " ")
			switch {
			case strings.HasPrefix(l, "--- PASS: "):
				tests.Passed++
				verbose = true
			case strings.HasPrefix(l, "--- FAIL: "):
				tests.Failed++
			case strings.HasPrefix(l, "--- SKIP: "):
				tests.Skipped++
			}
		}
	}
	return goCounts(pkgs, tests, verbose, built), true
}

func goCounts(pkgs, tests Summary, verbose bool, built int) Summary {
	s := pkgs
	switch {
	case verbose:
		s = tests
		s.Errors = pkgs.Errors
		if pkgs.Failed > 0 && tests.Failed == 0 {
			s.Errors += pkgs.Failed // a panic or a time-out names no test
		}
	case tests.Failed > 0:
		s.Failed = tests.Failed
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
		if built > 0 {
			s.NotRun = NotRunBuild
		}
	}
	return s
}

// goVerdict reads the lone PASS or FAIL with which the tests of one package end,
// where a filter left nothing else of the output. Of several packages it tells
// nothing: each prints its own.
func (c Check) goVerdict(lines []string) Summary {
	packages := 0
	for _, sel := range c.Selection {
		if !strings.HasPrefix(sel, "-") {
			packages++
		}
		if strings.Contains(sel, "...") {
			return Summary{}
		}
	}
	if c.Runner != "go test" || packages != 1 {
		return Summary{}
	}
	for _, l := range slices.Backward(lines) {
		switch l {
		case "PASS":
			return Summary{Passed: 1}.completed(parser{runner: c.Runner})
		case "FAIL":
			return Summary{Failed: 1}.completed(parser{runner: c.Runner})
		}
	}
	return Summary{}
}

// goJSON adds up the results of `go test -json`.
func goJSON(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	pkgFailed := false
	for j := i; j >= 0; j-- {
		if !strings.HasPrefix(lines[j], "{") || !strings.Contains(lines[j], `"Action":"`) {
			continue
		}
		var ev struct{ Action, Package, Test string }
		if json.Unmarshal([]byte(lines[j]), &ev) != nil {
			continue
		}
		if ev.Test == "" {
			pkgFailed = pkgFailed || ev.Action == "fail"
			continue
		}
		switch ev.Action {
		case "pass":
			s.Passed++
		case "fail":
			s.Failed++
		case "skip":
			s.Skipped++
		}
	}
	if pkgFailed && s.Failed == 0 {
		s.Errors++
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
		if pkgFailed {
			s.NotRun = NotRunBuild
		}
	}
	return s, true
}

// tapBlock counts the points of a TAP stream and holds them against the plan.
func tapBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	plan := -1
	points := false
	for j := i; j >= 0; j-- {
		l := lines[j]
		switch {
		case strings.HasPrefix(l, "ok ") && tapPoint.MatchString(l):
			points = true
			if strings.Contains(strings.ToLower(l), "# skip") {
				s.Skipped++
			} else {
				s.Passed++
			}
		case strings.HasPrefix(l, "not ok ") && tapPoint.MatchString(l):
			points = true
			if strings.Contains(strings.ToLower(l), "# todo") {
				s.Skipped++
			} else {
				s.Failed++
			}
		case strings.HasPrefix(l, "1..") && len(l) < 16:
			if plan >= 0 {
				return s.planned(plan), true
			}
			plan = number(l[3:])
			if points && s.Passed+s.Failed+s.Skipped >= plan {
				return s.planned(plan), true
			}
		}
	}
	if plan < 0 {
		return Summary{}, false
	}
	return s.planned(plan), true
}

var tapPoint = re(`^(?:not )?ok \d+\b`)

// planned counts points that the plan announced and nothing reported.
func (s Summary) planned(plan int) Summary {
	done := s.Passed + s.Failed + s.Skipped
	if plan > done && done > 0 {
		s.Errors += plan - done
	}
	if done == 0 {
		s.NotRun = NotRunNoTests
	}
	return s
}

var consoleCount = re(`^\[\s+(\d+) tests (successful|failed|skipped|aborted)\s+\]`)

func junitConsole(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	for j := max(0, i-8); j < min(len(lines), i+4); j++ {
		m := consoleCount.FindStringSubmatch(lines[j])
		switch {
		case m == nil:
		case m[2] == "aborted":
			s.Skipped += number(m[1])
		default:
			*fields[m[2]](&s) += number(m[1])
		}
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

var xmlCount = re(`\b(tests|failures|errors|skipped)="(\d+)"`)

func junitXML(lines []string, i int, _ []string) (Summary, bool) {
	s, found := Summary{}, false
	for j := 0; j <= i; j++ { // the outermost element stands first
		l := lines[j]
		at := strings.Index(l, "<testsuite")
		if at < 0 {
			continue
		}
		tag, _, _ := strings.Cut(l[at:], ">")
		if !strings.Contains(tag, "tests=") {
			continue
		}
		if found && !strings.HasPrefix(tag, "<testsuites") && s.Runner == "all" {
			continue
		}
		if strings.HasPrefix(tag, "<testsuites") {
			s = Summary{Runner: "all"}
		}
		found = true
		for _, m := range xmlCount.FindAllStringSubmatch(tag, -1) {
			*fields[m[1]](&s) += number(m[2])
		}
	}
	return s.rest(), found
}

func proveBlock(lines []string, i int, m []string) (Summary, bool) {
	s := Summary{}
	for j := i - 1; j >= max(0, i-3); j-- {
		if c := proveCount.FindStringSubmatch(lines[j]); c != nil {
			s.Total = number(c[1])
		}
	}
	switch m[1] {
	case "FAIL":
		s.Failed = 1
	case "NOTESTS":
		s.NotRun = NotRunNoTests
	}
	s.Passed = max(0, s.Total-s.Failed)
	return s, true
}

var proveCount = re(`^Files=\d+, Tests=(\d+)`)

// ctrfBlock reads the "summary" object of a CTRF report, on one line or
// spread over several.
func ctrfBlock(lines []string, i int, _ []string) (Summary, bool) {
	from := max(0, i-12)
	text := strings.Join(lines[from:min(len(lines), i+12)], "\n")
	at := strings.LastIndex(text, `"summary"`)
	if at < 0 {
		return Summary{}, false
	}
	body, _, _ := strings.Cut(text[at:], "}")
	var s Summary
	for _, m := range jsonCount.FindAllStringSubmatch(body, -1) {
		*fields[m[1]](&s) = number(m[2])
	}
	if other := ctrfOther.FindStringSubmatch(body); other != nil {
		s.Errors = number(other[1])
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

var (
	jsonCount = re(`"(tests|passed|failed|skipped|pending)"\s*:\s*(\d+)`)
	ctrfOther = re(`"other"\s*:\s*(\d+)`)
)

// tscLines counts the errors of a compiler that prints no total.
func tscLines(lines []string, i int, _ []string) (Summary, bool) {
	n := 0
	for j := i; j >= 0; j-- {
		if strings.Contains(lines[j], "error TS") {
			n++
		}
	}
	return Summary{Errors: n}, true
}
