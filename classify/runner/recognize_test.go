package runner

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// argvOf splits at blanks; '␣' inside a word stands for one.
func argvOf(s string) []string {
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "␣", " ")
	}
	return words
}

func TestRecognize(t *testing.T) {
	tests := []struct{ argv, runner, kind, selection string }{
		{"pytest", "pytest", "test", ""},
		{".venv/bin/pytest -q --tb short ./tests/a.py::T::x", "pytest", "test", "tests/a.py::T::x"},
		{"python -m pytest tests/ -k login␣and␣x --maxfail 1", "pytest", "test", "tests -k=login and x"},
		{"pytest -x --cov=src -n 4 -m slow", "pytest", "test", "-m=slow"},
		{"pytest --lf", "pytest", "test", "--lf"},
		{"python -m unittest discover -s tests", "unittest", "test", "-s=tests"},
		{"python manage.py test app", "django test", "test", "app"},
		{"tox -e py312", "tox", "test", "-e=py312"},
		{"go test ./...", "go test", "test", "./..."},
		{"go test", "go test", "test", "."},
		{"go test -run TestX -count=1 -timeout 60s ./a/ ./b", "go test", "test", "-run=TestX a b"},
		{"go vet ./...", "go vet", "lint", "./..."},
		{"go build -o bin/x ./cmd/x", "go build", "build", "cmd/x"},
		{"npx jest src/a.test.js -t adds", "jest", "test", "src/a.test.js -t=adds"},
		{"npx vitest run --reporter=dot", "vitest", "test", ""},
		{"pnpm exec playwright test tests/a.spec.ts --project chromium", "playwright", "test", "tests/a.spec.ts --project=chromium"},
		{"pnpm playwright test a", "playwright", "test", "a"},
		{"yarn jest", "jest", "test", ""},
		{"npm test", "npm test", "test", ""},
		{"npm t", "npm test", "test", ""},
		{"npm run test", "npm test", "test", ""},
		{"pnpm test", "npm test", "test", ""},
		{"pnpm -F web test", "npm test", "test", ""},
		{"npm test -- tests/a.js --watch=false", "npm test", "test", "tests/a.js"},
		{"npm test -- --run", "npm test", "test", ""},
		{"npx --yes vitest@latest run", "vitest", "test", ""},
		{"npm run lint", "npm run lint", "lint", ""},
		{"yarn type-check", "npm run type-check", "types", ""},
		{"npm run test:e2e", "npm run test:e2e", "test", ""},
		{"npm run format:check", "npm run format:check", "format", ""},
		{"make test", "make test", "test", ""},
		{"make -j 4", "make", "build", ""},
		{"make -j4 check CFLAGS=-O2", "make check", "test", ""},
		{"make test TESTS=a.py", "make test", "test", "-TESTS=a.py"},
		{"just ci", "just ci", "test", ""},
		{"mise run lint", "mise lint", "lint", ""},
		{"cargo test -p core parses -- --nocapture", "cargo test", "test", "-p=core -name=parses"},
		{"cargo clippy -- -D warnings", "cargo clippy", "lint", ""},
		{"./gradlew :app:test --tests X", "gradle test", "test", "-p=app --tests=X"},
		{"./mvnw -q verify", "mvn verify", "test", ""},
		{"mvn package -DskipTests", "mvn package", "build", ""},
		{"dotnet test --filter X", "dotnet test", "test", "--filter=X"},
		{"bazel test //a/...", "bazel test", "test", "//a/..."},
		{"bundle exec rspec spec/a_spec.rb:12", "rspec", "test", "spec/a_spec.rb:12"},
		{"bin/rails test test/a_test.rb", "rails test", "test", "test/a_test.rb"},
		{"node --test", "node --test", "test", ""},
		{"node --import tsx --test a.test.ts", "node --test", "test", "a.test.ts"},
		{"bun test", "bun test", "test", ""},
		{"deno test -A", "deno test", "test", ""},
		{"ctest --output-on-failure -R x", "ctest", "test", "-R=x"},
		{"tsc --noEmit -p tsconfig.json", "tsc", "types", ""},
		{"eslint src --ext .ts", "eslint", "lint", "src"},
		{"ruff check .", "ruff", "lint", "."},
		{"mypy src", "mypy", "types", "src"},
		{"prettier --check .", "prettier", "format", "."},
		{"./test.sh", "script", "test", "test.sh"},
		{"bash tests/run.sh", "script", "test", "tests/run.sh"},
		{"./scripts/ci.sh fast", "script", "test", "scripts/ci.sh fast"},
		{"python tests/test_x.py", "script", "test", "tests/test_x.py"},
		{"node test.js", "script", "test", "test.js"},
	}
	for _, tt := range tests {
		t.Run(tt.argv, func(t *testing.T) {
			c, ok := Recognize(argvOf(tt.argv))
			require.True(t, ok)
			require.Equal(t, tt.runner, c.Runner)
			require.Equal(t, tt.kind, string(c.Kind))
			require.Equal(t, tt.selection, strings.Join(c.Selection, " "))
			require.Equal(t, argvOf(tt.argv), c.Argv)
		})
	}
}

func TestRecognizeNot(t *testing.T) {
	for _, s := range []string{
		"", "pytest --version", "pytest --help", "pytest --collect-only", "go test -c ./a", "go test -list .", "npm install", "npm ci", "npm audit",
		"cat test.py", "git commit -m test", "echo pytest", "pip install pytest", "python -m pip install pytest", "npm run dev", "npm run test:watch",
		"make clean", "make -n test", "make install", "python setup.py", "python app.py", "./run.sh", "vim test.py", "ls tests", "grep test a", "gofmt -w .",
		"prettier --write .", "black .", "cargo fmt", "cargo test --no-run", "npx playwright install", "npx playwright test --list", "jest --listTests",
		"cargo run", "go run .", "docker ps", "yarn add jest", "mise run fmt", "npm init", "gradle tasks", "mvn clean", "python -c import␣test", "test -f x", "./configure",
	} {
		c, ok := Recognize(argvOf(s))
		require.False(t, ok, "%q is %+v", s, c)
	}
}

