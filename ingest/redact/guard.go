package redact

import (
	"bytes"
	"strings"
)

// secretValue reports whether value, under a name of the family, is a secret
// rather than a placeholder, a type, a reference or prose.
func secretValue(f family, st style, name, value []byte) bool {
	if len(value) >= longValue {
		return true
	}
	if bytes.Contains(value, []byte(open)) {
		// It holds a pseudonym. Its digits must not decide anything.
		return f.strength == strong && !isPseudonym(value)
	}
	if len(value) < 4 || placeholder(value) || path(value) {
		return false
	}
	if f.strength == weak {
		return random(value) && !codeWord(value)
	}
	if f.kind == "token" && len(value) < 8 && count(value, cDigit) == len(value) {
		return false // how many
	}
	if f.kind != "password" && label(value) || st != quoted && constant(value) {
		return false
	}
	code := codeWord(value) && !(f.kind == "password" && numbered(value))
	switch st {
	case quoted:
		return !prose(value)
	case assign:
		capitals := count(name, cLower) == 0
		return capitals && !flatEqual(name, value) || !code
	default:
		return !code && !typeWord(value) && count(value, cDigit) > 0
	}
}

// placeholder reports whether value stands for a secret that is elsewhere.
func placeholder(value []byte) bool {
	v := strings.ToLower(string(value))
	switch v {
	case "null", "none", "true", "false", "undefined", "string", "password", "passwd", "secret",
		"token", "required", "optional", "number", "boolean", "object", "text", "hidden",
		"include", "omit", "same-origin", "changeme", "default", "disabled", "enabled", "unknown", "error", "invalid":
		return true
	}
	for _, part := range []string{"redacted", "placeholder", "your_", "your-", "my_api", "example_",
		"${", "{{", "$(", "process.env", "os.environ", "getenv", "<your", `\u003c`, "(.*"} {
		if strings.Contains(v, part) {
			return true
		}
	}
	if masked(value) {
		return true
	}
	last := v[len(v)-1]
	switch v[0] {
	case '$':
		return wordOnly(v[1:])
	case '%':
		return last == '%' || len(v) <= 3
	case '<':
		return last == '>'
	case '{':
		return last == '}'
	case '[':
		return last == ']'
	}
	return strings.Count(v, v[:1]) == len(v) || envName(value) || strings.HasPrefix(v, "c.") && envName(value[2:])
}

// masked reports whether v has been made unreadable: sk-xxxx, abcd****. What else
// stands in it may still be all of a value.
func masked(v []byte) bool {
	for _, mask := range masks {
		at := bytes.Index(v, mask)
		if at < 0 {
			continue
		}
		for at >= 0 {
			if whole(v[:at]) {
				return false
			}
			v = v[at+len(mask):]
			at = bytes.Index(v, mask)
		}
		return !whole(v)
	}
	return false
}

var masks = [][]byte{[]byte("xxxx"), []byte("XXXX"), []byte("****"), []byte("....")}

// whole reports whether the rest of a masked value is enough to be one.
func whole(rest []byte) bool {
	return count(rest, cAlnum) >= 8 && count(rest, cDigit) > 0 && !dashedWords(rest)
}

// envName reports whether value is written as the name of a variable that
// holds a secret: GITHUB_TOKEN.
func envName(value []byte) bool {
	for _, c := range value {
		if !is(c, cUpper|cDigit) && c != '_' {
			return false
		}
	}
	if bytes.HasPrefix(value, []byte("YOUR")) {
		return true
	}
	for _, end := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASS"} {
		if bytes.HasSuffix(value, []byte(end)) {
			return true
		}
	}
	return false
}

// path reports whether value names a file or a page.
func path(value []byte) bool {
	v := string(value)
	if strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "file:") {
		return true
	}
	for _, start := range []string{"/", "~/", "./", "../"} {
		if strings.HasPrefix(v, start) {
			return strings.Contains(v, ".") || strings.Count(v, "/") > 1 && !drawn(value)
		}
	}
	return false
}

// drawn reports whether value, between its slashes, holds what looks drawn.
func drawn(value []byte) bool {
	for part := range bytes.SplitSeq(value, []byte("/")) {
		if random(part) {
			return true
		}
	}
	return false
}

// prose reports whether value is a label or a sentence.
func prose(value []byte) bool {
	if bytes.IndexByte(value, ' ') < 0 {
		return false
	}
	if last := value[len(value)-1]; last == '.' || last == '?' || last == ':' || last == '!' {
		return true
	}
	if !is(value[0], cUpper) {
		return false
	}
	for _, c := range value {
		if !is(c, cLetter) && c != ' ' && c != '-' && c != '\'' && c != ',' {
			return false
		}
	}
	return true
}

