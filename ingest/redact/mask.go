package redact

import (
	"bytes"
	"strconv"
	"strings"
)

const (
	open      = "«"
	shut      = "»"
	hexDigits = 12
	maxKind   = 32
)

// parsePseudonym reads the pseudonym at the start of s, which begins with
// open. kind is "" if there is none. cut means that s ends, or continues with
// an ellipsis, inside the digits.
func parsePseudonym[T string | []byte](s T) (kind string, n int, cut bool) {
	i := len(open)
	for i < len(s) && i <= len(open)+maxKind && (s[i]-'a' < 26 || s[i]-'0' < 10 || s[i] == '-') {
		i++
	}
	if i == len(open) || i >= len(s) || s[i] != ':' {
		return "", 0, false
	}
	end := i + 1
	for end < len(s) && end-i <= hexDigits && (s[end]-'0' < 10 || s[end]-'a' < 6) {
		end++
	}
	kind = string(s[len(open):i])
	if end-i == hexDigits+1 && len(s) >= end+len(shut) && string(s[end:end+len(shut)]) == shut {
		return kind, end + len(shut), false
	}
	// A text that was shortened may end in half a closing mark.
	rest := string(s[end:min(end+3, len(s))])
	if rest == "" || rest == "…" || rest == "..." || rest == shut[:1] {
		return kind, end, true
	}
	return "", 0, false
}

// findPseudonyms lists the pseudonyms in b.
func findPseudonyms(b []byte) []Hit {
	var hits []Hit
	for i := 0; ; {
		j := bytes.Index(b[i:], []byte(open))
		if j < 0 {
			return hits
		}
		i += j
		kind, n, cut := parsePseudonym(b[i:])
		if kind == "" || cut {
			i += len(open)
			continue
		}
		hits = append(hits, Hit{kind, i, i + n})
		i += n
	}
}

func isPseudonym(b []byte) bool {
	if !bytes.HasPrefix(b, []byte(open)) {
		return false
	}
	kind, n, cut := parsePseudonym(b)
	return kind != "" && !cut && n == len(b)
}

// Masker makes the pseudonyms of one output printable: each becomes its kind
// and the ordinal of its first appearance, «email 2», so that what is printed
// does not depend on the key. A Masker is not safe for concurrent use.
type Masker struct {
	ordinal map[string]int // by pseudonym
	last    map[string]int // by kind
}

// NewMasker returns the Masker for one output.
func NewMasker() *Masker {
	return &Masker{ordinal: map[string]int{}, last: map[string]int{}}
}

// Mask returns s with its pseudonyms masked. A pseudonym of which s holds
// only the beginning, because s was shortened, loses its digits.
func (m *Masker) Mask(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		kind, n, cut := parsePseudonym(s)
		switch {
		case kind == "":
			b.WriteString(open)
			n = len(open)
		case cut:
			b.WriteString(open + kind)
		default:
			b.WriteString(open + kind + " " + strconv.Itoa(m.number(kind, s[:n])) + shut)
		}
		s = s[n:]
	}
	if b.Len() == 0 {
		return s
	}
	return b.String() + s
}

func (m *Masker) number(kind, pseudonym string) int {
	n, ok := m.ordinal[pseudonym]
	if !ok {
		m.last[kind]++
		n = m.last[kind]
		m.ordinal[pseudonym] = n
	}
	return n
}
