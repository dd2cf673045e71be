package redact

import "bytes"

// shape is the form of a provider's token: a prefix, then a body of the class.
// Where lead is set, bytes of that class stand before the prefix.
type shape struct {
	kind        string
	prefix      string
	body        uint16 // class of the body
	min, max    int    // bytes of the body; no bound where max is 0
	mixed       bool   // body must look random: prefix and class alone are too common
	told        bool   // prefix and class tell it even where more is glued behind
	lead        uint16
	least, most int // bytes of the lead
}

// A check that refuses must not have read far, or a long text could make it
// read the same bytes again and again. So what is longer than this is taken.
const (
	longValue  = 512 // bytes of a value that only a guess would refuse
	longHeader = 512 // bytes of a JWT before its first dot
)

// token checks for the shape whose prefix is at i.
func (s *scanner) token(t *shape, i int) bool {
	start, end := t.match(s.src, i, s.pos)
	if start < 0 || !s.add(t.kind, start, end) {
		return false
	}
	if t.kind == "aws-key-id" {
		s.awsSecret(end)
	}
	return true
}

// match returns the secret whose prefix is at i, not before lo; start is -1
// if there is none.
func (t *shape) match(src []byte, i, lo int) (start, end int) {
	for start = i; start > lo && i-start < t.most && is(src[start-1], t.lead); {
		start--
	}
	if i-start < t.least || t.prefix[0] != '/' && wordBefore(src, start) || inEscape(src, start) {
		return -1, 0
	}
	if t.kind == "jwt" {
		return jwt(src, i)
	}
	body, limit := i+len(t.prefix), len(src)
	if t.max > 0 {
		limit = t.max + 1 // no need to walk over a long run that is refused
	}
	end = runOf(src, body, limit, t.body)
	n := end - body
	if t.told && n > t.max {
		n, end = t.max, body+t.max
	}
	switch {
	case n < t.min, t.max > 0 && (n > t.max || wordAfter(src, end)) && !(t.told && count(src[body:end], cDigit) > 0):
		return -1, 0
	case t.mixed && n < longValue && !random(src[body:end]), n < longValue && !varied(src[body:end]):
		return -1, 0
	case src[end-1] == '.':
		end-- // of a sentence
	}
	if t.prefix[0] == '/' {
		start -= backslashes(src, lo, start) // \/
	}
	return start, end
}

// jwt matches header.payload.signature at i, or five parts if it is encrypted.
func jwt(src []byte, i int) (start, end int) {
	end = runOf(src, i, longHeader, cToken)
	if end-i < 10 {
		return -1, 0
	}
	first, parts := end, 1
	for ; parts < 5 && hasAt(src, end, "."); parts++ {
		next := runOf(src, end+1, len(src), cToken)
		if next == end+1 && parts >= 3 {
			break // the full stop of a sentence
		}
		end = next
	}
	if parts < 3 || end == first+2 { // dots behind a word
		return -1, 0
	}
	return i, end
}

// tokenKind returns the kind of the provider's token that src[start:end] is as
// a whole, or "".
func tokenKind(src []byte, start, end int) string {
	text := src[start:end]
	for k := range tokens {
		t := &tokens[k]
		at := bytes.Index(text[:min(len(text), t.most+len(t.prefix))], []byte(t.prefix))
		if at < t.least {
			continue
		}
		if i, e := t.match(text, at, 0); i == 0 && e == len(text) {
			return t.kind
		}
	}
	return ""
}

// awsSecret checks for the secret key beside the key id src[lo:hi]: 40
// characters of base64, as in what the console and the shell print.
func (s *scanner) awsSecret(hi int) bool {
	end := min(len(s.src), hi+128)
	for i := hi; i < end; i++ {
		if !is(s.src[i], cBase64) {
			continue
		}
		stop := runOf(s.src, i, 41, cBase64)
		v := s.src[i:stop]
		if stop-i == 40 && !wordBefore(s.src, i) && random(v) && count(v, cUpper) > 3 && count(v, cLower) > 3 {
			return s.add("key", i, stop)
		}
		i = runOf(s.src, i, 256, cBase64)
	}
	return false
}
