package runner

import "strings"

// Readers of the summaries that JavaScript runners print.

func vitestBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	suites, seen := Summary{}, false
	from := i
	for j := i; j >= max(0, i-6); j-- {
		l := strings.TrimSpace(lines[j])
		if strings.HasPrefix(l, "Test Files") {
			suites.count(l)
			seen, from = true, j
			break
		}
	}
	for j := from; j < min(len(lines), from+6); j++ {
		l := strings.TrimSpace(lines[j])
		switch {
		case strings.HasPrefix(l, "Tests "):
			s.count(l)
			s.Total, seen = 0, true
		case strings.HasPrefix(l, "Errors "):
			s.count(l)
		}
	}
	return s.suites(suites), seen
}

// suites adds files that failed without a failed test: they did not load.
func (s Summary) suites(files Summary) Summary {
	if s.Failed == 0 && files.Failed > 0 {
		s.Errors += files.Failed
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
		if s.Errors > 0 {
			s.NotRun = NotRunCollection
		}
	}
	return s
}

func jestBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s, files Summary
	s.count(lines[i])
	for j := max(0, i-3); j < i; j++ {
		if strings.HasPrefix(lines[j], "Test Suites:") {
			files.count(lines[j])
		}
	}
	return s.suites(files), true
}

// playwrightBlock reads the list of counts that ends with "passed (3s)".
func playwrightBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	indented := func(l string) bool { return strings.HasPrefix(l, "  ") }
	for j := i; j < min(len(lines), i+4) && indented(lines[j]); j++ {
		if j > i {
			s.countIf(lines[j])
		}
	}
	for j := i; j >= max(0, i-200) && indented(lines[j]); j-- {
		s.countIf(lines[j])
	}
	s.Total = 0
	return s, s.Passed+s.Failed > 0
}

var bareCount = re(`^\s+(\d+) (passed|failed|flaky|skipped|interrupted|did not run)(?: \([\d.]+\w+\))?$`)

func (s *Summary) countIf(line string) {
	m := bareCount.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if m[2] == "did not run" {
		s.Skipped += number(m[1])
		return
	}
	*fields[m[2]](s) += number(m[1])
}

func mochaBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	for j := max(0, i-2); j < min(len(lines), i+3); j++ {
		l := strings.TrimSpace(lines[j])
		if isMocha(l) {
			s.count(l)
		}
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	s.Total = 0
	return s, true
}

func isMocha(l string) bool {
	return strings.Contains(l, " passing") || strings.Contains(l, " failing") || strings.Contains(l, " pending")
}

func nodeBlock(lines []string, i int, _ []string) (Summary, bool) {
	var s Summary
	for j := max(0, i-4); j < min(len(lines), i+5); j++ {
		l, ok := strings.CutPrefix(lines[j], "# ")
		if !ok {
			l, ok = strings.CutPrefix(lines[j], "ℹ ")
		}
		name, n, _ := strings.Cut(l, " ")
		if f := fields[name]; ok && f != nil && name != "error" {
			*f(&s) += number(n)
		}
	}
	if s.Passed+s.Failed == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

func bunBlock(lines []string, i int, m []string) (Summary, bool) {
	s := Summary{}
	for j := i - 1; j >= max(0, i-7); j-- {
		if l := strings.TrimSpace(lines[j]); bunCount.MatchString(l) {
			s.count(l)
		}
	}
	s.Total = number(m[1])
	if s.Total == 0 {
		s.NotRun = NotRunNoTests
	}
	return s, true
}

var bunCount = re(`^\d+ (?:pass|fail|skip|todo|error)s?$`)
