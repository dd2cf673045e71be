package redact

// Redactor replaces secrets by pseudonyms. It is immutable and safe for
// concurrent use.
type Redactor struct {
	key   Key
	plain finder // finds what is to be replaced: secrets, and what rules say
	find  finder // plain, and in base64 as well; a field so that a test can break it
}

// span is a secret found in src[start:end].
type span struct {
	kind       string
	start, end int
	in         quote // the quotes that the pseudonym needs, where the secret had none
}

// Hit is one pseudonym in a redacted unit; Start and End are byte offsets
// into the redacted bytes.
type Hit struct {
	Kind       string
	Start, End int
}

// A replacement may uncover a secret beside it, so a unit with hits is read
// again until nothing is found. One more pass is the rule; text that needs
// more than this many was made to confuse and is withheld.
const maxPasses = 8

// New returns a Redactor whose pseudonyms are made under k.
func New(k Key) *Redactor {
	return &Redactor{key: k, plain: findSecrets, find: deep(findSecrets)}
}

// Unit returns src with every secret replaced by a pseudonym, and where the
// pseudonyms are, in order; pseudonyms that src already held are among them.
// Valid JSON stays valid JSON, and a redacted unit is left as it is.
//
// The result is src itself, without a copy, when nothing had to be replaced
// (and without an allocation, but for values that were weighed and for
// pseudonyms that src held); else it lies in the spare capacity of dst, or in
// new memory where that is too small. It never includes what dst already
// held. Neither slice may be changed while the result is in use.
//
// Unit fails closed: if redaction itself goes wrong, the result is one
// «unreadable:…» in place of the whole unit.
func (r *Redactor) Unit(dst, src []byte) (redacted []byte, hits []Hit) {
	defer func() {
		if recover() != nil {
			redacted, hits = r.unreadable(dst, src)
		}
	}()
	redacted = src
	for pass := 0; ; pass++ {
		f := r.find(redacted)
		if f.hidden {
			redacted, f = r.reveal(redacted, f)
		}
		if len(f.spans) == 0 {
			return redacted, findPseudonyms(redacted)
		}
		if pass == maxPasses {
			return r.unreadable(dst, src)
		}
		if pass > 0 {
			dst = nil // the text being read lies in it
		}
		redacted = r.replace(dst, redacted, f.spans)
	}
}

// reveal writes letters that are hidden in escapes in the clear where more is
// found so.
func (r *Redactor) reveal(src []byte, f found) ([]byte, found) {
	plain := unescape(src)
	if g := r.find(plain); g.covers() > f.covers() {
		return plain, g
	}
	return src, f
}

// covers counts the bytes that were found.
func (f found) covers() (n int) {
	for _, s := range f.spans {
		n += s.end - s.start
	}
	return n
}

func (r *Redactor) replace(dst, src []byte, found []span) []byte {
	out, from := dst[len(dst):], 0
	if cap(out) < len(src) {
		out = make([]byte, 0, len(src)+len(src)/8+64)
	}
	for _, f := range found {
		out = append(out, src[from:f.start]...)
		out = f.in.appendTo(out)
		out = r.key.appendPseudonym(out, f.kind, src[f.start:f.end])
		out = f.in.appendTo(out)
		from = f.end
	}
	return append(out, src[from:]...)
}

// unreadable is what stands for a unit that could not be redacted: a JSON
// string where the unit may have been JSON, else plain text.
func (r *Redactor) unreadable(dst, src []byte) ([]byte, []Hit) {
	out := dst[len(dst):]
	quoted := looksJSON(src)
	if quoted {
		out = append(out, '"')
	}
	start := len(out)
	out = r.key.appendPseudonym(out, "unreadable", src)
	hits := []Hit{{"unreadable", start, len(out)}}
	if quoted {
		out = append(out, '"')
	}
	return out, hits
}

func looksJSON(src []byte) bool {
	for _, c := range src {
		if c > ' ' {
			return c == '{' || c == '[' || c == '"'
		}
	}
	return false
}

// Pseudonyms lists the pseudonyms of a redacted unit, as Unit did.
func Pseudonyms(redacted []byte) []Hit { return findPseudonyms(redacted) }

// Canonical returns the redacted unit with «kind» in place of each pseudonym:
// what content ids hash, because it does not depend on the key. Memory is
// used as in Unit: without hits the result is redacted itself.
func Canonical(dst, redacted []byte, hits []Hit) []byte {
	if len(hits) == 0 {
		return redacted
	}
	out, from := dst[len(dst):], 0
	for _, h := range hits {
		out = append(out, redacted[from:h.Start]...)
		out = append(out, open...)
		out = append(out, h.Kind...)
		out = append(out, shut...)
		from = h.End
	}
	return append(out, redacted[from:]...)
}