// codeWord reports whether value is what code has on the right of a name: an
// identifier or a selector of some, with at most one digit each.
func codeWord(value []byte) bool {
	if len(value) == 0 {
		return true
	}
	value = bytes.TrimLeft(value, "*&!-")
	for part := range bytes.SplitSeq(value, []byte(".")) {
		for len(part) > 0 && (part[len(part)-1] == '?' || part[len(part)-1] == '!') {
			part = part[:len(part)-1]
		}
		if part = bytes.TrimSuffix(part, []byte("=")); !wordOnly(string(part)) || len(part) > 0 && is(part[0], cDigit) {
			return false
		}
		if d := count(part, cDigit); d > 1 || d == 1 && len(part) >= 6 && !is(part[len(part)-1], cDigit) {
			return false
		}
	}
	return len(value) < 48
}

// callee reports whether value is the name of what code calls.
func callee(value []byte) bool {
	return len(value) > 0 && is(value[0], cLetter) && count(value, cAlnum|cDot)+bytes.Count(value, []byte("_")) == len(value) && !random(value)
}

// label reports whether value is words that say what would stand there:
// test-key, my_secret_token.
func label(value []byte) bool {
	if count(value, cLower|cDash) != len(value) || count(value, cDash) == 0 || len(value) > 40 {
		return false
	}
	for _, end := range []string{"key", "token", "secret", "password"} {
		if bytes.HasSuffix(value, []byte(end)) {
			return true
		}
	}
	return false
}

// constant reports whether value is a small number of a program: 0x1f, -0x7.
func constant(value []byte) bool {
	v := bytes.TrimPrefix(value, []byte("-"))
	return len(v) <= 10 && (hasAt(v, 0, "0x") || hasAt(v, 0, "0X")) && count(v[2:], cHex) == len(v)-2
}

// numbered reports whether value is a word with a number behind, as people
// choose for passwords; as an identifier it would be rare.
func numbered(value []byte) bool {
	return len(value) >= 6 && count(value, cDigit) > 0 && count(value, cDot) == 0
}

// typeWord reports whether value is a type with its size: int64, u8, bytes32.
func typeWord(value []byte) bool {
	switch strings.TrimRight(strings.TrimLeft(string(value), "*&?[]"), "0123456789") {
	case "int", "uint", "i", "u", "f", "float", "byte", "bytes", "complex", "varchar", "char":
		return true
	}
	return false
}

func wordOnly(v string) bool {
	for i := range len(v) {
		if !is(v[i], cAlnum) && v[i] != '_' {
			return false
		}
	}
	return true
}

// random reports whether value looks drawn rather than written: letters and
// digits mixed, of some length, few of them equal, no blanks.
func random(value []byte) bool {
	if len(value) < 12 || count(value, cDigit) < 2 || count(value, cLetter) < 2 || count(value, cStop) > 0 {
		return false
	}
	return distinct(value) >= 8 && !dashedWords(value)
}

// varied tells a token from what stands for one: ghp_xxxxxxxxxxxxxxxxxxxx.
func varied(value []byte) bool { return distinct(value) >= 6 }

func distinct(value []byte) (n int) {
	var seen [256]bool
	for _, c := range value {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// dashedWords reports whether value is words and small numbers joined by - or
// _ or /: a class, a file, a model, a date.
func dashedWords(value []byte) bool {
	words, other := 0, 0
	for part := range bytes.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_/.:", r) }) {
		d := count(part, cDigit)
		switch {
		case len(part) <= 4, d == 0 && len(part) < 20, d <= 2 && len(part) < 10, d == len(part) && d <= 8, sized(part):
			words++
		default:
			other++
		}
	}
	return other == 0 && words > 1
}

// sized reports a word with a size behind it: nistp256, ed25519.
func sized(part []byte) bool {
	word := runOf(part, 0, 8, cLower)
	return word >= 2 && len(part) <= word+5 && len(part) <= 10 && count(part[word:], cDigit) == len(part)-word
}

func count(value []byte, bits uint16) int {
	n := 0
	for _, c := range value {
		if is(c, bits) {
			n++
		}
	}
	return n
}

// flatEqual reports whether two names are equal but for case and separators.
func flatEqual(a, b []byte) bool {
	drop := func(s []byte) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(string(s)))
	}
	return drop(a) == drop(b)
}
