package quote

// Words makes strings of bytes, and mostly the same string of bytes that come
// again, as names, roles and models do from unit to unit. The zero Words is ready
// for use by one goroutine.
type Words struct{ known [256]string }

// maxWord is the bytes of the longest word that is kept.
const maxWord = 96

// Of returns b as a string. A word has one place, where it stays until another
// takes it: that is quicker than a map, and bounds what is held.
func (w *Words) Of(b []byte) string {
	n := len(b)
	if n == 0 || n > maxWord {
		return string(b)
	}
	at := &w.known[uint8(n)*31^b[n-1]*7^b[n/2]*13^b[n/4]*5]
	if *at != string(b) {
		*at = string(b)
	}
	return *at
}

// Text returns what the JSON string v says; ok is false where v is none or not
// in UTF-8.
func (w *Words) Text(v []byte) (s string, ok bool) {
	if n := len(v) - 2; n >= 0 && n <= maxWord && IsPlain(v) {
		return w.Of(v[1 : n+1]), true
	}
	return Text(v)
}
