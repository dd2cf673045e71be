package redact

import (
	"bytes"
	"strings"
)

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
	if name.width > 0 && hasAt(s.src, j, ",") {
		return s.pair(f, j+1, name, flag)
	}
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
	if s.src[next-1] == '>' || hasAt(s.src, next-5, "u003e") {
		v = skipSpace(s.src, max(v, lineBreak(s.src, v)), false) // the text of an XML element
	}
	st := assign
	if ok && (spaced || v > next || s.src[next-1] == ':') && f.strength < header {
		st = loose
	}
	if name.width > 0 && next > 0 && s.src[next-1] == ':' {
		return s.member(f, v, name)
	}
	if v+1 < len(s.src) && is(s.src[v], cLetter) && openingQuote(s.src, v+1).width > 0 {
		v++ // f"…", r'…'
	}
	if q := openingQuote(s.src, v); q.width > 0 {
		if goesOn(s.src[v+q.width:]) {
			return false
		}
		return s.quoted(f, v, q)
	}
	return name.width == 0 && s.bare(f, st, s.src[lo:hi], blockScalar(s.src, v))
}

// goesOn reports whether what stands behind a quotation mark is the code after
// a string that ends so: "password: " + word, getpass("Password: ").
func goesOn(text []byte) bool {
	switch {
	case len(text) < 2:
		return false
	case text[0] == ')':
		return bytes.IndexByte([]byte("\n\\.,;): "), text[1]) >= 0
	case text[0] == '+':
		word := runOf(text, 1, 64, cToken|cDot)
		return word < len(text) && bytes.IndexByte([]byte("),;"), text[word]) >= 0 && !random(text[1:word])
	}
	return false
}

// separator returns the end of the separator at j, behind a name that begins
// at lo and ends in the quote name, if any.
func (s *scanner) separator(j, lo int, name quote) (int, bool) {
	src := s.src
	if j >= len(src) {
		return 0, false
	}
	switch src[j] {
	case ':':
		end := runOf(src, j, 4, cColon)
		if hasAt(src, end, "=") { // := and its like in make
			return end + 1, true
		}
		return end, end == j+1 && !hasAt(src, end, "//")
	case '?':
		return j + 2, hasAt(src, j, "?=")
	case '|':
		return j + 3, hasAt(src, j, "||=")
	case '=':
		end := j + 1
		if end < len(src) && (src[end] == '>' || src[end] == '=') {
			return end + 1, true
		}
		if u := runOf(src, end, 64, cBackslash); u > end && hasAt(src, u, "u003e") {
			return u + 5, true
		}
		return end, true
	case '>':
		return j + 1, lo > 0 && src[lo-1] == '<' && s.closesTag(j+1, "<")
	case '%':
		return j + 3, hasFold(src, j, "%3a") || hasFold(src, j, "%3d")
	case '\\', '\n', '\r':
		if name.width > 0 {
			return 0, false
		}
		return s.escapedSeparator(j, lo)
	case ']': // os.environ["API_KEY"] = …
		eq := skipSpace(src, j+1, false)
		return eq + 1, name.width > 0 && hasAt(src, eq, "=") && !hasAt(src, eq, "==")
	case 'v', 'V': // <add key="ApiKey" value="…"/>
		return j + len("value="), name.width > 0 && hasFold(src, j, "value=")
	}
	return 0, false
}

// escapedSeparator reads \u003d, the end of an XML tag as Go's JSON escapes it,
// and the line break of YAML's name: API_KEY, value: ….
func (s *scanner) escapedSeparator(j, lo int) (int, bool) {
	switch u := runOf(s.src, j, 64, cBackslash); {
	case u > j && hasAt(s.src, u, "u003d"):
		return u + 5, true
	case u > j && hasAt(s.src, u, "u003e"):
		return u + 5, hasAt(s.src, lo-5, "u003c") && s.closesTag(u+5, "u003c")
	}
	if i := lineBreak(s.src, j); i > 0 {
		i = skipSpace(s.src, i, false)
		return i + len("value:"), hasAt(s.src, i, "value:")
	}
	return 0, false
}

// closesTag reports whether the text of an XML element begins at i: a tag that
// closes is next. <your-api-key> is none.
func (s *scanner) closesTag(i int, tag string) bool {
	text := s.src[i:min(len(s.src), i+longValue)]
	n := bytes.Index(text, []byte(tag))
	return n >= 0 && hasAt(text, n+len(tag), "/")
}

// lineBreak returns the end of the line break at i, raw or escaped, or 0.
func lineBreak(src []byte, i int) int {
	end := 0
	for i < len(src) {
		n := runOf(src, i, 8, cBackslash)
		switch {
		case n == i && (src[i] == '\n' || src[i] == '\r'):
			end = i + 1
		case n > i && n < len(src) && (src[n] == 'n' || src[n] == 'r'):
			end = n + 1
		default:
			return end
		}
		if i = end; src[end-1] == 'n' || src[end-1] == '\n' {
			return end
		}
	}
	return end
}

// blockScalar returns where the text begins that YAML puts on the lines after
// | or >, or i.
func blockScalar(src []byte, i int) int {
	if !hasAt(src, i, "|") && !hasAt(src, i, ">") {
		return i
	}
	head := i + 1
	if head < len(src) && (src[head] == '-' || src[head] == '+') {
		head++
	}
	if end := lineBreak(src, head); end > 0 {
		return skipSpace(src, end, false)
	}
	return i
}

// bare checks the unquoted value at v.
func (s *scanner) bare(f family, st style, name []byte, v int) bool {
	list := hasAt(s.src, v, "[") // as Go prints headers: X-Api-Key:[…]
	if list {
		v++
	}
	switch f.strength {
	case header:
		return s.credentials(v, len(s.src), false)
	case jar:
		return s.cookies(v)
	}
	end := s.valueEnd(v, f.strength == basic || f.strength == query || list)
	value := s.src[v:end]
	switch {
	case f.strength == basic:
		return userPass(value) && s.add(f.kind, v, end)
	case f.strength == query:
		return len(value) >= 16 && formField(s.src, v-len(name)-2, end) && s.add(f.kind, v, end)
	case list && !random(value):
		return false
	}
	if len(value) < longValue {
		if end < len(s.src) && bytes.IndexByte([]byte("([{"), s.src[end]) >= 0 && callee(value) {
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

// valueEnd returns the end of the unquoted value at v. A bounded one is not read
// on where a check may refuse it.
func (s *scanner) valueEnd(v int, bounded bool) int {
	limit := len(s.src)
	if bounded {
		limit = min(limit, v+longValue)
	}
	for end := v; end < limit; end++ {
		switch c := s.src[end]; {
		case is(c, cStop), c == '%' && (hasAt(s.src, end, "%26") || hasAt(s.src, end, "%22")):
			return end
		}
	}
	return limit
}

// formField reports whether a name=value pair stands in a query or a form:
// between & or after ?.
func formField(src []byte, before, end int) bool {
	return before >= 0 && (src[before] == '&' || src[before] == '?' || hasAt(src, before-4, "u0026")) ||
		end < len(src) && (src[end] == '&' || hasAt(src, runOf(src, end, 64, cBackslash), "u0026"))
}

// endsLine reports whether a line, a string, a pair of brackets or the cell of a
// table ends at i.
func endsLine(src []byte, i int) bool {
	i = skipSpace(src, i, false)
	return i >= len(src) || src[i] < ' ' || strings.IndexByte("\"'`\\#,;}])|<>&", src[i]) >= 0
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
