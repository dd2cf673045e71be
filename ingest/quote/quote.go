package quote

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Plain counts the bytes up to a quote, a backslash or a control character.
func Plain(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, back := x^(ones*'"'), x^(ones*'\\')
		// A byte's top bit is set where it is zero, or, in the first term, below
		// a space; a borrow can add only bits above the first such byte.
		if hit := ((x-ones*' ')&^x | (quote-ones)&^quote | (back-ones)&^back) & tops; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(b); i++ {
		if b[i] == '"' || b[i] == '\\' || b[i] < ' ' {
			break
		}
	}
	return i
}

// escapes are what stands behind a backslash, by the byte it means.
var escapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// Append renders s as a JSON string. Bytes that are no UTF-8 become U+FFFD.
func Append(dst, s []byte) []byte {
	from := len(dst)
	dst = append(dst, '"')
	for rest := s; ; {
		n := Plain(rest)
		dst = append(dst, rest[:n]...)
		if n == len(rest) {
			break
		}
		e := escapes[rest[n]]
		if e == 0 {
			return library(dst[:from], s)
		}
		dst = append(dst, '\\', e)
		rest = rest[n+1:]
	}
	if !utf8.Valid(s) {
		return library(dst[:from], s)
	}
	return append(dst, '"')
}

func library(dst, s []byte) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error tells of U+FFFD only
	return dst
}

// means is escapes the other way round.
var means = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// AppendText appends what the JSON string v says. Where v is none, or not in
// UTF-8, ok is false and dst as it was.
func AppendText(dst, v []byte) (text []byte, ok bool) {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' || !utf8.Valid(v) {
		return dst, false
	}
	text = dst
	for rest := v[1 : len(v)-1]; ; {
		n := Plain(rest)
		text = append(text, rest[:n]...)
		switch {
		case n == len(rest):
			return text, true
		case rest[n] != '\\' || n+1 == len(rest):
			return dst, false
		case means[rest[n+1]] == 0:
			text, err := jsontext.AppendUnquote(dst, v)
			if err != nil {
				return dst, false
			}
			return text, true
		}
		text = append(text, means[rest[n+1]])
		rest = rest[n+2:]
	}
}

// Text is AppendText for text of its own.
func Text(v []byte) (text string, ok bool) {
	if IsPlain(v) {
		return string(v[1 : len(v)-1]), true
	}
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' || !utf8.Valid(v) {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(v) - 2)
	for rest := v[1 : len(v)-1]; ; {
		n := Plain(rest)
		b.Write(rest[:n])
		if n == len(rest) {
			return b.String(), true
		}
		if rest[n] != '\\' || n+1 == len(rest) || means[rest[n+1]] == 0 {
			out, ok := AppendText(nil, v)
			return string(out), ok
		}
		b.WriteByte(means[rest[n+1]])
		rest = rest[n+2:]
	}
}

// IsPlain reports that v is a JSON string in UTF-8 which says what stands between
// its quotes.
func IsPlain(v []byte) bool {
	n := len(v) - 2
	return n >= 0 && v[0] == '"' && Plain(v[1:]) == n && v[n+1] == '"' && utf8.Valid(v)
}
