package runner

// row describes one runner. All lists are separated by blanks.
type row struct {
	words   string // how the command begins
	runner  string // canonical name, if it is not words
	kind    Kind
	lang    string // ecosystem, "" = any: see langs
	values  string // flags that take a value and do not narrow
	filters string // flags whose value narrows
	narrow  string // flags without a value that narrow
	not     string // flags that make it no check
	needs   string // one of these must be there: prettier --check
	names   bool   // operands are names of tests, not paths
	exact   bool   // a folder does not cover the folders below it (Go)
	loose   bool   // operands match anywhere in a path (Jest)
	none    bool   // operands do not narrow
}

const (
	pytestValues  = "-c -p -n -o -W --rootdir --tb --durations --maxfail --cov --cov-report --timeout --color --junitxml --junit-xml --confcutdir --basetemp --numprocesses --dist --log-level --log-cli-level --override-ini --cov-config --reruns --import-mode"
	pytestFilters = "-k -m --deselect --ignore --ignore-glob --last-failed-no-failures"
	goValues      = "-count -timeout -cpu -parallel -p -coverprofile -covermode -coverpkg -tags -mod -ldflags -gcflags -o -bench -benchtime -benchmem -vet -fuzztime -shuffle -exec -json=false"
	jestValues    = "-c --config --reporter --reporters --coverageReporters --maxWorkers -w --env --testTimeout --rootDir --outputFile --coverageDirectory --setupFiles --workers --retries --timeout --trace --output --pool --browser"
	jestFilters   = "-t --testNamePattern -g --grep --grep-invert --project --shard --testPathPattern --testPathPatterns --testPathIgnorePatterns --exclude --dir"
	jestNarrow    = "-o --onlyChanged --changedSince --onlyFailures --changed --last-failed --only-changed --related --findRelatedTests"
	anyInfo       = "--version --help"
)

