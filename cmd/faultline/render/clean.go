package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean writes what could steer a terminal or mislead the eye as a visible
// escape: \x1b, \n, \u202e. Other text stays as it is. The result is one line
// of valid UTF-8, and none that a CI service would take for a command.
func Clean(s string) string { return strings.ReplaceAll(visible(s), ciMark, `#\x23[`) }

// ciMark begins a command of the older kind of CI services, anywhere in a line
// of output.
const ciMark = "##["

// noCommand keeps a line from being a command of a CI service, such as
// ::error::, which stands first in its line.
func noCommand(line string) string {
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if !strings.HasPrefix(text, "::") {
		return line
	}
	return line[:len(line)-len(text)] + `\x3a` + text[1:]
}

func visible(s string) string {
	if !strings.ContainsFunc(s, steers) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !steers(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// cleanJSON writes the same characters in a JSON text as JSON escapes. Outside
// of strings valid JSON has none of them but white space.
func cleanJSON(s string) string {
	return strings.ReplaceAll(visibleJSON(s), ciMark, `#\u0023[`)
}

func visibleJSON(s string) string {
	if !strings.ContainsFunc(s, steers) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !steers(r) || r == '\n':
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}

// steers reports control characters, line and paragraph separators and
// invisible format characters, bidirectional marks among them. Joiners are
// left: they are part of emoji and of several scripts.
func steers(r rune) bool {
	switch {
	case r < 0x20 || r == 0x7f:
		return true
	case r < 0x80 || r == '\u200c' || r == '\u200d':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
