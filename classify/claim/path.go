package claim

import "strings"

// isPath reports a word that looks like a file or directory.
func isPath(w string) bool {
	return looksLikePath(strings.ToLower(w))
}

func looksLikePath(w string) bool {
	if len(w) < 2 || len(w) > 300 || strings.ContainsAny(w, " \t=<>|&;$*?%\"'") || strings.Contains(w, "://") {
		return false
	}
	base := w[strings.LastIndexByte(w, '/')+1:]
	base, _, _ = strings.Cut(base, ":") // file.go:12
	dot := strings.LastIndexByte(base, '.')
	ext := base[dot+1:]
	if dot >= 0 && ext != "" && len(ext) <= 8 && letters(ext) && (dot == 0 || knownExt[ext] || strings.Contains(w, "/")) {
		return true
	}
	return strings.HasPrefix(w, "/") && len(w) > 2 && isWordByte(w[1]) || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "~/") || namedFiles[base]
}

func letters(s string) bool {
	alpha := false
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' {
			alpha = true
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return alpha
}

func isWordByte(c byte) bool {
	return c == '.' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

var namedFiles = words("makefile dockerfile rakefile gemfile procfile jenkinsfile vagrantfile justfile license codeowners")

var knownExt = words("go py js ts tsx jsx mjs cjs rb rs c h cc cpp hpp cs java kt swift scala php pl lua r jl sh bash zsh fish ps1 bat sql html htm css scss less " +
	"vue svelte md mdx rst txt json jsonl yaml yml toml ini cfg conf env xml csv tsv log lock mod sum gradle properties proto graphql tf hcl dockerfile ipynb pdf " +
	"png jpg jpeg gif svg webp ico mp4 mp3 wav zip gz tar tgz db sqlite pem crt key v vo vy out bin exe so dll patch diff tex bib ex exs erl hs ml clj dart zig nim asm s wasm service")

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
