package redact

import "bytes"

// style says how a value is written, and so how much can be taken for one.
type style uint8

const (
	quoted style = iota // in quotes
	assign              // NAME=value, --name=value, a header
	loose               // name: value, name = value: prose and code look alike
)

// value checks what follows the name src[lo:hi]: a separator and a value.
func (s *scanner) value(f family, lo, hi int, flag bool) bool {
	name := quoteAt(s.src, hi)
	j := skipSpace(s.src, hi+name.width, name.width > 0)
	spaced := j > hi
	next, ok := s.separator(j, lo, name)
	if !ok && (name.width > 0 || annotated(s.src, hi) < 0) {
		if !flag || name.width > 0 || j != hi+1 {
			return false
		}
		next = j // --name value
	}
	if end := annotated(s.src, hi); name.width == 0 && end > 0 {
		next = end
	}
	v := skipSpace(s.src, next, name.width > 0)
	st := assign
	if ok && (spaced || v > next || s.src[next-1] == ':') && f.strength < header {
		st = loose
	}
	if name.width > 0 {
		return s.member(f, v, name)
	}
	if v+1 < len(s.src) && is(s.src[v], cLetter) && openingQuote(s.src, v+1).width > 0 {
		v++ // f"…", r'…'
	}
	if q := openingQuote(s.src, v); q.width > 0 {
		return s.quoted(f, v, q)
	}
	return s.bare(f, st, s.src[lo:hi], v)
}

// quote is a quotation mark with the backslashes that belong to it.
type quote struct {
	mark  byte
	depth int // of nesting in JSON strings; see quoteDepth
	width int // bytes; 0 is none
}

// quoteAt reads the quotation mark at i, which nothing precedes.
func quoteAt(src []byte, i int) quote {
	n := 0
	for i+n < len(src) && src[i+n] == '\\' && n < 64 {
		n++
	}
	if i+n >= len(src) {
		return quote{}
	}
	switch c := src[i+n]; {
	case c == '"' && n == 1<<quoteDepth(n)-1:
		return quote{c, quoteDepth(n), n + 1}
	case (c == '\'' || c == '`') && n == 0:
		return quote{c, 0, 1}
	}
	return quote{}
}

// openingQuote is quoteAt for a mark that is not the end of the string around
// it: a value follows, and none of what follows a string in JSON.
func openingQuote(src []byte, i int) quote {
	q := quoteAt(src, i)
	end := i + q.width
	if q.width == 0 || end >= len(src) {
		return quote{}
	}
	switch c := src[end]; {
	case c <= ' ', c == ',', c == ':', c == '}', c == ']', c == '"':
		return quote{}
	}
	return q
}

// separator returns the end of the separator at j. After a quoted name, the
// value may also be the next member: {"name": "token", "value": "…"}.
func (s *scanner) separator(j, lo int, name quote) (int, bool) {
	src := s.src
	if j >= len(src) {
		return 0, false
	}
	switch src[j] {
	case ':':
		if hasAt(src, j, "::") || hasAt(src, j, "://") {
			return 0, false
		}
		if hasAt(src, j, ":=") {
			return j + 2, true
		}
		return j + 1, true
	case '=':
		end := j + 1
		if end < len(src) && (src[end] == '>' || src[end] == '=') {
			end++
		}
		return end, true
	case '>':
		return j + 1, lo > 0 && src[lo-1] == '<'
	case '\\':
		return j + 6, hasAt(src, j, `\u003d`)
	case ',':
		return s.valueMember(j+1, name)
	}
	return 0, false
}

// valueMember returns the end of `"value":` or `"value":{"stringValue":` at j.
func (s *scanner) valueMember(j int, name quote) (int, bool) {
	if name.mark != '"' {
		return 0, false
	}
	end, ok := s.memberName(skipSpace(s.src, j, true), "value", name)
	if !ok {
		return 0, false
	}
	if v := skipSpace(s.src, end, true); hasAt(s.src, v, "{") {
		return s.memberName(skipSpace(s.src, v+1, true), "stringValue", name)
	}
	return end, true
}

