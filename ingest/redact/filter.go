package redact

import (
	"encoding/binary"
	"strings"
)

// rule says which check stands behind an anchor.
type rule uint8

const (
	ruleEmail     rule = iota
	ruleToken          // arg: index into tokens
	ruleName           // a part of a secret's name
	rulePEM            // -----BEGIN
	ruleURL            // ://
	ruleUser           // -u, --user
	ruleBearer         // Bearer
	rulePseudonym      // «
)

// anchor is a text that every secret of some shape has in or before it.
type anchor struct {
	text string
	fold bool // text is lower case and matches in any case
	rule rule
	arg  int
	at   int // offset of the two bytes by which the filter finds it
}

// filter finds the places worth a precise check: those whose two bytes are
// the rarest two of an anchor. One table look-up a byte, independent of the
// one before, runs faster than an automaton, whose look-ups form a chain.
type filter struct {
	bucket  [1 << 16]uint8 // by two bytes, little endian: 0 or the index of a bucket
	buckets [][]anchor
}

var secrets = newFilter()

func newFilter() *filter {
	f := &filter{buckets: make([][]anchor, 1)}
	for c := range 256 { // '@' before any byte
		f.add(anchor{text: string([]byte{'@', byte(c)}), rule: ruleEmail}, '@', byte(c))
	}
	for i, t := range tokens {
		f.anchor(anchor{text: t.prefix, rule: ruleToken, arg: i})
	}
	for _, name := range nameAnchors {
		f.anchor(anchor{text: name, fold: true, rule: ruleName})
	}
	f.anchor(anchor{text: "-----BEGIN ", rule: rulePEM})
	f.anchor(anchor{text: "://", rule: ruleURL})
	f.anchor(anchor{text: "-u", rule: ruleUser})
	f.anchor(anchor{text: "bearer", fold: true, rule: ruleBearer})
	f.anchor(anchor{text: open, rule: rulePseudonym})
	return f
}

// anchor enters a under its rarest pair of bytes, in each case it may have.
func (f *filter) anchor(a anchor) {
	for i := range len(a.text) - 1 {
		if rarity(a.text[i:]) > rarity(a.text[a.at:]) {
			a.at = i
		}
	}
	for _, x := range cases(a.text[a.at], a.fold) {
		for _, y := range cases(a.text[a.at+1], a.fold) {
			f.add(a, x, y)
		}
	}
}

func (f *filter) add(a anchor, x, y byte) {
	n := &f.bucket[uint16(x)|uint16(y)<<8]
	if *n == 0 {
		if x == '@' && y != '@' && len(f.buckets) > 1 {
			*n = 1 // all pairs of '@' share the first bucket
			return
		}
		*n = uint8(len(f.buckets))
		f.buckets = append(f.buckets, nil)
	}
	f.buckets[*n] = append(f.buckets[*n], a)
}

func cases(c byte, fold bool) []byte {
	if up := strings.ToUpper(string(c)); fold && up[0] != c {
		return []byte{c, up[0]}
	}
	return []byte{c}
}

// rarity estimates how rare the first two bytes of s are in traces, from the
// rank of each in JSON with prose and code.
func rarity(s string) int {
	const byFrequency = " etnaos\"ir\\ldc,:ump_hf.g/-vby01234w5k6789xSTAECIRNPLODzjMFqUBHGVWKYXJQZ"
	rank := func(c byte) int {
		if i := strings.IndexByte(byFrequency, c); i >= 0 {
			return i + 1
		}
		return len(byFrequency)
	}
	return rank(s[0]) * rank(s[1])
}

// next returns the first place at or after i whose two bytes are in the
// filter, and its bucket; len(src) if there is none.
func (f *filter) next(src []byte, i int) (int, uint8) {
	t := &f.bucket
	for ; i+8 <= len(src); i += 7 {
		w := binary.LittleEndian.Uint64(src[i:])
		if t[uint16(w)]|t[uint16(w>>8)]|t[uint16(w>>16)]|t[uint16(w>>24)]|
			t[uint16(w>>32)]|t[uint16(w>>40)]|t[uint16(w>>48)] != 0 {
			for b := t[uint16(w)]; ; b = t[uint16(w)] {
				if b != 0 {
					return i, b
				}
				w >>= 8
				i++
			}
		}
	}
	for ; i+1 < len(src); i++ {
		if b := t[uint16(src[i])|uint16(src[i+1])<<8]; b != 0 {
			return i, b
		}
	}
	return len(src), 0
}
