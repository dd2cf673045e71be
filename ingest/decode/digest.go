package decode

import "encoding/hex"

// digest adds to the digest of a content that nothing else names.
func (w *Writer) digest(parts ...[]byte) {
	if w.sum == nil {
		return
	}
	for _, p := range parts {
		w.sum.Write(p)
	}
}

// named gives such a content its digest and its path.
func (w *Writer) named() {
	if w.sum == nil {
		return
	}
	w.target.Digest = hex.EncodeToString(w.sum.Sum(nil))
	w.target.Path += w.target.Digest[:12]
	w.receipt.Digest, w.receipt.Source = w.target.Digest, w.target.Path
}
