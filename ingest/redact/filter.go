package redact

import (
	"encoding/binary"
	"slices"
	"strings"
)

// rule says which check stands behind an anchor.
type rule uint8

const (
	ruleEmail      rule = iota
	ruleToken           // arg: index into tokens
	ruleName            // a part of a secret's name; arg: bytes of the text behind it
	rulePEM             // -----BEGIN
	rulePuTTY           // Private-Lines:
	ruleURL             // ://
	ruleEncodedURL      // %3A%2F%2F
	ruleThin            // :thin: of Oracle
	ruleOption          // arg: index into options
	ruleBearer          // Bearer
	ruleEscape          // \u00, which may stand for a letter
	ruleBytes           // the name of a value of bytes in OTLP
	rulePseudonym       // «
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
	index   map[[2]byte]int // of buckets, by what their pairs share
}

var secrets = newFilter()

func newFilter() *filter {
	f := &filter{buckets: make([][]anchor, 1), index: map[[2]byte]int{}}
	for c := range 256 { // '@' before any byte
		f.add(anchor{text: "@", rule: ruleEmail}, '@', byte(c))
	}
	for i, t := range tokens {
		f.anchor(anchor{text: t.prefix, rule: ruleToken, arg: i})
	}
	for _, name := range nameAnchors {
		f.anchor(anchor{text: name, fold: true, rule: ruleName})
	}
	for _, text := range endedAnchors {
		f.anchor(anchor{text: text, fold: true, rule: ruleName, arg: 1})
	}
	for i, o := range options {
		f.anchor(anchor{text: o.text, rule: ruleOption, arg: i})
	}
	for _, a := range fixedAnchors {
		f.anchor(a)
	}
	return f
}

var fixedAnchors = []anchor{
	{text: "-----BEGIN ", rule: rulePEM}, {text: "---- BEGIN SSH2 ", rule: rulePEM}, {text: "Private-Lines:", rule: rulePuTTY},
	{text: "://", rule: ruleURL}, {text: `:\/\/`, rule: ruleURL}, {text: "%3A%2F%2F", rule: ruleEncodedURL},
	{text: ":thin:", rule: ruleThin}, {text: "bearer", fold: true, rule: ruleBearer}, {text: open, rule: rulePseudonym},
	{text: `\u00`, rule: ruleEscape}, {text: "bytesValue", rule: ruleBytes}, {text: "bytes_value", rule: ruleBytes},
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

// add enters a under the bytes x and y. Pairs that differ in case alone share a
// bucket, and so do all pairs of '@': a byte must do as its index.
func (f *filter) add(a anchor, x, y byte) {
	shared := [2]byte{lower(x), lower(y)}
	if x == '@' {
		shared[1] = 0
	}
	n := f.index[shared]
	if n == 0 {
		n = len(f.buckets)
		f.index[shared] = n
		f.buckets = append(f.buckets, nil)
	}
	f.bucket[uint16(x)|uint16(y)<<8] = uint8(n)
	if !slices.Contains(f.buckets[n], a) {
		f.buckets[n] = append(f.buckets[n], a)
	}
}

func cases(c byte, fold bool) []byte {
	if up := strings.ToUpper(string(c)); fold && up[0] != c {
		return []byte{c, up[0]}
	}
	return []byte{c}
}

// frequent are pairs that many a trace has often, the most frequent first. What
// is not among them is rarer.
const frequent = "inreesseonntenerstattetithorsstoancoasioutaldesileittrmeroidgeliusokraecaredetpuomrioohanictkeagnepo" +
	"foeaelpas\"fiurypacairuullscat_vetunasadanpadho_tckodim//lartmivabeshceprloem00tp--cre_pt01_ioggis." +
	"l_hit.i/ttqu- dowo2 ldspicmoe.nus\\auplsoapofopmdrklfipiee-ibsckss/oicmnfskbykiabnvh\"ppryrdd_d-:\\" +
	".0lyn_n-igew1. Sfe25ey-bocsl-aa-gss:b--s13_s-1u_ff0aphiac-29ub_p4148p_wd/at-ivwh56ebPrizcc343-wepsdu" +
	"Limsghhus_swystftlINk-94.c89h_s- B0-pyg_b1mtfmsqN n:oasgxprgh\\o--pxefta2xa4b0cza_afcpiCL://wgnm_s=" +
	"_ecbTi8edce2ufl-c0p..p2bhrr_tL1di-RECTy-glx-GIBE.sEGAT-u1CSS-Br-/\\.wk_ojhsn=m/EAAStvEC_osn-kxcSEdr" +
	"_l_gcsm\\lpb.kny_ARw_JSu0lrpw\\umnOJRUACCATA9.ox"

// rarity ranks the first two bytes of s.
func rarity(s string) int {
	for i := 0; i < len(frequent); i += 2 {
		if frequent[i:i+2] == s[:2] {
			return i
		}
	}
	return len(frequent)
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
