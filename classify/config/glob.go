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

func segmentsMatch(glob, p []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for i := range len(p) + 1 {
				if segmentsMatch(glob[1:], p[i:]) {
					return true
				}
			}
			return false
		}
		if len(p) == 0 || !Wild(glob[0], p[0]) {
			return false
		}
		glob, p = glob[1:], p[1:]
	}
	return len(p) == 0
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
