package redact

import "bytes"

const (
	pemLabel = 64  // bytes of "RSA PRIVATE KEY-----", at most
	pemLead  = 300 // bytes before the first line of the body, at most
	pemRun   = 20  // letters and digits in a row that make it a body
)

// pem checks for a private key whose -----BEGIN is src[i:end]. It reaches to
// its -----END line, or to the end of the string or unit that holds it.
func (s *scanner) pem(i, end int) bool {
	head := s.src[end:min(len(s.src), end+pemLabel)]
	n := bytes.Index(head, []byte("-----"))
	if n < 0 || !bytes.Contains(head[:n], []byte("PRIVATE KEY")) {
		return false
	}
	body := end + n + len("-----")
	if !hasBody(s.src[body:min(len(s.src), body+pemLead)]) {
		return false
	}
	stop := len(s.src)
	if q := bytes.IndexByte(s.src[body:], '"'); q >= 0 {
		stop = body + q - backslashes(s.src, body, body+q)
	}
	if e := bytes.Index(s.src[body:stop], []byte("-----END ")); e >= 0 {
		stop = pemEnd(s.src, body+e+len("-----END "), stop)
	}
	return s.add("private-key", i, stop)
}

// pemEnd returns the end of the label and dashes at i.
func pemEnd(src []byte, i, stop int) int {
	i = runOf(src[:stop], i, pemLabel, cUpper|cSpace)
	for i < stop && src[i] == '-' {
		i++
	}
	return i
}

// hasBody tells a key from code and prose that only name its first line.
func hasBody(lead []byte) bool {
	run := 0
	for i, c := range lead {
		switch {
		case c == '"', c == '-' && hasAt(lead, i, "-----"):
			return false
		case is(c, cAlnum), c == '+', c == '/':
			if run++; run >= pemRun {
				return true
			}
		default:
			run = 0
		}
	}
	return false
}
