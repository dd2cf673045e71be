package runner

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// causes is the table of messages by which a command says that it executed
// nothing. They count only where no summary was found.
var causes = []struct {
	hint   string
	line   *phrase.Pattern
	reason string
}{
	{"No module named", re(`No module named '?(?:pytest|unittest|nose2?|tox|nox|mypy|ruff|flake8|pylint|black|coverage|django)\b`), NotRunMissing},
	{"issing script", re(`(?i)missing script:?`), NotRunMissing},
	{"ERR_PNPM_", re(`ERR_PNPM_(?:NO_SCRIPT|RECURSIVE_EXEC_FIRST_FAIL.*ENOENT)`), NotRunMissing},
	{"not found", re(`^error(?: Command| Script not found)? "[^"]*"(?: not found)?\.?$`), NotRunMissing},
	{"Script not found", re(`Script not found "`), NotRunMissing},
	{"not recognized", re(`is not recognized as (?:an internal|the name of)`), NotRunNotFound},
	{"could not determine executable", re(`could not determine executable to run`), NotRunMissing},
	{"executable file not found", re(`executable file not found in`), NotRunNotFound},
	{"No rule to make target", re(`\*\*\* No rule to make target '?[^']*'?`), NotRunMissing},
	{"does not contain recipe", re(`[Jj]ustfile does not contain recipe`), NotRunMissing},
	{"no such command", re(`error: no such (?:sub)?command`), NotRunMissing},
	{"annot find module", re(`Cannot find module '.*(?:jest|vitest|mocha|playwright|eslint|tsc|typescript)`), NotRunMissing},
	{"Please install", re(`Please install.*@playwright/test|Please install them with`), NotRunMissing},
	{"Executable doesn't exist", re(`Executable doesn't exist at`), NotRunMissing},
	{"no task", re(`(?i)no tasks? (?:named )?"?\S+"? found|no task \S+ found`), NotRunMissing},
	{"command not found", re(`command not found`), NotRunNotFound},
	{"not found", re(`^(?:/bin/)?(?:ba|da|z)?sh: (?:line )?\d+: \S+ not found$`), NotRunNotFound},
	{"Permission denied", re(`^\S*sh: .*: Permission denied$`), NotRunDenied},
	{"No such file or directory", re(`^(?:\S*sh: .*|.*can't open file .*|env: .*): (?:\[Errno 2\] )?No such file or directory$`), NotRunNotFound},
	{"Cannot find module", re(`^Error: Cannot find module '`), NotRunNotFound},
	{"during collection", re(`\d+ errors? during collection`), NotRunCollection},
	{"ERROR collecting", re(`ERROR collecting `), NotRunCollection},
	{"ImportError while", re(`ImportError while (?:importing test module|loading conftest)`), NotRunCollection},
	{"unrecognized arguments", re(`error: unrecognized arguments`), NotRunParse},
	{"file or directory not found", re(`^ERROR: file or directory not found`), NotRunNoTests},
	{"No tests found", re(`No tests found`), NotRunNoTests},
	{"No test files found", re(`No test files found`), NotRunNoTests},
	{"no test files", re(`^(?:Error: )?[Nn]o test files`), NotRunNoTests},
	{"collected 0 items", re(`collected 0 items`), NotRunNoTests},
	{"no tests to run", re(`testing: warning: no tests to run`), NotRunNoTests},
	{"No tests were found", re(`No tests were found`), NotRunNoTests},
	{"No tests executed", re(`No tests executed|No tests were executed`), NotRunNoTests},
	{"No tests to run", re(`^\[INFO\] No tests to run\.`), NotRunNoTests},
	{"ests are skipped", re(`^\[INFO\] Tests are skipped\.`), NotRunNoTests},
	{"No test ", re(`^No test (?:matches the given testcase filter|is available in) `), NotRunNoTests},
	{"No test modules found", re(`No test modules found`), NotRunNoTests},
	{" test files matching", re(`^error: 0 test files matching `), NotRunNoTests},
	{"no spec files", re(`^\s*Can't run because no spec files were found`), NotRunNoTests},
	{"No matching test cases", re(`No matching test cases were run`), NotRunNoTests},
	{"no targets found", re(`(?i)no targets found beneath|No test targets were found`), NotRunNoTests},
	{"No test targets", re(`No test targets were found`), NotRunNoTests},
	{" NO-SOURCE", re(`^> Task :\S*[tT]est\S* NO-SOURCE$`), NotRunNoTests},
	{"Nothing to be done", re(`^g?make(?:\[\d+\])?: Nothing to be done for '(?:test|check|verify|e2e|spec|unit)\S*'`), NotRunNoTests},
	{"is up to date", re(`^g?make(?:\[\d+\])?: '(?:test|check|verify|e2e|spec|unit)\S*' is up to date`), NotRunNoTests},
	{"Docker daemon", re(`^Cannot connect to the Docker daemon|failed to connect to the docker API`), NotRunMissing},
	{"No such container", re(`^Error(?: response from daemon)?: No such container`), NotRunMissing},
	{"is not running", re(`^service "[^"]*" is not running`), NotRunMissing},
	{"build failed", re(`\[build failed\]|\[setup failed\]`), NotRunBuild},
	{"could not compile", re("^error: could not compile `"), NotRunBuild},
	{"SyntaxError", re(`^\s*(?:Syntax|Indentation)Error: `), NotRunParse},
	{"syntax error", re(`^\S*sh: .*syntax error`), NotRunParse},
}

// causeHints are the hints of all causes.
var causeHints = func() *phrase.Words {
	var all []string
	for _, c := range causes {
		all = append(all, c.hint)
	}
	return phrase.NewWords(all...)
}()

// maxCauses is how many lines at either end are searched for a cause: what
// did not run does not print much.
const maxCauses = 2000

// whyNot finds the last message that explains why nothing ran.
func whyNot(lines []string, exit *int) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if i >= maxCauses && len(lines)-i > maxCauses {
			i = maxCauses // the middle of a long output
		}
		if !causeHints.In(lines[i]) {
			continue
		}
		for _, c := range causes {
			if strings.Contains(lines[i], c.hint) && c.line.MatchString(lines[i]) {
				return c.reason
			}
		}
	}
	if exit == nil {
		return ""
	}
	switch *exit {
	case 126:
		return NotRunDenied
	case 127:
		return NotRunNotFound
	}
	return ""
}
