package decode

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
)

// Skip counts a unit that is known to hold nothing for a run.
func (w *Writer) Skip(u *Unit, reason string) {
	w.SkipAt(u.line, u.offset, reason, "")
}

// SkipAt counts a unit that was never read into memory.
func (w *Writer) SkipAt(line int, offset int64, reason, cause string) {
	w.receipt.Units++
	w.receipt.Skipped++
	w.digest([]byte(reason), []byte(cause))
	w.reason(reason, ingest.Position{Line: line, Offset: offset, Cause: cause})
}

// Quarantine keeps what could not be decoded, redacted, with its place.
func (w *Writer) Quarantine(raw []byte, line int, offset int64, kind string, cause error) {
	w.lose(raw, int64(len(raw)), linePlace{line: line, offset: offset}, kind, cause)
}

// QuarantineRest is Quarantine for length bytes of which raw is the beginning.
func (w *Writer) QuarantineRest(raw []byte, length int64, line int, offset int64, kind string, cause error) {
	w.lose(raw, length, linePlace{line: line, offset: offset}, kind, cause)
}

// Collapsed adds to the tool calls that the file tells of once more.
func (w *Writer) Collapsed(n int) { w.receipt.Collapsed += n }

// lose quarantines length bytes of which raw is the beginning.
func (w *Writer) lose(raw []byte, length int64, at linePlace, kind string, cause error) {
	w.receipt.Units++
	w.receipt.Quarantined++
	w.digest([]byte(kind), raw)
	pos := ingest.Position{Line: at.line, Offset: at.offset, Cause: w.Cause(cause)}
	w.reason(kind, pos)
	data, hits := w.redact.Unit(nil, raw)
	for _, h := range hits {
		w.kinds[h.Kind]++
	}
	if w.losing += lostHead + min(len(data), maxQuarantine); w.losing > maxLost {
		return
	}
	w.lost = append(w.lost, ingest.Quarantined{Position: pos, Length: length, Data: slices.Clone(data[:min(len(data), maxQuarantine)])})
}

// Cause is an error as a receipt shows it: short and without secrets, because
// errors quote what they are about.
func (w *Writer) Cause(err error) string {
	redacted, _ := w.redact.Unit(nil, []byte(w.pointless(err)))
	if len(redacted) > maxCause {
		redacted = append(bytes.ToValidUTF8(redacted[:maxCause:maxCause], nil), "…"...)
	}
	return string(redacted)
}

// pointless leaves the path to a syntax error out where a name in it is a
// secret: an error spells the path in a way, and shortens it, so that none shows.
func (w *Writer) pointless(err error) string {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	for name := range syntax.JSONPointer.Tokens() {
		if _, hits := w.redact.Unit(nil, []byte(name)); len(hits) > 0 {
			plain := *syntax
			plain.JSONPointer = ""
			return strings.Replace(err.Error(), syntax.Error(), plain.Error(), 1)
		}
	}
	return err.Error()
}

const maxCause = 300

// maxQuarantine bounds what is kept of one undecodable unit; its length and
// place are always exact, and the file itself is untouched.
const maxQuarantine = 64 << 10

// maxLost bounds what is kept of all undecodable units of one file; the receipt
// counts them all. lostHead is what one takes beside its bytes.
const (
	maxLost  = 16 << 20
	lostHead = 128
)

func (w *Writer) reason(kind string, at ingest.Position) {
	for i := range w.receipt.Reasons {
		if w.receipt.Reasons[i].Kind == kind {
			w.receipt.Reasons[i].Count++
			return
		}
	}
	w.receipt.Reasons = append(w.receipt.Reasons, ingest.ReasonCount{Kind: kind, Count: 1, First: at})
}

// ErrSkip makes Lines skip the unit; wrap it with Skipped.
var ErrSkip = errors.New("skipped")

// Skipped is the error by which a line decoder says that a unit holds nothing
// for a run. Reason stands in the receipt.
func Skipped(reason string) error { return skipError(reason) }

type skipError string

func (e skipError) Error() string { return string(e) }
func (skipError) Unwrap() error   { return ErrSkip }
