package classify

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestNamed holds which commands a text demands without a condition.
func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"Run `npm test` before you finish.":                                    "npm test",
		"Run `npm test` when you are done.":                                    "npm test",
		"Do not open a pull request unless `pytest` is green.":                 "pytest",
		"Make sure pytest passes before you hand it back.":                     "pytest",
		"The fix is accepted when `pytest` passes.":                            "pytest",
		"Before every commit, run:\n\n```sh\nmake lint\nmake test # all\n```":  "make lint; make test",
		"## Definition of done\n\n- `make test` is green\n- no new warning":    "make test",
		"<requirements>\n- `go test ./...` passes\n- Go 1.26\n</requirements>": "go test ./...",
		"Führe am Ende `mvn verify` aus.":                                      "mvn verify",
		"完成前请运行 `cargo test`。":                                                 "cargo test",
		"Fix the error in the parser and run `npm test`.":                      "npm test",

		"If you touch the page, run `npm run e2e`.":                    "",
		"You can run `pytest` to check.":                               "",
		"No need to run `npm test`.":                                   "",
		"Should I run `npm test`?":                                     "",
		"In CI we run `npm test` on Node 24.":                          "",
		"I will run `npm test` myself.":                                "",
		"Add a `lint` target that runs `ruff check .`.":                "",
		"To run a single test: `pytest tests/test_a.py`":               "",
		"- `uv run pytest`: run the unit tests":                        "",
		"## Requirements\n\n- `pytest`\n- `docker`":                    "",
		"```sh\nnpm test # unit tests\n```":                            "",
		"When `npm test` runs, a warning is printed. Silence it.":      "",
		"不需要运行 `npm test`。":                                            "",
		"Document in docs/dev.md how to run `npm test` and the linter": "",
	} {
		var got []string
		for _, r := range named(text, Cite{}) {
			got = append(got, r.Name)
		}
		assert.Equal(t, want, strings.Join(got, "; "), text)
	}
}

// TestStatusFrame holds where a status in text is the tool's and where it is
// the command's own.
func TestStatusFrame(t *testing.T) {
	for text, want := range map[string]int{
		"[exit code: 1]": 1,
		"Exit code: 2\nWall time: 0.1 seconds\nOutput:\nx":             2,
		"<returncode>3</returncode>\n<output>\nx\n</output>":           3,
		"x\n[The command completed with exit code 4.]\n[Folder: /app]": 4,
		"Process exited with code 0\nx":                                0,
		"a\nb\nc\nd\nexit code: 5\nf\ng\nh\ni":                         -1,
		"the exit code is documented in exit.md":                       -1,
		"":                                                             -1,
	} {
		got := -1
		if n := exitText(text); n != nil {
			got = *n
		}
		assert.Equal(t, want, got, text)
	}
}

func FuzzNamed(f *testing.F) {
	for _, s := range []string{"Run `npm test`.", "```\nmake\n```", "Before you finish:\n- `x`", strings.Repeat("run `a` and ", 50), "`", "(((", "<a>\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		start := time.Now()
		named(s, Cite{})
		exitText(s)
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("%d bytes took %s", len(s), d)
		}
	})
}
