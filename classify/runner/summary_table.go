package runner

import "github.com/faultline-dev/faultline/classify/phrase"

// parser is one kind of summary line. hint is a cheap test for the line; read
// may look at the lines around i to complete the counts.
type parser struct {
	runner   string
	hint     string
	line     *phrase.Pattern
	read     func(lines []string, i int, m []string) (Summary, bool)
	whole    bool // read scans all lines above: if in vain, never again
	problems bool // Errors counts problems of a linter, not tests
}

func re(s string) *phrase.Pattern { return phrase.MustCompile(s) }

// summaryHints are the hints of all parsers.
var summaryHints = func() *phrase.Words {
	var all []string
	for _, p := range parsers {
		all = append(all, p.hint)
	}
	return phrase.NewWords(all...)
}()

// parsers is the table of summary lines; the first that fits a line wins.
var parsers = []parser{
	{runner: "pytest", hint: " in ", line: re(`^=*\s*((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests? passed)(?:, )?)+) in [\d.]+ ?s(?:econds)?\b`), read: pytestLine},
	{runner: "pytest", hint: "no tests ", line: re(`^=*\s*no tests (?:ran|collected)\b`), read: noTests},
	{runner: "vitest", hint: "Tests ", line: re(`^\s*Tests\s{1,4}(?:\d+ \w+|no tests)[^:]*(?:\(\d+\))?$`), read: vitestBlock},
	{runner: "vitest", hint: "Errors ", line: re(`^\s*Errors\s+\d+ errors?$`), read: vitestBlock},
	{runner: "vitest", hint: "Test Files ", line: re(`^\s*Test Files\s+(?:\d+ \w+|no tests)`), read: vitestBlock},
	{runner: "jest", hint: "Tests:", line: re(`^Tests:\s+(?:\d+ \w+, )*\d+ total$`), read: jestBlock},
	{runner: "playwright", hint: "passed (", line: re(`^\s+\d+ passed \([\d.]+\w+\)$`), read: playwrightBlock},
	{runner: "playwright", hint: " failed", line: re(`^\s{2}\d+ failed$`), read: playwrightBlock},
	{runner: "mocha", hint: " passing", line: re(`^\s+\d+ passing(?: \(.*\))?$`), read: mochaBlock},
	{runner: "mocha", hint: " failing", line: re(`^\s+\d+ failing$`), read: mochaBlock},
	{runner: "unittest", hint: "OK", line: re(`^OK(?: \((.*)\))?$`), read: unittestLine},
	{runner: "unittest", hint: "FAILED (", line: re(`^FAILED \(((?:failures|errors|skipped|expected failures|unexpected successes).*)\)$`), read: unittestLine},
	{runner: "unittest", hint: "NO TESTS RAN", line: re(`^NO TESTS RAN`), read: noTests},
	{runner: "cargo test", hint: "test result: ", line: re(`^test result: \w+\. \d+ passed`), read: cargoBlock},
	{runner: "cargo test", hint: "tests run: ", line: re(`^\s*Summary \[.*\] (\d+)(?:/\d+)? tests? run: (.*)$`), read: nextestLine},
	{runner: "go test", hint: " \t", line: re(`^(?:ok  |FAIL|\?   )\t\S+`), read: goBlock},
	{runner: "go test", hint: "FAIL\t", line: re(`^(?:ok  |FAIL|\?   )\t\S+`), read: goBlock},
	{runner: "go test", hint: "Action", line: re(`^\{.*"Action":"(?:pass|fail|skip)"`), read: goJSON},
	{runner: "node --test", hint: "fail ", line: re(`^(?:#|ℹ) fail \d+$`), read: nodeBlock},
	{runner: "rspec", hint: " example", line: re(`^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?`), read: rspecLine},
	{runner: "minitest", hint: "assertions, ", line: re(`^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) (?:skips|pendings)`), read: minitestLine},
	{runner: "mix test", hint: " failure", line: re(`^(?:\d+ \w+, )?(\d+) tests?, (\d+) failures?(?:, (\d+) (?:skipped|not run|excluded))?`), read: mixLine},
	{runner: "phpunit", hint: "OK", line: re(`^OK(?:, but .*!| \((\d+) tests?, \d+ assertions?\))$`), read: phpunitOK},
	{runner: "phpunit", hint: "Tests: ", line: re(`^Tests: (\d+), Assertions: \d+(.*)\.$`), read: phpunitLine},
	{runner: "phpunit", hint: "No tests executed", line: re(`^No tests executed!`), read: noTests},
	{runner: "pest", hint: "Tests:", line: re(`^\s*Tests:\s+(?:\d+ \w+(?:, )?)+ \(\d+ assertions?\)`), read: countLine},
	{runner: "dotnet test", hint: "Failed:", line: re(`^\s*(?:Passed|Failed|Skipped)!\s+- Failed:\s*\d+, Passed:\s*\d+`), read: dotnetBlock},
	{runner: "dotnet test", hint: "Test summary: ", line: re(`^\s*Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+)`), read: dotnetSummary},
	{runner: "maven", hint: "Tests run: ", line: re(`Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)`), read: mavenBlock},
	{runner: "gradle", hint: " completed", line: re(`^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?`), read: threeLine},
	{runner: "ctest", hint: "tests passed, ", line: re(`^\d+% tests passed, (\d+) tests? failed out of (\d+)`), read: ctestLine},
	{runner: "gtest", hint: "[  PASSED  ]", line: re(`^\[  PASSED  \] (\d+) tests?\.`), read: gtestBlock},
	{runner: "swift test", hint: "Executed ", line: re(`^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?`), read: swiftLine},
	{runner: "sbt test", hint: "Tests: succeeded", line: re(`Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+)`), read: sbtLine},
	{runner: "deno test", hint: " | ", line: re(`^(?:ok|FAILED) \| \d+ passed`), read: countLine},
	{runner: "bun test", hint: "Ran ", line: re(`^\s*Ran (\d+) tests? across \d+ files?`), read: bunBlock},
	{runner: "bats", hint: "not ok ", line: re(`^not ok \d+`), read: tapBlock, whole: true},
	{runner: "tap", hint: "ok ", line: re(`^ok \d+\b`), read: tapBlock, whole: true},
	{runner: "tap", hint: "1..", line: re(`^1\.\.\d+$`), read: tapBlock, whole: true},
	{runner: "junit", hint: " tests ", line: re(`^\[\s+\d+ tests (?:successful|failed)\s+\]`), read: junitConsole},
	{runner: "junit", hint: "<testsuite", line: re(`<testsuites?\b[^>]*\btests="(\d+)"`), read: junitXML},
	{runner: "prove", hint: "Result: ", line: re(`^Result: (PASS|FAIL|NOTESTS)$`), read: proveBlock},
	{runner: "ctrf", hint: `"passed"`, line: re(`"passed"\s*:\s*\d+`), read: ctrfBlock},
	{runner: "bazel test", hint: "Executed ", line: re(`^Executed \d+ out of (\d+) tests?: (?:(\d+) tests? pass(?:es)?)?(?:\.| and |, )?(?:.*?(\d+) fails?\b)?`), read: bazelLine},
	{runner: "cypress", hint: "All specs passed", line: re(`^\s*✔\s+All specs passed!`), read: good},
	{runner: "cypress", hint: " failed (", line: re(`^\s*✖\s+(\d+) of (\d+) failed \(`), read: cypressLine},
	{runner: "cargo build", hint: "Finished ", line: re(`^\s+Finished .*(?:profile|target\(s\))`), read: good, problems: true},
	{runner: "tox", hint: "congratulations :)", line: re(`^\s*congratulations :\)`), read: good},
	{runner: "tox", hint: "evaluation failed", line: re(`^\s*evaluation failed :\(`), read: bad},
	{runner: "mypy", hint: "Success: no issues", line: re(`^Success: no issues found`), read: good, problems: true},
	{runner: "mypy", hint: "Found ", line: re(`^Found (\d+) errors? in \d+ files? \(checked`), read: problems, problems: true},
	{runner: "tsc", hint: "Found ", line: re(`^Found (\d+) errors?(?: in .*)?\.$`), read: problems, problems: true},
	{runner: "tsc", hint: "error TS", line: re(`error TS\d+: `), read: tscLines, problems: true},
	{runner: "eslint", hint: " problem", line: re(`^✖ \d+ problems? \((\d+) errors?`), read: problems, problems: true},
	{runner: "ruff", hint: "All checks passed!", line: re(`^All checks passed!`), read: good, problems: true},
	{runner: "golangci-lint", hint: " issues", line: re(`^(\d+) issues[:.]`), read: problems, problems: true},
	{runner: "pyright", hint: " errors, ", line: re(`^(\d+) errors?, \d+ warnings?`), read: problems, problems: true},
	{runner: "cargo build", hint: "could not compile", line: re("^error: could not compile `[^`]*`.* due to (\\d+) previous errors?"), read: problems, problems: true},
	{runner: "black", hint: " would be reformatted", line: re(`(\d+) files? would be reformatted`), read: problems, problems: true},
	{runner: "prettier", hint: "Prettier code style", line: re(`^All matched files use Prettier code style!`), read: good, problems: true},
	{runner: "prettier", hint: "Code style issues", line: re(`Code style issues (?:found )?in (?:(\d+) files|the above file)`), read: problems, problems: true},
	{runner: "gradle", hint: "BUILD ", line: re(`^BUILD SUCCESSFUL in `), read: gradleBuild(Summary{})},
	{runner: "gradle", hint: "BUILD ", line: re(`^BUILD FAILED in `), read: gradleBuild(Summary{Errors: 1})},
}
