package redact

import "bytes"

// memberBound is how far a check reads into lists and objects without finding
// anything.
const memberBound = 1024

// member checks the value of a member whose name is quoted: a string in the
// same quotes, strings in a list or in the wrappers of OTLP, or a number.
func (s *scanner) member(f family, v int, name quote) bool {
	switch {
	case v >= len(s.src):
		return false
	case quoteAt(s.src, v) == name:
		return s.quoted(f, v, name)
	case s.src[v] == '[' || s.src[v] == '{':
		return s.nested(f, v, name)
	}
	return s.number(f, v, name)
}

// number checks for a password of digits only. What stands for it is a string.
func (s *scanner) number(f family, v int, name quote) bool {
	end := runOf(s.src, v, 32, cDigit)
	if f.kind != "password" || f.strength != strong || end-v < 6 || end-v == 32 || end >= len(s.src) {
		return false
	}
	switch s.src[end] {
	case ',', '}', ' ', '\n', '\r', '\\':
		return s.addIn(f.kind, v, end, name)
	}
	return false
}

// wrappers are the members through which OTLP reaches the text of a value.
var wrappers = []string{"stringValue", "string_value", "bytesValue", "bytes_value", "arrayValue", "array_value", "values"}

// nested checks the strings of the list or object at v, in quotes of the sort
// of name. An object is entered where it wraps a value; a jar's may also name
// its cookies, or list {"name": …, "value": …}.
func (s *scanner) nested(f family, v int, name quote) (found bool) {
	level, last := 0, v
	dict := f.strength == jar && s.src[v] == '{'
	wanted := s.src[v] == '['
	for i := v; i < len(s.src) && i-last < memberBound; i = skipSpace(s.src, i, true) {
		switch c := s.src[i]; {
		case c == '[' || c == '{':
			level++
			i++
		case c == ']' || c == '}':
			if level--; level == 0 {
				return found
			}
			i++
		case c == ',':
			i++
		case quoteAt(s.src, i) == name:
			end := s.closing(i+name.width, name)
			text := s.src[i+name.width : end]
			after := skipSpace(s.src, end+name.width, true)
			if hasAt(s.src, after, ":") {
				wanted = oneOf(string(text), wrappers...) || f.strength == jar && (dict || string(text) == "value")
				if !wanted && f.strength != jar {
					return found
				}
				i = after + 1
				continue
			}
			if wanted && s.element(f, i, name, level > 1 || dict) {
				found, last = true, end
			}
			i = after
		case f.strength == jar && (is(c, cAlnum) || c == '-' || c == '.'):
			i = runOf(s.src, i, 32, cAlnum|cDot|cDash) // a number, true, null
		default:
			return found
		}
	}
	return found
}

// element checks one string of a list or an object.
func (s *scanner) element(f family, i int, q quote, inner bool) bool {
	if f.strength != jar || !inner {
		return s.quoted(f, i, q)
	}
	start := i + q.width
	end := s.closing(start, q)
	return end-start >= 4 && !placeholder(s.src[start:end]) && s.add(f.kind, start, end)
}

// pair checks what follows a quoted name and a comma at j: a later member
// "value" of the same object, or the next string of a list.
func (s *scanner) pair(f family, j int, name quote, flag bool) bool {
	for range 4 {
		start := skipSpace(s.src, j, true)
		if quoteAt(s.src, start) != name {
			return false
		}
		end := s.shortEnd(start+name.width, name)
		if end < 0 {
			return s.listed(f, start, name, flag)
		}
		after := skipSpace(s.src, end+name.width, true)
		if !hasAt(s.src, after, ":") {
			return s.listed(f, start, name, flag)
		}
		v := skipSpace(s.src, after+1, true)
		if hasFold(s.src, end-len("value"), "value") {
			return s.member(f, v, name)
		}
		if j = s.skipScalar(v, name); !hasAt(s.src, j, ",") {
			return false
		}
		j++
	}
	return false
}

// shortEnd is closing for a text of at most 64 bytes; else -1.
func (s *scanner) shortEnd(i int, q quote) int {
	if i > len(s.src) {
		return -1
	}
	cut := scanner{src: s.src[:min(len(s.src), i+64+q.width)]}
	if end := cut.closing(i, q); end < len(cut.src) && quoteAt(cut.src, end) == q {
		return end
	}
	return -1
}

// skipScalar returns the end of the short string or the word at v, and the
// blanks behind it.
func (s *scanner) skipScalar(v int, q quote) int {
	if quoteAt(s.src, v) == q {
		end := s.shortEnd(v+q.width, q)
		if end < 0 {
			return v
		}
		return skipSpace(s.src, end+q.width, true)
	}
	return skipSpace(s.src, runOf(s.src, v, 32, cAlnum|cDot|cDash), true)
}

// listed checks the string behind a name in a list: ["Authorization", "Basic …"],
// ["--password", "…"], setdefault("API_KEY", "…"). Lists of names look alike.
func (s *scanner) listed(f family, i int, q quote, flag bool) bool {
	start := i + q.width
	if f.strength >= header {
		return s.quoted(f, i, q)
	}
	end := s.shortEnd(start, q)
	if end < 0 {
		end = min(len(s.src), start+longValue)
		if long := s.closing(start, q); long < end {
			end = long
		}
	}
	v := s.src[start:end]
	if len(v) == 0 || v[0] == '-' || !random(v) && !(flag && f.strength == strong) {
		return false
	}
	return s.quoted(f, i, q)
}

func oneOf(s string, list ...string) bool {
	for _, x := range list {
		if s == x {
			return true
		}
	}
	return false
}

// quoted checks the value in the quotes q at v.
func (s *scanner) quoted(f family, v int, q quote) bool {
	start := v + q.width
	end := s.closing(start, q)
	value := s.src[start:end]
	switch f.strength {
	case header:
		return s.credentials(start, end, true)
	case jar:
		return bytes.IndexByte(value, '=') > 0 && s.add(f.kind, start, end)
	case query:
		return false
	case basic:
		return userPass(value) && s.add(f.kind, start, end)
	}
	if q.mark == '`' && bytes.IndexByte(value, ' ') >= 0 {
		return false // what a shell is to run
	}
	return secretValue(f, quoted, nil, value) && s.add(f.kind, start, end)
}