func (s *scanner) memberName(j int, name string, q quote) (int, bool) {
	if quoteAt(s.src, j) != q || !hasAt(s.src, j+q.width, name) {
		return 0, false
	}
	j += q.width + len(name)
	if quoteAt(s.src, j) != q {
		return 0, false
	}
	j = skipSpace(s.src, j+q.width, true)
	return j + 1, hasAt(s.src, j, ":")
}

// member checks the value of a member whose name is quoted: a string in the
// same quotes, or a list of such.
func (s *scanner) member(f family, v int, name quote) bool {
	if !hasAt(s.src, v, "[") {
		return quoteAt(s.src, v) == name && s.quoted(f, v, name)
	}
	found := false
	for v = skipSpace(s.src, v+1, true); quoteAt(s.src, v) == name; {
		end := s.closing(v+name.width, name)
		found = s.quoted(f, v, name) || found
		v = skipSpace(s.src, end+name.width, true)
		if !found || !hasAt(s.src, v, ",") {
			break
		}
		v = skipSpace(s.src, v+1, true)
	}
	return found
}

// closing returns the end of the text in quotes that starts at i.
func (s *scanner) closing(i int, q quote) int {
	if q.mark == '"' {
		return closeQuote(s.src, i, q.depth)
	}
	for end := i; end < len(s.src); end++ {
		switch c := s.src[end]; {
		case c == '"', c == q.mark:
			return end - backslashes(s.src, i, end)
		case c < ' ' && c != '\t':
			return end
		}
	}
	return len(s.src)
}

// quoted checks the value in the quotes q at v.
func (s *scanner) quoted(f family, v int, q quote) bool {
	start := v + q.width
	end := s.closing(start, q)
	switch f.strength {
	case header:
		return s.credentials(start, end, true)
	case jar:
		return bytes.IndexByte(s.src[start:end], '=') > 0 && s.add(f.kind, start, end)
	}
	return secretValue(f, quoted, nil, s.src[start:end]) && s.add(f.kind, start, end)
}

// bare checks the unquoted value at v.
func (s *scanner) bare(f family, st style, name []byte, v int) bool {
	switch f.strength {
	case header:
		return s.credentials(v, len(s.src), false)
	case jar:
		return s.cookies(v)
	}
	end := v
	for end < len(s.src) && !is(s.src[end], cStop) {
		end++
	}
	value := s.src[v:end]
	if len(value) < longValue {
		if end < len(s.src) && bytes.IndexByte([]byte("([{"), s.src[end]) >= 0 && codeWord(value) {
			return false
		}
		if st == loose && !endsLine(s.src, end) && !(f.strength == strong && random(value)) {
			return false // the beginning of a sentence
		}
		if st == assign && formField(s.src, v-len(name)-2, end) {
			st = quoted
		}
	}
	return secretValue(f, st, name, value) && s.add(f.kind, v, end)
}

// formField reports whether a name=value pair stands in a query or a form:
// between & or after ?.
func formField(src []byte, before, end int) bool {
	return before >= 0 && (src[before] == '&' || src[before] == '?') ||
		end < len(src) && src[end] == '&'
}

// endsLine reports whether a line, a string or a pair of brackets ends at i.
func endsLine(src []byte, i int) bool {
	i = skipSpace(src, i, false)
	if i >= len(src) {
		return true
	}
	switch src[i] {
	case '\n', '\r', '"', '\'', '`', '\\', '#', ',', ';', '}':
		return true
	}
	return false
}

// lineEnd returns the end of the line or string at i: the first quote,
// backslash or line break.
func (s *scanner) lineEnd(i int) int {
	for i < len(s.src) {
		switch c := s.src[i]; {
		case c == '"', c == '\'', c == '`', c == '\\', c < ' ' && c != '\t':
			return i
		}
		i++
	}
	return i
}
