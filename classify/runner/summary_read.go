package runner

import (
	"strconv"
	"strings"
)

var (
	countWord = re(`(\d+) ([a-zA-Z]+)`)
	wordCount = re(`([a-zA-Z]+)[:=]\s*(\d+)`)
)

// fields maps the words of summary lines to what they count.
var fields = map[string]func(*Summary) *int{
	"passed": passed, "pass": passed, "passing": passed, "passes": passed, "successful": passed, "succeeded": passed, "xfailed": passed, "flaky": passed, "ok": passed,
	"failed": failed, "fail": failed, "failing": failed, "failures": failed, "failure": failed, "xpassed": passed, "cancelled": failed, "interrupted": failed,
	"error": errored, "errors": errored,
	"skipped": skipped, "skip": skipped, "pending": skipped, "todo": skipped, "ignored": skipped, "incomplete": skipped, "disabled": skipped,
	"total": total, "tests": total,
}

func passed(s *Summary) *int  { return &s.Passed }
func failed(s *Summary) *int  { return &s.Failed }
func errored(s *Summary) *int { return &s.Errors }
func skipped(s *Summary) *int { return &s.Skipped }
func total(s *Summary) *int   { return &s.Total }

// number reads a count; absurd ones are capped so that sums cannot overflow.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<40 {
		if s == "" {
			return 0
		}
		return 1 << 40
	}
	return n
}

// count adds every "3 passed" of a line.
func (s *Summary) count(line string) {
	for _, m := range countWord.FindAllStringSubmatch(line, -1) {
		if f := fields[strings.ToLower(m[2])]; f != nil {
			*f(s) += number(m[1])
		}
	}
}

// countAfter adds every "Passed: 3" of a line.
func (s *Summary) countAfter(line string) {
	for _, m := range wordCount.FindAllStringSubmatch(line, -1) {
		if f := fields[strings.ToLower(m[1])]; f != nil {
			*f(s) += number(m[2])
		}
	}
}

func good([]string, int, []string) (Summary, bool) { return Summary{}, true }
func bad([]string, int, []string) (Summary, bool)  { return Summary{Errors: 1}, true }

func noTests([]string, int, []string) (Summary, bool) {
	return Summary{NotRun: NotRunNoTests}, true
}

func problems(_ []string, _ int, m []string) (Summary, bool) {
	n := number(m[1])
	if m[1] == "" {
		n = 1
	}
	return Summary{Errors: n}, true
}

func countLine(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	s.count(lines[i])
	s.Total = 0
	return s, true
}

// threeLine is "TOTAL tests, FAILED failures, SKIPPED skipped".
func threeLine(_ []string, _ int, m []string) (Summary, bool) {
	s := Summary{Total: number(m[1]), Failed: number(m[2]), Skipped: number(m[3])}
	return s.rest(), true
}

// rest fills Passed with what the other counts leave, and marks a run of
// nothing.
func (s Summary) rest() Summary {
	s.Passed = max(0, s.Total-s.Failed-s.Errors-s.Skipped)
	if s.Total == 0 && s.Failed == 0 && s.Errors == 0 {
		s.NotRun = NotRunNoTests
	}
	return s
}

// mixLine is threeLine, but tests that were left out by a tag are none.
func mixLine(lines []string, i int, m []string) (Summary, bool) {
	s, ok := threeLine(lines, i, m)
	if s.Total > 0 && s.Skipped == s.Total && strings.Contains(lines[i], " excluded") {
		s.NotRun = NotRunNoTests
	}
	return s, ok
}

func pytestLine(lines []string, i int, m []string) (Summary, bool) {
	var s Summary
	for _, c := range countWord.FindAllStringSubmatch(m[1], -1) {
		if f := fields[c[2]]; f != nil {
			*f(&s) += number(c[1])
		}
	}
	s.Total = s.Passed + s.Failed + s.Errors + s.Skipped
	switch {
	case s.Passed+s.Failed > 0:
	case s.Errors > 0 && near(lines, i, 200, "ERROR collecting", "during collection", "while importing", "found no collectors", "error: not found"):
		s.NotRun = NotRunCollection
	case s.Errors == 0:
		s.NotRun = NotRunNoTests
	}
	return s, true
}

// near looks for a text in the lines before i, and in one after.
func near(lines []string, i, back int, texts ...string) bool {
	for j := min(i+1, len(lines)-1); j >= max(0, i-back); j-- {
		for _, t := range texts {
			if strings.Contains(lines[j], t) {
				return true
			}
		}
	}
	return false
}

var ranLine = re(`^Ran (\d+) tests?(?: in |$)`)

func unittestLine(lines []string, i int, m []string) (Summary, bool) {
	ran := -1
	for j := i - 1; j >= max(0, i-4); j-- {
		if r := ranLine.FindStringSubmatch(lines[j]); r != nil {
			ran = number(r[1])
			break
		}
	}
	if ran < 0 {
		return Summary{}, false
	}
	s := Summary{Total: ran}
	s.countAfter(m[1])
	s.Total = ran
	s = s.rest()
	if s.Errors > 0 && s.Errors == s.Total && near(lines, i, 200, "_FailedTest", "Failed to import test module") {
		s.NotRun = NotRunCollection
	}
	return s, true
}

