package config

import "strings"

// MatchAny reports that a path matches one of the globs; one that is absolute
// may match with any folders in front.
func MatchAny(globs []string, p string) bool {
	for _, g := range globs {
		if Match(g, p) || strings.HasPrefix(p, "/") && Match("**/"+g, p[1:]) {
			return true
		}
	}
	return false
}

// Match matches a slash path with * (inside a segment) and ** (any).
func Match(glob, p string) bool {
	return segmentsMatch(strings.Split(glob, "/"), strings.Split(p, "/"))
}

// segmentsMatch goes back to the last ** only: what an earlier one took is
// enough, because the last can take any more.
func segmentsMatch(glob, p []string) bool {
	var again, rest []string // after the last **, and what it leaves of the path
	open := false
	for len(p) > 0 || len(glob) > 0 {
		switch {
		case len(glob) > 0 && glob[0] == "**":
			open, again, rest = true, glob[1:], p
			glob = again
		case len(glob) > 0 && len(p) > 0 && Wild(glob[0], p[0]):
			glob, p = glob[1:], p[1:]
		case open && len(rest) > 0:
			rest = rest[1:]
			glob, p = again, rest
		default:
			return false
		}
	}
	return true
}

// Wild matches one segment in which * stands for any run of characters.
func Wild(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	for _, mid := range parts[1 : len(parts)-1] {
		i := strings.Index(s, mid)
		if i < 0 {
			return false
		}
		s = s[i+len(mid):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}
