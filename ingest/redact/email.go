package redact

import "bytes"

const (
	maxLocal  = 64
	maxDomain = 253
)

// email checks for an address around the @ at i.
func (s *scanner) email(i int) bool {
	lo := i
	for lo > s.pos && i-lo <= maxLocal && is(s.src[lo-1], cAlnum|cLocal) {
		lo--
	}
	lo = afterEscape(s.src, lo)
	for lo < i && (s.src[lo] == '.' || s.src[lo] == '-') {
		lo++
	}
	if lo >= i {
		return false
	}
	end := domainEnd(s.src, i+1)
	if end < 0 || public(s.src[lo:i], s.src[i+1:end]) {
		return false
	}
	return s.add("email", lo, end)
}

// domainEnd returns the end of the domain name at i, or -1: labels with dots
// between, the last of letters only.
func domainEnd(src []byte, i int) int {
	end := runOf(src, i, maxDomain, cAlnum|cDot)
	for end < len(src) && src[end] == '-' && end > i && end-i < maxDomain {
		end = runOf(src, end+1, maxDomain, cAlnum|cDot)
	}
	after := end < len(src) && (src[end] == '_' || src[end] == '(')
	for end > i && (src[end-1] == '.' || src[end-1] == '-') {
		end--
	}
	name := src[i:end]
	for !topLevel(name) { // what is glued behind with a -
		dash := bytes.LastIndexByte(name, '-')
		if dash <= 0 {
			return -1
		}
		name = name[:dash]
	}
	if after || name[0] == '.' || bytes.Contains(name, []byte("..")) {
		return -1
	}
	if first := bytes.TrimLeft(name[:bytes.IndexByte(name, '.')], "v"); count(first, cDigit) == len(first) {
		return -1 // a version
	}
	return i + len(name)
}

// topLevel reports whether a name ends in a label that a domain may end in.
func topLevel(name []byte) bool {
	dot := bytes.LastIndexByte(name, '.')
	last := name[dot+1:]
	return dot > 0 && len(last) >= 2 && len(last) <= 24 && count(last, cLetter) == len(last) && !fileEnding(last)
}

func fileEnding(last []byte) bool {
	switch string(bytes.ToLower(last)) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "mjs", "cjs", "ts", "tsx", "jsx", "css",
		"json", "yml", "yaml", "lock", "tgz", "gz", "zip", "service", "socket", "timer", "target", "mount":
		return true
	}
	return false
}

// public reports whether an address names no person: git@host and no-reply.
func public(local, domain []byte) bool {
	switch string(bytes.ToLower(local)) {
	case "git", "noreply", "no-reply", "do-not-reply", "donotreply":
		return true
	}
	return bytes.HasSuffix(domain, []byte("users.noreply.github.com"))
}