// cargoBlock sums the test binaries of one cargo run.
func cargoBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	for j := i; j >= 0; j-- {
		l := lines[j]
		if strings.HasPrefix(l, "test result: ") {
			s.count(l)
		}
		if strings.Contains(l, "Finished ") && strings.Contains(l, "test") && strings.HasPrefix(strings.TrimSpace(l), "Finished ") {
			break
		}
	}
	s.Total = 0
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

func nextestLine(_ []string, _ int, m []string) (Summary, bool) {
	var s Summary
	s.count(m[2])
	s.Total = number(m[1]) + s.Skipped
	return s, true
}

func rspecLine(_ []string, _ int, m []string) (Summary, bool) {
	s := Summary{Total: number(m[1]), Failed: number(m[2]), Skipped: number(m[3]), Errors: number(m[4])}
	outside := s.Errors
	s.Errors = 0
	s = s.rest()
	s.Errors = outside
	if outside > 0 && s.Total == 0 {
		s.NotRun = NotRunCollection
	}
	return s, true
}

func minitestLine(_ []string, _ int, m []string) (Summary, bool) {
	s := Summary{Total: number(m[1]), Failed: number(m[2]), Errors: number(m[3]), Skipped: number(m[4])}
	return s.rest(), true
}

func phpunitOK(lines []string, i int, m []string) (Summary, bool) {
	if m[1] != "" {
		return Summary{Total: number(m[1])}.rest(), true
	}
	return Summary{}, i+1 >= len(lines) // the counts follow on the next line
}

func phpunitLine(_ []string, _ int, m []string) (Summary, bool) {
	s := Summary{}
	s.countAfter(m[2])
	s.Total = number(m[1])
	return s.rest(), true
}

func dotnetBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	for j := i; j >= 0; j-- {
		if strings.Contains(lines[j], "!  - Failed:") {
			s.countAfter(lines[j][strings.Index(lines[j], " - "):])
		}
		if strings.Contains(lines[j], "Determining projects to restore") {
			break
		}
	}
	return s, true
}

func dotnetSummary(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Total: number(m[1]), Failed: number(m[2]), Passed: number(m[3]), Skipped: number(m[4])}, true
}

// mavenBlock sums the modules' totals; lines with a time are single classes
// and count only where no total is shown.
func mavenBlock(lines []string, i int, m []string) (Summary, bool) {
	s := Summary{}
	add := func(m []string) {
		s.Total += number(m[1])
		s.Failed += number(m[2])
		s.Errors += number(m[3])
		s.Skipped += number(m[4])
	}
	single := strings.Contains(lines[i], "Time elapsed")
	add(m)
	for j := i - 1; j >= 0 && !strings.Contains(lines[j], "Scanning for projects"); j-- {
		if !strings.Contains(lines[j], "Tests run: ") || strings.Contains(lines[j], "Time elapsed") != single {
			continue
		}
		if m := mavenCounts.FindStringSubmatch(lines[j]); m != nil {
			add(m)
		}
	}
	return s.rest(), true
}

var mavenCounts = re(`Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)`)

func bazelLine(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Total: number(m[1]), Failed: number(m[3])}.rest(), true
}

func cypressLine(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Failed: number(m[1]), Total: number(m[2])}.rest(), true
}

func ctestLine(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Failed: number(m[1]), Total: number(m[2])}.rest(), true
}

var gtestFailed = re(`^\[  FAILED  \] (\d+) tests?, listed below`)

func gtestBlock(lines []string, i int, m []string) (Summary, bool) {
	s := Summary{Passed: number(m[1])}
	for j := i + 1; j < min(len(lines), i+4); j++ {
		if f := gtestFailed.FindStringSubmatch(lines[j]); f != nil {
			s.Failed = number(f[1])
		}
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

func swiftLine(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Total: number(m[1]), Skipped: number(m[2]), Failed: number(m[3])}.rest(), true
}

func sbtLine(_ []string, _ int, m []string) (Summary, bool) {
	return Summary{Passed: number(m[1]), Failed: number(m[2]) + number(m[3]), Skipped: number(m[4])}, true
}

// gradleTest is the line of a test task; with NO-SOURCE it had no tests.
var gradleTest = re(`^> Task :\S*[tT]est(?: [A-Z-]+)?$`)

// gradleBuild takes the counts from above the verdict of the build.
func gradleBuild(verdict Summary) func([]string, int, []string) (Summary, bool) {
	counts := re(`^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?`)
	return func(lines []string, i int, _ []string) (Summary, bool) {
		for j := i - 1; j >= max(0, i-400); j-- {
			if m := counts.FindStringSubmatch(lines[j]); m != nil {
				return threeLine(lines, j, m)
			}
			switch s := verdict; {
			case strings.Contains(lines[j], "No tests found for given includes"):
				s.NotRun = NotRunNoTests
				return s, true
			case gradleTest.MatchString(lines[j]):
				if strings.HasSuffix(lines[j], " NO-SOURCE") {
					s.NotRun = NotRunNoTests
				}
				return s, true
			}
		}
		return verdict, true
	}
}
