package redact

import "bytes"

// url checks for a password after ://, in user:password@host.
func (s *scanner) url(i int) bool {
	colon, at, slash := -1, -1, false
	j := i
	for ; j < len(s.src) && j-i < longValue; j++ {
		c := s.src[j]
		if c == open[0] && hasAt(s.src, j, open) {
			if kind, n, cut := parsePseudonym(s.src[j:]); kind != "" && !cut {
				j += n - 1
				continue
			}
		}
		if c == ':' && colon < 0 {
			colon = j
		}
		if c == '@' {
			at = j
		}
		if c == '/' && at < 0 && colon > 0 && s.src[j-1] != '/' && (slash || !portEnds(s.src[i:j], colon-i)) {
			slash = true // of the password, where it should have been encoded
			continue
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

// portEnds reports whether host:port is what stands before the path of a URL,
// rather than user and the beginning of a password.
func portEnds(text []byte, colon int) bool {
	port := text[colon+1:]
	return count(port, cDigit) == len(port) || count(port, cUpper) == len(port) || reference(port) ||
		bytes.IndexByte(text[:colon], '.') >= 0
}

// reference reports whether the password of a URL or of curl -u is none: empty,
// a variable, or a placeholder (but "password" is what many databases have).
func reference(v []byte) bool {
	switch {
	case len(v) == 0:
		return true
	case bytes.Contains(v, []byte(open)):
		return false
	case bytes.Count(v, []byte("*")) == len(v):
		return true
	case v[0] == '$' && wordOnly(string(bytes.Trim(v, "${}"))):
		return true
	}
	return len(v) >= 4 && string(v) != "password" && string(v) != "secret" && placeholder(v)
}

// encodedURL is url for what a query holds of one: user%3Apassword%40host, at i.
func (s *scanner) encodedURL(i int) bool {
	end := s.valueEnd(i, true)
	if stop := bytes.Index(s.src[i:end], []byte("%2F")); stop >= 0 {
		end = i + stop
	}
	colon := bytes.Index(s.src[i:end], []byte("%3A"))
	at := bytes.LastIndex(s.src[i:end], []byte("%40"))
	if colon < 0 || at < colon+3 {
		return false
	}
	v := s.src[i+colon+3 : i+at]
	return !reference(v) && s.add("password", i+colon+3, i+at)
}

// driver checks for the password of user:password@tcp(host), whose @ is at i.
func (s *scanner) driver(i int) bool {
	lo := i
	for lo > s.pos && i-lo < 128 && s.src[lo-1] != ':' && (!is(s.src[lo-1], cStop) || s.src[lo-1] == '&') {
		lo--
	}
	if lo <= s.pos || s.src[lo-1] != ':' || lo == i || reference(s.src[lo:i]) {
		return false
	}
	return s.add("password", lo, i)
}

// thin checks for the password of jdbc:oracle:thin:user/password@host at i.
func (s *scanner) thin(i int) bool {
	slash := runOf(s.src, i, 64, cToken|cDot)
	if slash == i || !hasAt(s.src, slash, "/") {
		return false
	}
	end := s.valueEnd(slash+1, true)
	at := bytes.IndexByte(s.src[slash+1:end], '@')
	if at < 1 || reference(s.src[slash+1:slash+1+at]) {
		return false
	}
	return s.add("password", slash+1, slash+1+at)
}
