package redacttest

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// Mark is in every secret, in any case. It is hexadecimal, so that all
// alphabets of tokens have it.
const Mark = "7b3e9d51c0"

// Secret is a made-up secret.
type Secret struct {
	Kind string // as a receipt counts it
	Text string // as it stands in a text, with what gives it away
}

// Planter draws secrets. Two with one seed draw the same.
type Planter struct {
	rnd   *rand.Rand
	other [][]byte // what is searched for beside Mark
}

// New returns the Planter of a seed.
func New(seed uint64) *Planter { return &Planter{rnd: rand.New(rand.NewPCG(seed, 7))} }

// Find returns where data holds a part of a secret that was drawn, as it is or in
// base64; or -1.
func (p *Planter) Find(data []byte) int {
	if i := p.find(data); i >= 0 {
		return i
	}
	for start := 0; start < len(data); start++ {
		text, end := base64Run(data, start)
		for skip := 0; skip < 4 && len(text) >= 16; skip++ { // a path may stand before
			plain := make([]byte, len(text))
			n, _ := base64.RawStdEncoding.Decode(plain, text[skip:])
			if p.Find(plain[:n]) >= 0 {
				return start
			}
		}
		start = end
	}
	return -1
}

// base64Run is the base64 at i in one alphabet and one line, and its end.
func base64Run(data []byte, i int) (text []byte, end int) {
	for ; i < len(data); i++ {
		switch c := data[i]; {
		case c == '-':
			text = append(text, '+')
		case c == '_':
			text = append(text, '/')
		case c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '+' || c == '/':
			text = append(text, c)
		case c == '\\' && i+1 < len(data) && data[i+1] == 'n':
			i++
		case c == '\\' && i+1 < len(data) && data[i+1] == '/':
		default:
			return text, i
		}
	}
	return text, i
}

func (p *Planter) find(data []byte) int {
	low := bytes.ToLower(data)
	if i := bytes.Index(low, []byte(Mark)); i >= 0 {
		return i
	}
	for _, o := range p.other {
		if i := bytes.Index(data, o); i >= 0 {
			return i
		}
	}
	return -1
}

const (
	digits = "0123456789"
	hexes  = "0123456789abcdef"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	alnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// draw returns n characters with the mark among them.
func (p *Planter) draw(n int, from string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[p.rnd.IntN(len(from))]
	}
	mark := Mark
	if from == upper {
		mark = strings.ToUpper(mark)
	}
	at := (n - len(mark)) / 2
	copy(b[at:], mark)
	return string(b)
}

// hidden is base64 of text, which is what must not be found then.
func (p *Planter) hidden(text string) string {
	b := base64.StdEncoding.EncodeToString([]byte(text))
	b = strings.TrimRight(b, "=")
	p.other = append(p.other, []byte(b[len(b)/3:len(b)-4]))
	return b
}

// lines is a key's body: base64 in lines of 64.
func (p *Planter) lines(n int) string {
	var out []string
	for range n {
		out = append(out, p.draw(64, alnum))
	}
	return strings.Join(out, "\n")
}

func (p *Planter) pem(label string) string {
	return "-----BEGIN " + label + "-----\n" + p.lines(3) + "\n-----END " + label + "-----"
}
