package runner

import (
	"path"
	"slices"
	"strings"
)

// langs maps an ecosystem to the extensions of its own sources. A source of
// another ecosystem does not matter to a check; a file that is nobody's
// source (configuration, data, templates) does.
var langs = map[string]string{
	"py": ".py .pyi .pyx .ipynb", "go": ".go", "js": ".js .jsx .ts .tsx .mjs .cjs .mts .cts .vue .svelte .astro",
	"rust": ".rs", "ruby": ".rb .erb", "php": ".php", "jvm": ".java .kt .kts .scala .groovy .clj",
	"dotnet": ".cs .fs .vb .csproj", "swift": ".swift", "elixir": ".ex .exs", "dart": ".dart", "zig": ".zig",
	"haskell": ".hs", "ocaml": ".ml .mli", "lua": ".lua", "perl": ".pl .pm", "sol": ".sol",
}

// mixes are sources that an ecosystem's checks may use beside their own.
var mixes = map[string]string{
	"py": ".rs .lua", "ruby": ".js .jsx .ts .tsx .vue", "php": ".js .ts .vue", "sol": ".js .ts",
	"elixir": ".js .ts", "jvm": ".js .ts", "dotnet": ".js .ts", "c": ".py .lua .pl",
}

var docExtensions = ".md .mdx .rst .adoc .png .jpg .jpeg .gif .svg .webp .ico .pdf .drawio .puml"

var docNames = []string{"license", "licence", "copying", "notice", "authors", "contributors", "changelog", "changes", "history", "readme", "contributing", "code_of_conduct", "security", "codeowners", "maintainers", "todo"}

// unread are files of editors, version control and code hosting, which no test,
// build or type check reads.
var (
	unreadNames   = []string{".gitignore", ".gitattributes", ".editorconfig", ".mailmap", ".git-blame-ignore-revs"}
	unreadFolders = []string{".github", ".gitlab", ".vscode", ".idea"}
)

// byProducts are folders and files that checks write themselves, anywhere;
// rootProducts count directly below the check's folder or the root only.
var (
	rootProducts = []string{"target", "coverage", "htmlcov"}
	byProducts   = []string{".git", ".pytest_cache", "__pycache__", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".coverage", "test-results", "playwright-report", ".nyc_output", ".gradle", ".vitest", ".eslintcache", ".tsbuildinfo"}
)

// Covers tells whether a change of path could matter to the check. It errs
// towards true: only documents, images, what checks write themselves and
// sources of another ecosystem do not matter. A selection of tests still
// depends on the whole source tree; lint and format read only what they are
// given.
func (c Check) Covers(p string) bool {
	p = cleanPath(p)
	if p == "" || p == "." {
		return true
	}
	lang := langOf(c)
	if c.writes(p) {
		return false
	}
	_, paths := split(c)
	for _, sel := range paths {
		if !everything(sel) && covers(place(c.Dir, sel), p, false) {
			return true // named by the check itself
		}
	}
	if isDoc(p) {
		return lang == "docs" || c.Runner == "prettier" || c.Runner == "pre-commit run"
	}
	if foreign(lang, path.Ext(p)) || c.Kind != Lint && c.Kind != Format && unread(p) {
		return false
	}
	if (c.Kind == Lint || c.Kind == Format) && len(paths) > 0 && isSource(path.Ext(p)) && lang != "go" {
		return slices.ContainsFunc(paths, func(sel string) bool {
			got := place(c.Dir, sel)
			return covers(got, p, false) || unplaced(got) != unplaced(p)
		})
	}
	return true
}

// writes tells whether p is what checks leave behind.
func (c Check) writes(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if slices.Contains(byProducts, part) {
			return true
		}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(p, clean(c.Dir)+"/"), "/")
	return slices.Contains(rootProducts, first)
}

func unread(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(unreadFolders, first) || slices.Contains(unreadNames, path.Base(p))
}

func isDoc(p string) bool {
	base := strings.ToLower(path.Base(p))
	ext := path.Ext(base)
	if has(docExtensions, ext) {
		return true
	}
	stem := strings.TrimSuffix(base, ext)
	return (ext == "" || ext == ".txt") && slices.Contains(docNames, stem)
}

func isSource(ext string) bool {
	for _, exts := range langs {
		if has(exts, ext) {
			return true
		}
	}
	return false
}

func foreign(lang, ext string) bool {
	if lang == "" || lang == "docs" || ext == "" || has(langs[lang], ext) || has(mixes[lang], ext) {
		return false
	}
	return langs[lang] != "" && isSource(ext)
}