// rows is the table of runners, the longest words first where two fit.
var rows = []row{
	{words: "pytest", kind: Test, lang: "py", values: pytestValues, filters: pytestFilters, narrow: "--lf --last-failed --sw --stepwise", not: "--collect-only --co --fixtures --markers --setup-plan"},
	{words: "py.test", runner: "pytest", kind: Test, lang: "py", values: pytestValues, filters: pytestFilters, narrow: "--lf --last-failed", not: "--collect-only --co"},
	{words: "unittest discover", runner: "unittest", kind: Test, lang: "py", values: "-t --top-level-directory", filters: "-k -s -p --start-directory --pattern"},
	{words: "unittest", kind: Test, lang: "py", filters: "-k"},
	{words: "nose2", kind: Test, lang: "py"}, {words: "nosetests", kind: Test, lang: "py"},
	{words: "doctest", kind: Test, lang: "py", values: "-o"},
	{words: "tox", kind: Test, lang: "py", values: "-c --workdir", filters: "-e", not: "-l --listenvs list"},
	{words: "nox", kind: Test, lang: "py", values: "-f", filters: "-s --session -k -t", not: "-l --list"},
	{words: "hatch test", kind: Test, lang: "py"}, {words: "trial", kind: Test, lang: "py"},
	{words: "behave", kind: Test, lang: "py", filters: "-n -t --tags"}, {words: "robot", kind: Test, lang: "py", filters: "-t -i"},
	{words: "go test", kind: Test, lang: "go", values: goValues, filters: "-run -skip -fuzz", narrow: "-short", not: "-c -list", exact: true},
	{words: "gotestsum", runner: "go test", kind: Test, lang: "go", values: "-f --format --junitfile " + goValues, filters: "-run", exact: true},
	{words: "ginkgo", kind: Test, lang: "go", filters: "--focus --skip --label-filter"},
	{words: "jest", kind: Test, lang: "js", values: jestValues, filters: jestFilters, narrow: jestNarrow, not: "--listTests --showConfig --init", loose: true},
	{words: "vitest run", runner: "vitest", kind: Test, lang: "js", values: jestValues, filters: jestFilters, narrow: jestNarrow, loose: true},
	{words: "vitest related", runner: "vitest", kind: Test, lang: "js", values: jestValues, filters: jestFilters},
	{words: "vitest list", kind: ""}, {words: "vitest init", kind: ""},
	{words: "vitest", kind: Test, lang: "js", values: jestValues, filters: jestFilters, narrow: jestNarrow, loose: true},
	{words: "mocha", kind: Test, lang: "js", values: "-r --require -R --reporter -t --timeout --config --ui --extension --loader", filters: "-g --grep -f --fgrep", not: "--dry-run"},
	{words: "ava", kind: Test, lang: "js", filters: "-m --match"}, {words: "tap", kind: Test, lang: "js"}, {words: "tape", kind: Test, lang: "js"}, {words: "jasmine", kind: Test, lang: "js", filters: "--filter"},
	{words: "karma start", runner: "karma", kind: Test, lang: "js", none: true}, {words: "ng test", kind: Test, lang: "js", none: true},
	{words: "playwright test", runner: "playwright", kind: Test, lang: "js", values: jestValues, filters: jestFilters, narrow: jestNarrow, not: "--list", loose: true},
	{words: "cypress run", runner: "cypress", kind: Test, lang: "js", values: "-b --browser --config -c --env -e --reporter", filters: "-s --spec"},
	{words: "wdio run", runner: "wdio", kind: Test, lang: "js", filters: "--spec"}, {words: "testcafe", kind: Test, lang: "js"},
	{words: "react-scripts test", kind: Test, lang: "js", loose: true},
	{words: "turbo run test", runner: "turbo test", kind: Test, lang: "js", filters: "--filter -F"}, {words: "turbo test", kind: Test, lang: "js", filters: "--filter -F"},
	{words: "nx test", kind: Test, lang: "js"}, {words: "nx run-many", kind: Test, lang: "js", filters: "-t --target -p"},
	{words: "node --test", kind: Test, lang: "js", values: "--import --require -r --test-reporter --test-concurrency --test-timeout", filters: "--test-name-pattern --test-skip-pattern", narrow: "--test-only"},
	{words: "deno test", kind: Test, lang: "js", filters: "--filter"}, {words: "deno check", kind: Types, lang: "js"}, {words: "deno lint", kind: Lint, lang: "js"},
	{words: "bun test", kind: Test, lang: "js", values: "--timeout --preload --rerun-each", filters: "-t --test-name-pattern", loose: true},
	{words: "cargo test", kind: Test, lang: "rust", values: "-j --jobs --target --features -F --profile --manifest-path --color", filters: "-p --package --test --bin --example --exclude --skip", narrow: "--lib --bins --doc --tests --examples --exact", not: "--no-run --list", names: true},
	{words: "cargo nextest run", runner: "cargo test", kind: Test, lang: "rust", values: "-j --features --profile", filters: "-p --package --test -E", narrow: "--lib", names: true},
	{words: "cargo build", kind: Build, lang: "rust", values: "-j --target --features --profile --manifest-path", filters: "-p --package --bin", narrow: "--lib", none: true},
	{words: "cargo check", kind: Types, lang: "rust", values: "-j --target --features", filters: "-p --package", none: true},
	{words: "cargo clippy", kind: Lint, lang: "rust", values: "-j --features -D -W -A", filters: "-p --package", none: true},
	{words: "cargo fmt", kind: Format, lang: "rust", needs: "--check", none: true}, {words: "rustc", kind: Build, lang: "rust", values: "-o -C --edition"},
	{words: "rspec", kind: Test, lang: "ruby", values: "-f --format -r --require -o", filters: "-e --example -t --tag", narrow: "--only-failures --next-failure", not: "--dry-run"},
	{words: "rails test", kind: Test, lang: "ruby", filters: "-n --name"}, {words: "bin/rails test", runner: "rails test", kind: Test, lang: "ruby", filters: "-n"},
	{words: "rake test", kind: Test, lang: "ruby", none: true}, {words: "rake spec", kind: Test, lang: "ruby", none: true}, {words: "minitest", kind: Test, lang: "ruby"}, {words: "cucumber", kind: Test, lang: "ruby"},
	{words: "phpunit", kind: Test, lang: "php", values: "-c --configuration --bootstrap", filters: "--filter --group --testsuite --exclude-group", not: "--list-tests"},
	{words: "pest", kind: Test, lang: "php", filters: "--filter"}, {words: "artisan test", kind: Test, lang: "php", filters: "--filter"},
	{words: "dotnet test", kind: Test, lang: "dotnet", values: "-c --configuration --logger -l -v --verbosity -f --framework", filters: "--filter", not: "--list-tests -t"},
	{words: "dotnet build", kind: Build, lang: "dotnet", values: "-c --configuration -v"},
	{words: "mvn", kind: Test, lang: "jvm"}, {words: "mvnw", kind: Test, lang: "jvm"}, // see lifecycle
	{words: "gradle", kind: Test, lang: "jvm"}, {words: "gradlew", kind: Test, lang: "jvm"}, {words: "ant test", kind: Test, lang: "jvm"},
	{words: "sbt test", kind: Test, lang: "jvm"}, {words: "sbt testOnly", kind: Test, lang: "jvm", names: true}, {words: "lein test", kind: Test, lang: "jvm"}, {words: "javac", kind: Build, lang: "jvm", values: "-d -cp -classpath"},
	{words: "bazel test", kind: Test, filters: "--test_filter", values: "--config"}, {words: "bazel build", kind: Build, values: "--config"}, {words: "bazelisk test", runner: "bazel test", kind: Test, filters: "--test_filter"},
	{words: "ctest", kind: Test, lang: "c", values: "-j --parallel -C --test-dir --timeout", filters: "-R -E -L -I --tests-regex", narrow: "--rerun-failed", not: "-N --show-only"},
	{words: "meson test", kind: Test, lang: "c", names: true, values: "-C"}, {words: "ninja test", kind: Test, lang: "c"}, {words: "ninja", kind: Build, lang: "c", values: "-C -j"},
	{words: "cmake --build", kind: Build, lang: "c", values: "-j --parallel --config --target", none: true},
	{words: "gcc", kind: Build, lang: "c", values: "-o -I -L -D -x"}, {words: "g++", kind: Build, lang: "c", values: "-o -I -L -D -x"}, {words: "clang", kind: Build, lang: "c", values: "-o -I -L"}, {words: "clang++", kind: Build, lang: "c", values: "-o -I -L"},
	{words: "mix test", kind: Test, lang: "elixir", filters: "--only --exclude", narrow: "--failed --stale"}, {words: "mix compile", kind: Build, lang: "elixir"}, {words: "mix credo", kind: Lint, lang: "elixir"},
	{words: "swift test", kind: Test, lang: "swift", filters: "--filter --skip"}, {words: "swift build", kind: Build, lang: "swift"}, {words: "xcodebuild test", kind: Test, lang: "swift", none: true}, {words: "flutter test", kind: Test, lang: "dart"}, {words: "dart test", kind: Test, lang: "dart", filters: "-n"}, {words: "flutter analyze", kind: Lint, lang: "dart"}, {words: "dart analyze", kind: Lint, lang: "dart"},
	{words: "zig build test", kind: Test, lang: "zig"}, {words: "zig test", kind: Test, lang: "zig"}, {words: "zig build", kind: Build, lang: "zig"}, {words: "stack test", kind: Test, lang: "haskell"}, {words: "cabal test", kind: Test, lang: "haskell"}, {words: "dune test", kind: Test, lang: "ocaml"}, {words: "dune runtest", runner: "dune test", kind: Test, lang: "ocaml"}, {words: "coqc", kind: Build},
	{words: "bats", kind: Test, values: "-j", filters: "-f --filter"}, {words: "shellcheck", kind: Lint, lang: "sh"}, {words: "prove", kind: Test, lang: "perl"}, {words: "busted", kind: Test, lang: "lua"}, {words: "forge test", kind: Test, lang: "sol", filters: "--match-test --match-path --match-contract --mt --mp --mc"}, {words: "hardhat test", kind: Test, lang: "sol"},
	{words: "go vet", kind: Lint, lang: "go", values: "-tags", exact: true}, {words: "go build", kind: Build, lang: "go", values: "-o -tags -ldflags -gcflags -mod -p", exact: true},
	{words: "golangci-lint run", runner: "golangci-lint", kind: Lint, lang: "go", values: "-c --config --timeout"}, {words: "staticcheck", kind: Lint, lang: "go", exact: true}, {words: "gofmt", kind: Format, lang: "go", needs: "-l -d"},
	{words: "tsc", kind: Types, lang: "js", values: "-p --project -b --build --outDir", not: "--init --watch -w --showConfig"}, {words: "vue-tsc", kind: Types, lang: "js"}, {words: "svelte-check", kind: Types, lang: "js"},
	{words: "eslint", kind: Lint, lang: "js", values: "-c --config --ext --format -f --max-warnings --rule --ignore-path --parser", not: "--init --print-config"}, {words: "biome check", kind: Lint, lang: "js"}, {words: "biome ci", runner: "biome check", kind: Lint, lang: "js"}, {words: "biome lint", kind: Lint, lang: "js"}, {words: "oxlint", kind: Lint, lang: "js"}, {words: "stylelint", kind: Lint, lang: "js"}, {words: "next lint", kind: Lint, lang: "js"},
	{words: "next build", kind: Build, lang: "js"}, {words: "vite build", kind: Build, lang: "js"}, {words: "webpack", kind: Build, lang: "js", values: "--config --mode", none: true}, {words: "rollup", kind: Build, lang: "js", none: true, values: "-c"}, {words: "tsup", kind: Build, lang: "js"},
	{words: "prettier", kind: Format, needs: "--check -c --list-different -l"},
	{words: "ruff check", runner: "ruff", kind: Lint, lang: "py", values: "--select --ignore --config --output-format"}, {words: "ruff format", kind: Format, lang: "py", needs: "--check --diff"}, {words: "ruff", kind: Lint, lang: "py", not: "format clean rule"},
	{words: "flake8", kind: Lint, lang: "py", values: "--max-line-length --config"}, {words: "pylint", kind: Lint, lang: "py", values: "--rcfile --disable"}, {words: "black", kind: Format, lang: "py", needs: "--check --diff", values: "-l --line-length"}, {words: "isort", kind: Format, lang: "py", needs: "--check --check-only -c --diff"}, {words: "bandit", kind: Lint, lang: "py"},
	{words: "mypy", kind: Types, lang: "py", values: "-p -m --config-file --python-version"}, {words: "pyright", kind: Types, lang: "py", values: "-p"}, {words: "basedpyright", kind: Types, lang: "py"}, {words: "ty check", kind: Types, lang: "py"}, {words: "pyre check", kind: Types, lang: "py"}, {words: "py_compile", kind: Build, lang: "py"}, {words: "compileall", kind: Build, lang: "py"},
	{words: "pre-commit run", kind: Lint, none: true, values: "--hook-stage --from-ref --to-ref", filters: "--files"}, {words: "rubocop", kind: Lint, lang: "ruby"}, {words: "phpstan analyse", kind: Types, lang: "php"}, {words: "ktlint", kind: Lint, lang: "jvm"}, {words: "hadolint", kind: Lint}, {words: "actionlint", kind: Lint}, {words: "yamllint", kind: Lint}, {words: "markdownlint", kind: Lint, lang: "docs"}, {words: "markdownlint-cli2", kind: Lint, lang: "docs"}, {words: "vale", kind: Lint, lang: "docs"}, {words: "terraform validate", kind: Lint}, {words: "tflint", kind: Lint}, {words: "mkdocs build", kind: Build, lang: "docs"}, {words: "sphinx-build", kind: Build, lang: "docs"},
	{words: "docker build", kind: Build, values: "-t -f --tag --file --build-arg --platform", none: true}, {words: "docker compose build", kind: Build, none: true},
}

// lifecycle goals of Maven and tasks of Gradle that check something.
var lifecycle = map[string]Kind{
	"test": Test, "verify": Test, "integration-test": Test, "check": Test, "install": Test, "package": Build,
	"compile": Build, "build": Test, "assemble": Build, "testDebugUnitTest": Test, "connectedCheck": Test,
	"testClasses": Build, "classes": Build, "jar": Build, "lint": Lint, "ktlintCheck": Lint, "spotlessCheck": Format,
}
