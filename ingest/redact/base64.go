package redact

// sixBits is what a letter of base64 stands for, in either alphabet; 64 is none.
var sixBits = func() (t [256]byte) {
	for i := range t {
		t[i] = 64
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

// alignments tells of eight letters in a row at a glance whether they may stand
// for text: bit r of alignments[k%4][c] is set where c may be letter k of them if
// r letters of its group of four stand before the first.
var alignments = func() (t [4][256]byte) {
	for c, v := range sixBits {
		may := [4]bool{ // the first letter of a group, and so on
			v >= ' '>>2 && v <= '~'>>2 || v == '\t'>>2 || v == '\r'>>2,
			v&15 == 0 || v&15 >= ' '>>4 && v&15 <= '~'>>4,
			v&2 == 0,
			true,
		}
		for k := range 4 {
			for r := range 4 {
				if v < 64 && may[(k+r)%4] {
					t[k][c] |= 1 << r
				}
			}
		}
	}
	return t
}()

// isText reports whether four letters at i stand for three bytes of plain text.
func isText(src []byte, i int) bool {
	if i+4 > len(src) {
		return false
	}
	a, b, c, d := sixBits[src[i]], sixBits[src[i+1]], sixBits[src[i+2]], sixBits[src[i+3]]
	return (a|b|c|d)&64 == 0 && plain(a<<2|b>>4) && plain(b<<4|c>>2) && plain(c<<6|d)
}

func plain(c byte) bool {
	return c >= ' ' && c <= '~' || c == '\n' || c == '\t' || c == '\r'
}

// appendBase64 appends what the letters of the base64 at i stand for to dst, six
// bits each, and returns where it ends, behind its padding. Lines may be broken,
// and / and + written as escapes.
func appendBase64(dst, src []byte, i int) (letters []byte, end int) {
	line := i
	for i < len(src) {
		v := sixBits[src[i]]
		if v < 64 {
			dst = append(dst, v)
			i++
			continue
		}
		if c, next := escapedLetter(src, i); next > i {
			dst = append(dst, sixBits[c])
			i = next
			continue
		}
		next := lineGoesOn(src, line, i)
		if next == i {
			break
		}
		line, i = next, next
	}
	return dst, i + padding(src, i)
}

// unpack turns letters of six bits into bytes, in place.
func unpack(letters []byte) []byte {
	n, held, bits := 0, uint32(0), 0
	for _, v := range letters {
		held = held<<6 | uint32(v)
		if bits += 6; bits >= 8 {
			bits -= 8
			letters[n] = byte(held >> bits)
			n++
		}
	}
	return letters[:n]
}

// Base64 in lines has lines of 60 to 76 letters, as a rule.
const shortLine, longLine = 40, 128

// base64Start returns where the base64 begins that i is in, not before lo.
func base64Start(src []byte, lo, i int) int {
	for {
		for i > lo && sixBits[src[i-1]] < 64 {
			i--
		}
		i = afterEscape(src, i) // the n of a line break is a letter too
		before := letterBefore(src, lo, i)
		if before == i {
			return i
		}
		i = before
	}
}

// letterBefore returns where the escape of a letter begins that ends at i, or
// where the line ends that goes on at i; else i.
func letterBefore(src []byte, lo, i int) int {
	if at := i - backslashes(src, lo, i); at < i {
		if _, next := escapedLetter(src, at); next > i {
			return at
		}
		return i
	}
	end := i
	for end > lo && i-end < 32 && src[end-1] == ' ' {
		end--
	}
	line := i
	for at := end - 1; at >= max(lo, end-8); at-- {
		if lineBreak(src, at) == end {
			line = at
		}
	}
	if line-lo < shortLine || runOf(src, line-shortLine, shortLine, cBase64) < line {
		return i
	}
	return line
}

// escapedLetter reads /, + or one of their like that is an escape at i; next is
// i if there is none.
func escapedLetter(src []byte, i int) (c byte, next int) {
	n := runOf(src, i, 16, cBackslash)
	if n == i || n >= len(src) {
		return 0, i
	}
	if src[n] == '/' {
		return '/', n + 1
	}
	if c, ok := letter(src, n); ok && sixBits[c] < 64 {
		return c, n + 5
	}
	return 0, i
}

// padding counts the = at i.
func padding(src []byte, i int) (n int) {
	for n < 2 && hasAt(src, i+n, "=") {
		n++
	}
	return n
}

// lineGoesOn returns where base64 in lines goes on behind a line src[from:i], or
// i: lines of it are long, and nothing else stands in them.
func lineGoesOn(src []byte, from, i int) int {
	n := lineBreak(src, i)
	if i-from < shortLine || i-from > longLine || n == 0 {
		return i
	}
	n = skipSpace(src, n, false)
	end := runOf(src, n, longLine, cBase64)
	if end == n || !endsLine(src, end+padding(src, end)) {
		return i
	}
	return n
}
