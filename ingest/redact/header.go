package redact

import "bytes"

// schemes of the Authorization header whose one argument is a secret.
var schemes = []struct{ name, kind string }{
	{"bearer", "token"}, {"basic", "basic-auth"}, {"token", "token"},
	{"apikey", "key"}, {"api-key", "key"}, {"negotiate", "token"},
}

// credentials checks the value of an Authorization header, in src[i:end].
// whole says that these are the whole value.
func (s *scanner) credentials(i, end int, whole bool) bool {
	i = skipSpace(s.src, i, false)
	for _, sc := range schemes {
		if hasFold(s.src, i, sc.name) {
			v := i + len(sc.name)
			if next := skipSpace(s.src, v, false); next > v && next < end {
				return s.credential(sc.kind, next, end)
			}
		}
	}
	if i < end && whole && random(s.src[i:end]) && !placeholder(s.src[i:end]) {
		return s.add("token", i, end)
	}
	return false
}

// credential checks for one word at i that is written like a credential.
func (s *scanner) credential(kind string, i, end int) bool {
	stop := i
	for stop < min(end, len(s.src)) && !is(s.src[stop], cStop) {
		stop++
	}
	v := s.src[i:stop]
	switch {
	case len(v) >= longValue:
	case bytes.Contains(v, []byte(open)):
	case len(v) < 6, placeholder(v), count(v, cLower) == len(v) && len(v) < 24, plainWord(v):
		return false
	}
	return s.add(kind, i, stop)
}

// plainWord reports whether v is a word of prose or the name of a variable.
func plainWord(v []byte) bool {
	v = bytes.TrimRight(v, ".:!?")
	return count(v, cLetter) == len(v) && count(v[min(1, len(v)):], cUpper) == 0 && len(v) < 24 ||
		count(v, cDigit) == 0 && wordOnly(string(v)) && bytes.IndexByte(v, '_') > 0 && len(v) < 40
}

// bearer checks for the token after the word, wherever that stands.
func (s *scanner) bearer(i int) bool {
	v := skipSpace(s.src, i, false)
	if v == i || v >= len(s.src) {
		return false
	}
	end := v
	for end < len(s.src) && end-v < longValue && !is(s.src[end], cStop) {
		end++
	}
	if w := s.src[v:end]; !random(w) && (len(w) < 24 || codeWord(w)) {
		return false // prose; the header itself is checked by its name
	}
	return s.credential("token", v, len(s.src))
}

// cookies checks for name=value pairs from i to the end of the line.
func (s *scanner) cookies(i int) bool {
	eq := runOf(s.src, i, maxName, cToken|cDot)
	if eq == i || !hasAt(s.src, eq, "=") {
		return false
	}
	v := eq + 1
	end := v
	for end < len(s.src) && !is(s.src[end], cStop) {
		end++
	}
	if end-v < longValue && (end-v < 4 || placeholder(s.src[v:end])) {
		return false
	}
	return s.add("cookie", i, s.lineEnd(i))
}

// url checks for a password after ://, in user:password@host.
func (s *scanner) url(i int) bool {
	colon, at := -1, -1
	j := i
	for ; j < len(s.src) && j-i < longValue; j++ {
		c := s.src[j]
		if c == ':' && colon < 0 {
			colon = j
		}
		if c == '@' {
			at = j
		}
		if c == '/' || c == '?' || c == '#' || is(c, cStop) && bytes.IndexByte([]byte("&;,()[]{}|"), c) < 0 {
			break
		}
	}
	switch {
	case at < 0:
		return false
	case colon < 0 || colon > at: // a token in place of the user
		return at-i >= 20 && random(s.src[i:at]) && s.add("token", i, at)
	case reference(s.src[colon+1 : at]):
		return false
	}
	return s.add("password", colon+1, at)
}

// reference reports whether the password of a URL or of curl -u is none: empty,
// a variable, or a placeholder (but "password" is what many databases have).
func reference(v []byte) bool {
	switch {
	case len(v) == 0:
		return true
	case bytes.Contains(v, []byte(open)):
		return false
	case v[0] == '$' && wordOnly(string(bytes.Trim(v, "${}"))):
		return true
	}
	return len(v) >= 4 && string(v) != "password" && string(v) != "secret" && placeholder(v)
}

// user checks for the password in `curl -u name:password`.
func (s *scanner) user(i, end int) bool {
	if i > 0 && !is(s.src[i-1], cSpace) && !hasAt(s.src, i-1, "--user") {
		return false
	}
	if hasAt(s.src, i, "-user") {
		end = i + len("-user")
	}
	j := end
	if hasAt(s.src, j, "=") {
		j++
	}
	j = skipSpace(s.src, j, false)
	if q := openingQuote(s.src, j); q.width > 0 {
		j += q.width
	}
	colon := runOf(s.src, j, 128, cToken|cLocal)
	if !hasAt(s.src, colon, ":") || bytes.LastIndex(s.src[max(s.pos, i-512):i], []byte("curl")) < 0 {
		return false
	}
	stop := colon + 1
	for stop < len(s.src) && (!is(s.src[stop], cStop) || bytes.IndexByte([]byte("&;,()[]{}|"), s.src[stop]) >= 0) {
		stop++
	}
	v := s.src[colon+1 : stop]
	if reference(v) {
		return false
	}
	return s.add("password", colon+1, stop)
}
