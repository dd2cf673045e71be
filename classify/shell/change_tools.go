package shell

import (
	"slices"
	"strings"
)

// formatter is one tool that rewrites files in place. need is a list of
// flags of which one must be there, deny one of which none may.
type formatter struct{ words, need, deny, values string }

var formatters = []formatter{
	{words: "gofmt", need: "-w"}, {words: "goimports", need: "-w"}, {words: "gofumpt", need: "-w"},
	{words: "golines", need: "-w"}, {words: "go fmt"}, {words: "prettier", need: "--write -w"},
	{words: "black", deny: "--check --diff", values: "-l --line-length -t --config"},
	{words: "isort", deny: "--check --check-only --diff -c", values: "--profile"},
	{words: "autopep8", need: "-i --in-place"}, {words: "yapf", need: "-i --in-place"},
	{words: "ruff format", deny: "--check --diff", values: "--config"},
	{words: "ruff check", need: "--fix", values: "--select --ignore --config"},
	{words: "eslint", need: "--fix", values: "--ext -c --config"},
	{words: "stylelint", need: "--fix"}, {words: "standard", need: "--fix"}, {words: "xo", need: "--fix"},
	{words: "biome", need: "--write --apply --fix"}, {words: "oxlint", need: "--fix"},
	{words: "cargo fmt", deny: "--check"}, {words: "rustfmt", deny: "--check"},
	{words: "cargo fix"}, {words: "cargo clippy", need: "--fix"},
	{words: "golangci-lint", need: "--fix"}, {words: "terraform fmt", deny: "-check"},
	{words: "clang-format", need: "-i"}, {words: "shfmt", need: "-w"}, {words: "dart format"},
	{words: "mix format", deny: "--check-formatted"}, {words: "deno fmt", deny: "--check"},
	{words: "rubocop", need: "-a -A --autocorrect --autocorrect-all --auto-correct"},
	{words: "swiftformat", deny: "--lint"}, {words: "ktlint", need: "-F --format"},
	{words: "pre-commit run"}, {words: "dotnet format", deny: "--verify-no-changes"},
	{words: "zig fmt", deny: "--check"}, {words: "buf format", need: "-w"}, {words: "php-cs-fixer fix"},
}

// formatScripts are task names by which projects call their formatter.
var formatScripts = map[string]bool{"fmt": true, "format": true, "lint:fix": true, "lint-fix": true, "fix": true, "prettier": true, "format:write": true}

var taskRunners = map[string]bool{"npm": true, "pnpm": true, "yarn": true, "bun": true, "make": true, "just": true, "task": true, "mise": true, "nox": true, "composer": true}

func (c Command) formats(name string) ([]Change, bool) {
	for _, f := range formatters {
		n := Leading(name, c.Argv, f.words)
		if n == 0 {
			continue
		}
		args := c.Argv[n:]
		if f.need != "" && !hasAny(args, f.need) || hasAny(args, f.deny) {
			return nil, false
		}
		return formatted(operands(args, f.values)), true
	}
	if taskRunners[name] && len(c.Argv) > 1 {
		ops := operands(c.Argv[1:], "")
		if len(ops) > 1 && (ops[0] == "run" || ops[0] == "r") {
			ops = ops[1:]
		}
		if len(ops) > 0 && formatScripts[ops[0]] {
			return formatted(nil), true
		}
	}
	return nil, false
}

func formatted(paths []string) []Change {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	out := make([]Change, 0, len(paths))
	for _, p := range paths {
		out = append(out, formatTarget(p))
	}
	return out
}

// formatTarget is a file, or the folder below which an unknown set is
// rewritten: "./...", "src/", "src/**/*.ts".
func formatTarget(p string) Change {
	folder := strings.TrimSuffix(p, "...")
	if i := strings.IndexAny(folder, "*?{"); i >= 0 {
		folder = folder[:strings.LastIndexByte(folder[:i], '/')+1]
	}
	if folder != p || strings.HasSuffix(p, "/") || p == "." {
		return Change{Path: strings.TrimSuffix(folder, "/"), Op: OpUnknown, Formatter: true}
	}
	return Change{Path: p, Op: OpWrite, Formatter: true}
}

func hasAny(args []string, flags string) bool {
	return flags != "" && slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return has(flags, name)
	})
}

// installer is one package manager command: the environment it fills and the
// project files that it edits. edits apply when a package is named.
type installer struct{ words, fills, edits string }

var installers = []installer{
	{"npm install", "node_modules", "package.json package-lock.json"}, {"npm i", "node_modules", "package.json package-lock.json"},
	{"npm ci", "node_modules", ""}, {"npm uninstall", "node_modules", "package.json package-lock.json"},
	{"pnpm install", "node_modules", ""}, {"pnpm i", "node_modules", ""}, {"pnpm add", "node_modules", "package.json pnpm-lock.yaml"},
	{"pnpm remove", "node_modules", "package.json pnpm-lock.yaml"},
	{"yarn install", "node_modules", ""}, {"yarn add", "node_modules", "package.json yarn.lock"}, {"yarn remove", "node_modules", "package.json yarn.lock"},
	{"bun install", "node_modules", ""}, {"bun add", "node_modules", "package.json bun.lock"},
	{"npm init", "", "package.json"},
	{"pip install", "site-packages", ""}, {"pip3 install", "site-packages", ""}, {"pip uninstall", "site-packages", ""},
	{"uv pip install", "site-packages", ""}, {"uv sync", ".venv", ""}, {"uv add", ".venv", "pyproject.toml uv.lock"},
	{"uv venv", ".venv", ""}, {"virtualenv", ".venv", ""}, {"venv", ".venv", ""},
	{"poetry install", ".venv", ""}, {"poetry add", ".venv", "pyproject.toml poetry.lock"}, {"pipenv install", ".venv", "Pipfile Pipfile.lock"},
	{"go get", "", "go.mod go.sum"}, {"go mod tidy", "", "go.mod go.sum"}, {"go mod init", "", "go.mod"}, {"go mod vendor", "vendor", ""},
	{"cargo add", "", "Cargo.toml Cargo.lock"}, {"cargo update", "", "Cargo.lock"},
	{"bundle install", "vendor/bundle", ""}, {"composer install", "vendor", ""}, {"composer require", "vendor", "composer.json composer.lock"},
	{"mix deps.get", "deps", ""},
}

func (c Command) installs(name string) ([]Change, bool) {
	for _, in := range installers {
		n := Leading(name, c.Argv, in.words)
		if n == 0 {
			continue
		}
		var out []Change
		for _, p := range strings.Fields(in.fills) {
			out = append(out, Change{Path: p, Op: OpUnknown, Install: true})
		}
		named := len(operands(c.Argv[n:], "-r --requirement")) > 0 || name == "go" || c.Argv[n-1] == "init"
		if named {
			out = append(out, changesOf(OpWrite, strings.Fields(in.edits)...)...)
		}
		return out, true
	}
	return nil, false
}
