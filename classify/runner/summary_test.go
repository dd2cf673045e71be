package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func intPtr(n int) *int { return &n }

func TestParseOutput(t *testing.T) {
	tests := []struct {
		name, out string
		exit      *int
		want      Summary
	}{
		{"bazel red", "Executed 2 out of 2 tests: 1 test passes and 1 fails locally.\n", nil, Summary{Runner: "bazel test", Passed: 1, Failed: 1, Total: 2, Seen: true}},
		{"bazel green", "Executed 2 out of 2 tests: 2 tests pass.\n", nil, Summary{Runner: "bazel test", Passed: 2, Total: 2, Seen: true, Clean: true}},
		{"cypress red", "  ✖  1 of 3 failed (33%)                     00:04\n", nil, Summary{Runner: "cypress", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"gradle without sources", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n", nil, Summary{Runner: "gradle", Seen: true, NotRun: NotRunNoTests}},
		{"mix all excluded", "4 tests, 0 failures, 4 excluded\n", nil, Summary{Runner: "mix test", Skipped: 4, Total: 4, Seen: true, NotRun: NotRunNoTests}},
		{"conftest", "ImportError while loading conftest '/app/conftest.py'.\n", intPtr(4), Summary{NotRun: NotRunCollection}},
		{"dotnet filter", "No test matches the given testcase filter `Nope` in /app/T.dll\n", intPtr(0), Summary{NotRun: NotRunNoTests}},
		{"make has nothing to do", "make: Nothing to be done for 'test'.\n", intPtr(0), Summary{NotRun: NotRunNoTests}},
		{"pytest long", "==== test session starts ====\ncollected 3 items\n\na.py ..F\n\n=========== 1 failed, 2 passed, 1 warning in 0.12s ===========\n", intPtr(1), Summary{Runner: "pytest", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"pytest quiet", "...\n3 passed in 0.01s\n", nil, Summary{Runner: "pytest", Passed: 3, Total: 3, Seen: true, Clean: true}},
		{"pytest hours", "== 10 passed, 2 skipped in 75.10s (0:01:15) ==", nil, Summary{Runner: "pytest", Passed: 10, Skipped: 2, Total: 12, Seen: true, Clean: true}},
		{"pytest nothing", "collected 0 items\n\n=== no tests ran in 0.01s ===", intPtr(5), Summary{Runner: "pytest", Seen: true, NotRun: NotRunNoTests}},
		{"pytest deselected", "== 4 deselected in 0.02s ==", intPtr(5), Summary{Runner: "pytest", Seen: true, NotRun: NotRunNoTests}},
		{"pytest collection", "ERROR collecting tests/a.py\nE   ModuleNotFoundError: No module named 'x'\n!!! Interrupted: 1 error during collection !!!\n=== 1 error in 0.30s ===", intPtr(2), Summary{Runner: "pytest", Errors: 1, Total: 1, Seen: true, NotRun: NotRunCollection}},
		{"pytest colours", "\x1b[32m=== \x1b[1m5 passed\x1b[0m\x1b[32m in 0.02s ===\x1b[0m\r\n", nil, Summary{Runner: "pytest", Passed: 5, Total: 5, Seen: true, Clean: true}},
		{"last run wins", "=== 1 failed in 0.1s ===\nfixed\n=== 1 passed in 0.1s ===", nil, Summary{Runner: "pytest", Passed: 1, Total: 1, Seen: true, Clean: true}},
		{"unittest ok", "....\n------\nRan 4 tests in 0.001s\n\nOK (skipped=1)\n", nil, Summary{Runner: "unittest", Passed: 3, Skipped: 1, Total: 4, Seen: true, Clean: true}},
		{"unittest red", "Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n", nil, Summary{Runner: "unittest", Passed: 1, Failed: 1, Errors: 2, Total: 4, Seen: true}},
		{"unittest nothing", "Ran 0 tests in 0.000s\n\nOK\n", nil, Summary{Runner: "unittest", Seen: true, NotRun: NotRunNoTests}},
		{"a lone OK is no summary", "OK\n", nil, Summary{}},
		{"go plain", "ok  \tex.org/a\t0.01s\n?   \tex.org/b\t[no test files]\n--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\nFAIL\tex.org/c\t0.02s\nFAIL\n", intPtr(1), Summary{Runner: "go test", Passed: 1, Failed: 1, Total: 2, Seen: true}},
		{"go verbose", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \tex.org/a\t0.01s\n", nil, Summary{Runner: "go test", Passed: 1, Skipped: 1, Total: 2, Seen: true, Clean: true}},
		{"go build failed", "# ex.org/a\na.go:3:1: undefined: x\nFAIL\tex.org/a [build failed]\nFAIL\n", intPtr(1), Summary{Runner: "go test", Errors: 1, Total: 1, Seen: true, NotRun: NotRunBuild}},
		{"go nothing", "ok  \tex.org/a\t0.01s [no tests to run]\n", nil, Summary{Runner: "go test", Seen: true, NotRun: NotRunNoTests}},
		{"go no files", "?   \tex.org/a\t[no test files]\n", nil, Summary{Runner: "go test", Seen: true, NotRun: NotRunNoTests}},
		{"go two runs", "FAIL\tex.org/a\t0.01s\nok  \tex.org/a\t0.01s\n", nil, Summary{Runner: "go test", Passed: 1, Total: 1, Seen: true, Clean: true}},
		{"go json", `{"Action":"run","Package":"a","Test":"T"}` + "\n" + `{"Action":"pass","Package":"a","Test":"T"}` + "\n" + `{"Action":"fail","Package":"a","Test":"U"}` + "\n" + `{"Action":"fail","Package":"a"}`, nil, Summary{Runner: "go test", Passed: 1, Failed: 1, Total: 2, Seen: true}},
		{"jest", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 1 skipped, 7 passed, 10 total\nSnapshots:   0 total\nTime:        1.2 s\n", nil, Summary{Runner: "jest", Passed: 7, Failed: 2, Skipped: 1, Total: 10, Seen: true}},
		{"jest suite did not load", "Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total\n", nil, Summary{Runner: "jest", Passed: 3, Errors: 1, Total: 3, Seen: true}},
		{"jest nothing found", "No tests found, exiting with code 1\n", intPtr(1), Summary{NotRun: NotRunNoTests}},
		{"vitest", " Test Files  2 passed (2)\n      Tests  612 passed | 1 todo (613)\n     Errors  1 error\n   Start at  10:00:00\n   Duration  1.0s\n", intPtr(0), Summary{Runner: "vitest", Passed: 612, Errors: 1, Skipped: 1, Total: 614, Seen: true}},
		{"vitest clean", " Test Files  1 passed (1)\n      Tests  3 passed (3)\n", nil, Summary{Runner: "vitest", Passed: 3, Total: 3, Seen: true, Clean: true}},
		{"vitest suite broken", " Test Files  1 failed (1)\n      Tests  no tests\n", nil, Summary{Runner: "vitest", Errors: 1, Total: 1, Seen: true, NotRun: NotRunCollection}},
		{"mocha", "\n  5 passing (20ms)\n  1 pending\n  2 failing\n\n  1) x\n", nil, Summary{Runner: "mocha", Passed: 5, Failed: 2, Skipped: 1, Total: 8, Seen: true}},
		{"playwright", "Running 6 tests using 2 workers\n\n  1 failed\n    [chromium] › a.spec.ts:3:1 › x \n  1 did not run\n  4 passed (3.2s)\n", nil, Summary{Runner: "playwright", Passed: 4, Failed: 1, Skipped: 1, Total: 6, Seen: true}},
		{"playwright all red", "Running 1 test using 1 worker\n\n  1) a\n\n  1 failed\n    [chromium] › a.spec.ts:3:1 › x \n", nil, Summary{Runner: "playwright", Failed: 1, Total: 1, Seen: true}},
		{"cargo sums binaries", "    Finished test [unoptimized] target(s) in 0.1s\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n   Doc-tests x\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n", nil, Summary{Runner: "cargo test", Passed: 3, Failed: 1, Skipped: 1, Total: 5, Seen: true}},
		{"cargo filtered out", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n", nil, Summary{Runner: "cargo test", Seen: true, NotRun: NotRunNoTests}},
		{"nextest", "     Summary [   0.5s] 10 tests run: 9 passed, 1 failed, 2 skipped\n", nil, Summary{Runner: "cargo test", Passed: 9, Failed: 1, Skipped: 2, Total: 12, Seen: true}},
		{"node", "# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 5\n", nil, Summary{Runner: "node --test", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"tap", "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # skip later\n", nil, Summary{Runner: "tap", Passed: 1, Failed: 1, Skipped: 1, Total: 3, Seen: true}},
		{"tap cut short", "1..3\nok 1 - a\n", nil, Summary{Runner: "tap", Passed: 1, Errors: 2, Total: 3, Seen: true}},
		{"rspec", "10 examples, 2 failures, 1 pending\n", nil, Summary{Runner: "rspec", Passed: 7, Failed: 2, Skipped: 1, Total: 10, Seen: true}},
		{"minitest", "5 runs, 9 assertions, 1 failures, 1 errors, 0 skips\n", nil, Summary{Runner: "minitest", Passed: 3, Failed: 1, Errors: 1, Total: 5, Seen: true}},
		{"phpunit ok", "OK (5 tests, 9 assertions)\n", nil, Summary{Runner: "phpunit", Passed: 5, Total: 5, Seen: true, Clean: true}},
		{"phpunit red", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1, Errors: 1, Skipped: 1.\n", nil, Summary{Runner: "phpunit", Passed: 2, Failed: 1, Errors: 1, Skipped: 1, Total: 5, Seen: true}},
		{"dotnet", "Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6, Duration: 1 s - x.dll\n", nil, Summary{Runner: "dotnet test", Passed: 5, Failed: 1, Total: 6, Seen: true}},
		{"maven", "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n[INFO] Results:\n[WARNING] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n[INFO] BUILD FAILURE\n", nil, Summary{Runner: "maven", Passed: 2, Failed: 1, Errors: 1, Skipped: 1, Total: 5, Seen: true}},
		{"gradle", "5 tests completed, 1 failed\n\nBUILD FAILED in 3s\n", nil, Summary{Runner: "gradle", Passed: 4, Failed: 1, Total: 5, Seen: true}},
		{"ctest", "67% tests passed, 1 tests failed out of 3\n", nil, Summary{Runner: "ctest", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"gtest", "[==========] 3 tests ran.\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n", nil, Summary{Runner: "gtest", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"bun", " 4 pass\n 1 fail\nRan 5 tests across 2 files. [10ms]\n", nil, Summary{Runner: "bun test", Passed: 4, Failed: 1, Total: 5, Seen: true}},
		{"deno", "FAILED | 4 passed | 1 failed (12ms)\n", nil, Summary{Runner: "deno test", Passed: 4, Failed: 1, Total: 5, Seen: true}},
		{"junit xml", `<testsuites tests="3" failures="1" errors="0"><testsuite tests="3" failures="1" errors="0">`, nil, Summary{Runner: "junit", Passed: 2, Failed: 1, Total: 3, Seen: true}},
		{"ctrf", `{"results":{"summary":{"tests":4,"passed":3,"failed":1,"skipped":0,"pending":0,"other":0}}}`, nil, Summary{Runner: "ctrf", Passed: 3, Failed: 1, Total: 4, Seen: true}},
		{"tsc", "a.ts(1,1): error TS2322: no\nb.ts(1,1): error TS2304: no\n", intPtr(2), Summary{Runner: "tsc", Errors: 2, Seen: true}},
		{"eslint", "✖ 5 problems (3 errors, 2 warnings)\n", nil, Summary{Runner: "eslint", Errors: 3, Seen: true}},
		{"eslint warnings only", "✖ 2 problems (0 errors, 2 warnings)\n", nil, Summary{Runner: "eslint", Seen: true, Clean: true}},
		{"mypy", "Found 3 errors in 2 files (checked 10 source files)\n", nil, Summary{Runner: "mypy", Errors: 3, Seen: true}},
		{"127", "", intPtr(127), Summary{NotRun: NotRunNotFound}},
		{"bash not found", "bash: line 1: pytest: command not found\n", nil, Summary{NotRun: NotRunNotFound}},
		{"dash not found", "/bin/sh: 1: pytest: not found\n", nil, Summary{NotRun: NotRunNotFound}},
		{"no module", "/usr/bin/python: No module named pytest\n", intPtr(1), Summary{NotRun: NotRunMissing}},
		{"missing script", "npm error Missing script: \"test\"\n", intPtr(1), Summary{NotRun: NotRunMissing}},
		{"yarn", "error Command \"test\" not found.\n", intPtr(1), Summary{NotRun: NotRunMissing}},
		{"windows", "'pytest' is not recognized as an internal or external command,\n", intPtr(1), Summary{NotRun: NotRunNotFound}},
		{"noise above a summary", "foo: command not found\n3 passed in 0.1s\n", nil, Summary{Runner: "pytest", Passed: 3, Total: 3, Seen: true, Clean: true}},
		{"prose with a time", "2 passed in 2 minutes\n", nil, Summary{}},
		{"prose", "I ran it: all 5 tests passed in the end.\n", intPtr(0), Summary{}},
		{"empty", "", intPtr(0), Summary{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ParseOutput(tt.out, tt.exit)); diff != "" {
				t.Errorf("ParseOutput (-want +got):\n%s", diff)
			}
		})
	}
}

// Lines that look like the beginning of a summary must not be rescanned for
// each of them: this would take hours if the work were quadratic.
func TestParseOutputIsLinear(t *testing.T) {
	for _, line := range []string{"ok 1 a\n", "<testsuite x\n", "error TS1: \n", "OK\n", "  1 failed\n", `"passed": 1` + "\n", "Tests run: 1\n", "1 tests, x\n"} {
		_ = ParseOutput(strings.Repeat(line, 40_000), nil)
	}
}

func TestCheckParse(t *testing.T) {
	out := "ok  \tex.org/a\t0.01s\nok  \tex.org/b\t0.01s\n0 issues.\n"
	tests := []struct{ check, runner string }{
		{"go test ./...", "go test"}, {"make test", "go test"}, {"make lint", "golangci-lint"}, {"go vet ./...", "golangci-lint"}, {"tsc", "golangci-lint"},
	}
	for _, tt := range tests {
		if got := mustCheck(t, tt.check).Parse(out, nil); got.Runner != tt.runner {
			t.Errorf("%s found %q, want %q", tt.check, got.Runner, tt.runner)
		}
	}
	if got := mustCheck(t, "make lint").Parse("3 passed in 0.1s\nbash: x: command not found\n", nil); got != (Summary{}) {
		t.Errorf("a lint that said nothing beside tests: %+v", got)
	}
}

func TestALonePassIsTheVerdictOfOnePackage(t *testing.T) {
	for command, want := range map[string]Summary{
		"go test ./cart":         {Runner: "go test", Passed: 1, Total: 1, Seen: true, Clean: true},
		"go test":                {Runner: "go test", Passed: 1, Total: 1, Seen: true, Clean: true},
		"go test -run X ./cart":  {Runner: "go test", Passed: 1, Total: 1, Seen: true, Clean: true},
		"go test ./...":          {}, // each package prints its own
		"go test ./cart ./price": {},
		"pytest cart":            {},
	} {
		if got := mustCheck(t, command).Parse("PASS\n", nil); got != want {
			t.Errorf("%s: got %+v, want %+v", command, got, want)
		}
	}
	if got := mustCheck(t, "go test ./cart").Parse("PASS\nFAIL\n", nil); got.Failed != 1 || got.Clean {
		t.Errorf("a last FAIL: %+v", got)
	}
}

func FuzzParseOutput(f *testing.F) {
	for _, s := range []string{"3 passed in 0.1s", "ok  \ta\t1s", "1..2\nok 1", "Tests: 1 total", `{"Action":"pass"}`, "\x1b[", "<testsuite tests=\"9\"", "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := ParseOutput(s, nil)
		if got.Clean && (!got.Seen || got.Failed > 0 || got.Errors > 0) {
			t.Errorf("clean without a clean summary: %+v", got)
		}
	})
}
