package rules

import (
	"path"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

var (
	testNames   = phrase.MustCompile(`(?i)(^|[._-])(tests?|specs?|e2e|cy|bench)[._-]|[._-](tests?|specs?|e2e|cy)$|^(test|spec)_|_(test|spec|tests)$|^conftest$`)
	camelNames  = phrase.MustCompile(`^Test[A-Z]|(Test|Tests|Spec|Specs|IT|TestCase)$`)
	testFolders = map[string]bool{"test": true, "tests": true, "spec": true, "specs": true, "__tests__": true, "__test__": true, "e2e": true,
		"cypress": true, "testing": true, "androidtest": true, "acceptance": true, "features": true, "integration_test": true, "t": true}
	baselineFolders = phrase.MustCompile(`(?i)(^|/)(__snapshots__|[^/]*[-_.]?snapshots|goldens?|baselines?|__image_snapshots__|cassettes|expected|approvals?)/`)
	baselineNames   = phrase.MustCompile(`(?i)(\.snap|\.golden|\.approved\.\w+|\.ambr|\.snap\.\w+|\.baseline|[._-](golden|baseline|expected)\.\w+|-baseline\.\w+)$`)
	configNames     = phrase.MustCompile(`(?i)^(\.?(vitest|jest|karma|playwright|cypress|mocha|mocharc|ava|wdio|nyc|c8|nightwatch|eslint|stylelint|tslint|biome|prettier)(rc|\.config|\.workspace|\.conf)?(\.\w+){0,2}|\.mocharc\.\w+|\.nycrc(\.\w+)?|\.eslintrc(\.\w+)?|\.eslintignore|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|conftest\.py|\.coveragerc|mypy\.ini|\.mypy\.ini|\.?ruff\.toml|\.flake8|\.pylintrc|phpunit\.xml(\.dist)?|phpstan\.neon(\.dist)?|\.rspec|\.rubocop(_todo)?\.yml|\.golangci\.ya?ml|codecov\.yml|nextest\.toml|\.testrunner\.\w+|testng\.xml|\.runsettings)$`)
)

// isTestFile reports that a path holds tests, by the names that runners look
// for.
func isTestFile(p string) bool {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if testNames.MatchString(stem) || testNames.MatchString(base) || camelNames.MatchString(stem) {
		return true
	}
	for dir := range strings.SplitSeq(strings.ToLower(path.Dir(p)), "/") {
		if testFolders[dir] {
			return true
		}
	}
	return false
}

// isBaseline reports that a path holds what a test compares with.
func isBaseline(p string) bool {
	return baselineFolders.MatchString(p) || baselineNames.MatchString(p)
}

// isCheckConfig reports that a path configures a runner or a linter.
func isCheckConfig(p string) bool { return configNames.MatchString(path.Base(p)) }

// guardsWork reports that a path belongs to the checks rather than to the work.
func guardsWork(p string) bool { return isTestFile(p) || isBaseline(p) || isCheckConfig(p) }