func mustCheck(t *testing.T, s string) Check {
	t.Helper()
	dir := ""
	if d, rest, ok := strings.Cut(s, ": "); ok {
		dir, s = d, rest
	}
	c, ok := Recognize(argvOf(s))
	require.True(t, ok, s)
	c.Dir = dir
	return c
}

func TestSatisfies(t *testing.T) {
	tests := []struct {
		required, ran string
		want          bool
	}{
		{"pytest", "python -m pytest", true},
		{"pytest tests/a.py", "pytest", true},
		{"pytest", "pytest tests/a.py", false},
		{"pytest tests/a.py", "pytest ./tests/", true},
		{"pytest tests/a.py::x", "pytest tests/a.py", true},
		{"pytest tests/a.py", "pytest tests/a.py::x", false},
		{"pytest tests/a.py tests/b.py", "pytest tests/a.py", false},
		{"pytest tests/a.py tests/b.py", "pytest tests/b.py tests/a.py", true},
		{"pytest tests/a.py", "pytest tests/ab.py", false},
		{"pytest", "pytest -k x", false},
		{"pytest -k x", "pytest", true},
		{"pytest -k x", "pytest -k x", true},
		{"pytest", "pytest .", true},
		{"pytest tests/a.py", "tests: pytest a.py", true},
		{"pytest", "tests: pytest", false},
		{"pytest tests/a.py", "tests: pytest", true},
		{"pytest", "/repo: pytest", true},
		{"npx playwright test web/tests/a", "web: pnpm playwright test tests/a", true},
		{"web: npx playwright test tests/a", "/r/web: npx playwright test tests/a", true},
		{"npx playwright test web/tests/a", "/r/web: npx playwright test tests/a", true},
		{"npx playwright test tests/b", "/r/web: npx playwright test tests/a", false},
		{"npx playwright test tests/a", "npx playwright test --project chromium tests/a", false},
		{"npx jest src/foo.test.js", "npx jest foo", true},
		{"npx jest foo", "npx jest src/foo.test.js", false},
		{"npm test", "pnpm run test", true},
		{"npm test", "npm test -- a.js", false},
		{"npm test", "npm run lint", false},
		{"npm run test:e2e", "npm test", false},
		{"pytest tests/a.py", "make test", true},
		{"pytest", "tox", true},
		{"pytest", "npm test", false},
		{"npx vitest run", "npm test", true},
		{"npx vitest run", "npm run test:unit", false},
		{"make test", "pytest", false},
		{"make check", "make test", false},
		{"make test", "make check", true},
		{"npm test", "make test", true},
		{"mvn test", "mvn verify", true},
		{"mvn verify", "mvn test", false},
		{"gradle test", "./gradlew build", true},
		{"make lint", "make test", false},
		{"ruff check .", "make lint", true},
		{"pytest", "./run_tests.sh", true},
		{"go test ./...", "go test ./...", true},
		{"go test ./...", "go test ./a", false},
		{"go test ./a/b", "go test ./a/...", true},
		{"go test ./a/b", "go test ./a", false},
		{"go test ./a/b", "a: go test ./b", true},
		{"go test ./...", "go test -run X ./...", false},
		{"go test ./a -run X", "go test ./...", true},
		{"go test ./...", "go test", false},
		{"cargo test", "cargo test parses", false},
		{"cargo test parses", "cargo test", true},
		{"eslint src/a.ts", "eslint src", true},
		{"rspec spec/a_spec.rb:3", "rspec spec/a_spec.rb", true},
		{"python tests/test_x.py", "python3 tests/test_x.py", true},
	}
	for _, tt := range tests {
		t.Run(tt.required+" by "+tt.ran, func(t *testing.T) {
			require.Equal(t, tt.want, Satisfies(mustCheck(t, tt.required), mustCheck(t, tt.ran)))
		})
	}
}

func TestCovers(t *testing.T) {
	tests := []struct {
		check, path string
		want        bool
	}{
		{"pytest tests/a.py", "src/x.py", true}, {"pytest tests/a.py", "tests/a.py", true}, {"pytest", "README.md", false},
		{"pytest", "docs/img/a.png", false}, {"pytest", "LICENSE", false}, {"pytest", "CHANGELOG.txt", false}, {"pytest", "requirements.txt", true},
		{"pytest", "pyproject.toml", true}, {"pytest", "web/a.ts", false}, {"go test ./...", "a/b.py", false}, {"go test ./...", "a/b.go", true},
		{"go test ./...", "testdata/x.json", true}, {"cargo test", "a.py", false}, {"cargo test", "src/a.rs", true}, {"npm test", "src/a.ts", true},
		{"npm test", "a.go", false}, {"make test", "a.go", true}, {"make test", "a.py", true}, {"make test", "NOTES.md", false},
		{"npx prettier --check .", "README.md", true}, {"npx markdownlint docs", "docs/a.md", true}, {"eslint src", "test/a.js", false}, {"eslint src", "src/a.js", true},
		{"eslint src", "eslint.config.json", true}, {"pytest", "coverage/index.html", false}, {"pytest", "a/__pycache__/x.pyc", false}, {"tsc", "a.py", false}, {"go vet ./a", "b/c.go", true},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, mustCheck(t, tt.check).Covers(tt.path), "%s: %s", tt.check, tt.path)
	}
}
