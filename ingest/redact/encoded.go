package redact

import "encoding/binary"

// finder lists the secrets of a text.
type finder func(src []byte) found

// deep is find that also looks into base64, where find itself finds nothing:
// a token is one as a whole, before a part of it is read as base64.
func deep(find finder) finder {
	var whole finder
	whole = func(src []byte) found {
		f := find(src)
		if len(f.spans) == 0 {
			e := encodings{scanner: scanner{src: src}, find: whole}
			if f.bytes {
				e.walk(4)
			} else {
				e.walk(16)
			}
			f.spans = e.spans
		}
		return f
	}
	return whole
}

// encodings walks over the base64 in a text. Each is read once, and what it
// stands for is a quarter shorter: base64 in base64 costs linear time as well.
type encodings struct {
	scanner
	find finder
}

// walk looks at eight bytes, and at eight a step further, for letters that stand
// for text, whatever stands around them: a path, other bytes. It sees step + 7
// such letters in a row for sure.
func (e *encodings) walk(step int) {
	t := &alignments
	for i := 0; i+8 <= len(e.src); i += step {
		w := binary.LittleEndian.Uint64(e.src[i:])
		m := t[0][byte(w)] & t[1][byte(w>>8)] & t[2][byte(w>>16)] & t[3][byte(w>>24)] &
			t[0][byte(w>>32)] & t[1][byte(w>>40)] & t[2][byte(w>>48)] & t[3][byte(w>>56)]
		if m == 0 {
			continue
		}
		if q := e.text(i, m); q >= 0 {
			i = max(i, e.take(q)-step)
		}
	}
}

// text returns where four letters in one of the alignments m begin that stand for
// text, as twelve others beside them do; or -1.
func (e *encodings) text(i int, m byte) int {
	for r := range 4 {
		if m>>r&1 == 0 {
			continue
		}
		q, n := i+(4-r)%4, 0
		for at := q; n < 4 && isText(e.src, at); at += 4 {
			n++
		}
		for at := q - 4; n > 0 && n < 4 && at >= e.pos && isText(e.src, at); at -= 4 {
			n++
		}
		if n == 4 {
			return q
		}
	}
	return -1
}

// take replaces the base64 around q, where four letters begin, if there is a
// secret in it, and returns its end.
func (e *encodings) take(q int) int {
	lo := base64Start(e.src, e.pos, q)
	letters, end := appendBase64(nil, e.src, lo)
	before, _ := appendBase64(nil, e.src[:q], lo)
	text := unpack(letters[len(before)%4:])
	f := e.find(text)
	if f.hidden {
		if g := e.find(unescape(text)); g.covers() > f.covers() {
			f = g
		}
	}
	if len(f.spans) > 0 {
		e.scanner.add(f.spans[0].kind, lo, end)
	}
	e.pos = end
	return end
}

// userPass reports whether value is base64 of user:password, with whatever
// behind it: a path, a mark.
func userPass(value []byte) bool {
	letters, _ := appendBase64(nil, value[:min(len(value), longValue)], 0)
	text, colon := unpack(letters), -1
	for i, c := range text {
		if c < ' ' || c > '~' {
			text = text[:i]
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
	}
	return len(text) >= 6 && colon >= 0 && colon < len(text)-1
}
