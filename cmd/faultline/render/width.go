package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// columns is how many columns of a terminal s takes: marks take none, the
// wide characters of East Asia and emoji two.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == '\u200c' || r == '\u200d' || unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f900 && r <= 0x1f9ff,
		r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// clip shortens s to a number of columns, an ellipsis included.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeColumns(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// wrap breaks s at spaces into lines of at most width columns. A word that is
// longer is broken nowhere: a path or a command must stay whole to be copied.
func wrap(s string, width int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	for _, word := range strings.Fields(s) {
		n := columns(word)
		if used > 0 && used+1+n > width {
			lines = append(lines, line.String())
			line.Reset()
			used = 0
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += n
	}
	if used > 0 || len(lines) == 0 {
		lines = append(lines, line.String())
	}
	return lines
}

// pad fills s with spaces to a number of columns.
func pad(s string, width int) string {
	if n := columns(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// base is the last element of a path as either kind of system writes it.
func base(path string) string {
	path = strings.TrimRight(path, `/\`)
	i := strings.LastIndexAny(path, `/\`)
	if _, n := utf8.DecodeRuneInString(path[i+1:]); n == 0 {
		return path
	}
	return path[i+1:]
}
