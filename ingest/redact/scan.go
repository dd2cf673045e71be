package redact

// scanner walks once over a unit. Every check looks back no further than pos,
// the end of the last secret, and moves pos behind what it finds; so spans
// are in order and do not overlap, and the time is linear.
type scanner struct {
	src []byte
	pos int
	found
}

// found is what a walk over a unit tells.
type found struct {
	spans  []span // in order, not overlapping
	hidden bool   // letters are written as escapes: there may be more
	bytes  bool   // there are values of bytes, in base64
}

// findSecrets lists the secrets in src.
func findSecrets(src []byte) found {
	s := scanner{src: src}
	if n := bareLine(src); n > 0 {
		s.add("private-key", 0, n)
	}
	i, b := secrets.next(src, 0)
	for i < len(src) {
		bucket := secrets.buckets[b]
		for k := range bucket {
			if s.check(&bucket[k], i-bucket[k].at) {
				break
			}
		}
		i, b = secrets.next(src, max(i+1, s.pos))
	}
	return s.found
}

// check runs the rule of a, if a is at i, and reports whether it moved pos.
func (s *scanner) check(a *anchor, i int) bool {
	if i < s.pos {
		return false
	}
	if a.rule == ruleEmail {
		return s.email(i) || hasAt(s.src, i, "@tcp(") && s.driver(i) || hasAt(s.src, i, "@unix(") && s.driver(i)
	}
	if a.fold && !hasFold(s.src, i, a.text) || !a.fold && !hasAt(s.src, i, a.text) {
		return false
	}
	end := i + len(a.text)
	switch a.rule {
	case ruleToken:
		return s.token(&tokens[a.arg], i)
	case ruleName:
		return s.name(i, end-a.arg)
	case rulePEM:
		return s.pem(i, end)
	case rulePuTTY:
		return s.putty(end)
	case ruleURL:
		return s.url(end)
	case ruleEncodedURL:
		return s.encodedURL(end)
	case ruleThin:
		return s.thin(end)
	case ruleOption:
		return s.option(&options[a.arg], i, end)
	case ruleBearer:
		return s.bearer(end)
	case ruleEscape:
		s.hidden = s.hidden || hiddenLetter(s.src, i+1)
		return false
	case ruleBytes:
		s.bytes = true
		return false
	default:
		return s.skip(i)
	}
}

// skip passes over a pseudonym at i: the word in password:0123456789ab is no name.
func (s *scanner) skip(i int) bool {
	kind, n, cut := parsePseudonym(s.src[i:])
	if kind == "" || cut {
		return false
	}
	s.pos = i + n
	return true
}

// add records src[start:end] as a secret, under the kind of the token that it
// is where it is one, so that a token joins wherever it stands.
func (s *scanner) add(kind string, start, end int) bool {
	return s.addIn(kind, start, end, quote{})
}

// addIn is add for what is no string: its pseudonym gets quotes of the sort of q.
func (s *scanner) addIn(kind string, start, end int, q quote) bool {
	if start < s.pos || end <= start || isPseudonym(s.src[start:end]) {
		return false
	}
	if k := tokenKind(s.src, start, end); k != "" {
		kind = k
	}
	s.spans = append(s.spans, span{kind, start, end, q})
	s.pos = end
	return true
}
