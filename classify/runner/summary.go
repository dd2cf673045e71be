package runner

import (
	"slices"
	"strings"
)

// Summary is what a runner said about its run.
type Summary struct {
	// Runner is the family whose summary was found, "" if none.
	Runner string
	// Passed, Failed, Errors, Skipped and Total count tests; for linters and
	// compilers Errors counts the problems. Total is what the runner states,
	// else the sum of the others. Expected failures count as passed.
	Passed, Failed, Errors, Skipped, Total int
	// Seen is set when a complete summary was found.
	Seen bool
	// NotRun says why nothing was executed, one of the NotRun constants.
	NotRun string
	// Clean is set when a summary was seen, something was executed and
	// nothing failed. The exit status plays no part, so that a contradiction
	// between both can be found.
	Clean bool
}

// Reasons why nothing was executed.
const (
	NotRunNotFound   = "command not found"
	NotRunMissing    = "runner missing"
	NotRunNoTests    = "no tests"
	NotRunCollection = "collection error"
	NotRunParse      = "parse error"
	NotRunBuild      = "build failed"
	NotRunDenied     = "not executable"
)

// maxLine bounds what is looked at of one line, in bytes.
const maxLine = 4096

// ParseOutput finds the last complete summary of a known runner in output.
// exit is the process's status, nil if it is not known; it is used only to
// tell that nothing ran. Colour codes are ignored; output that was cut in
// front (tail -20) is enough. `go test` prints no last line, so that output
// which was cut behind (head -20) looks complete. Work is linear in the size
// of output.
func ParseOutput(output string, exit *int) Summary {
	lines := splitLines(output)
	return lastSummary(lines, func(parser) bool { return true }).judged(lines, exit)
}

// Parse is ParseOutput for the output of one check among other commands: it
// takes the last summary that this check could have printed, so that in
// `make test && make lint` each finds its own.
func (c Check) Parse(output string, exit *int) Summary {
	lines := splitLines(output)
	s := lastSummary(lines, c.prints)
	if !s.Seen {
		s = lastSummary(lines, c.mayPrint)
	}
	if !s.Seen {
		s = c.goVerdict(lines)
	}
	if !s.Seen && lastSummary(lines, func(parser) bool { return true }).Seen {
		if why := whyNot(lines, exit); why == NotRunBuild {
			s.NotRun = why // the compiler's summary stands where the tests' would
		}
		return s // something else ran, and this check said nothing
	}
	return s.judged(lines, exit)
}

// printers names the parsers of runners that are called otherwise.
var printers = map[string]string{
	"django test": "unittest", "rails test": "minitest", "rake test": "minitest", "cargo clippy": "cargo build",
	"nosetests": "unittest", "tsc": "tsc", "vue-tsc": "tsc", "basedpyright": "pyright",
}

// prints tells whether p is the parser of this very runner.
func (c Check) prints(p parser) bool {
	family, _, _ := strings.Cut(c.Runner, " ")
	return p.runner == c.Runner || p.runner == printers[c.Runner] || p.runner == family ||
		family == "mvn" && p.runner == "maven"
}

// Summarizes tells whether the runner is known to end with a summary that Parse
// can read, so that output without one is cut off.
func (c Check) Summarizes() bool {
	return slices.ContainsFunc(parsers, c.prints)
}

// mayPrint tells whether p is a parser for checks of this kind: what a task
// or a script runs is not known.
func (c Check) mayPrint(p parser) bool {
	return (c.Kind == Test) != p.problems
}

// judged adds why nothing ran, and whether the summary is clean.
func (s Summary) judged(lines []string, exit *int) Summary {
	if !s.Seen {
		s.NotRun = whyNot(lines, exit)
	}
	s.Clean = s.Seen && s.NotRun == "" && s.Failed == 0 && s.Errors == 0
	return s
}

func lastSummary(lines []string, fits func(parser) bool) Summary {
	skip := make([]bool, len(parsers)) // unfit, or scanned all lines in vain
	for k, p := range parsers {
		skip[k] = !fits(p)
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if !summaryHints.In(lines[i]) {
			continue
		}
		for k, p := range parsers {
			if skip[k] || !strings.Contains(lines[i], p.hint) {
				continue
			}
			m := p.line.FindStringSubmatch(lines[i])
			if m == nil {
				continue
			}
			s, ok := p.read(lines, i, m)
			if ok {
				return s.completed(p)
			}
			skip[k] = p.whole
		}
	}
	return Summary{}
}

// completed names the runner and fills in the total.
func (s Summary) completed(p parser) Summary {
	s.Runner, s.Seen = p.runner, true
	if s.Total == 0 && !p.problems {
		s.Total = s.Passed + s.Failed + s.Skipped + s.Errors
	}
	return s
}

// splitLines cuts into lines without colour codes, carriage returns (the last
// state of a progress line counts) and what is beyond maxLine.
func splitLines(output string) []string {
	lines := strings.Split(output, "\n")
	for i, l := range lines {
		if len(l) > maxLine {
			l = l[:maxLine]
		}
		l = strings.TrimRight(l, "\r \t")
		if j := strings.LastIndexByte(l, '\r'); j >= 0 {
			l = l[j+1:]
		}
		lines[i] = stripColour(l)
	}
	return lines
}

func stripColour(l string) string {
	if strings.IndexByte(l, 0x1b) < 0 {
		return l
	}
	var b strings.Builder
	for i := 0; i < len(l); i++ {
		if l[i] != 0x1b {
			b.WriteByte(l[i])
			continue
		}
		i++
		if i < len(l) && l[i] == '[' {
			for i++; i < len(l) && (l[i] < 0x40 || l[i] > 0x7e); i++ {
			}
		}
	}
	return b.String()
}
