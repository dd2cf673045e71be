package decode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// blockSize is how many bytes of units share one stored block: large enough
// to compress well (1 MB takes a thirtieth less than 512 KB), small enough to stay
// below the store's value limit when compressed.
const blockSize = 1024 << 10

// Writer takes the units of one file and keeps the account. It is used by one
// goroutine. Every unit must end in Keep, Skip or Quarantine.
type Writer struct {
	store  ingest.Store
	redact *redact.Redactor
	target Target

	runs    map[string]*runState
	order   []*runState
	cur     *runState
	receipt *ingest.Receipt
	lost    []ingest.Quarantined
	losing  int // bytes of lost
	kinds   map[string]int
	unit    Unit
	mem     *Memory
	rewrite func(raw []byte) ([]byte, bool)
	held    int       // bytes added to blocks since all of them were written
	sum     hash.Hash // of the units, where nothing else names the content
	settled bool
	growing *growing // else nil
}

// Target says what a Writer writes for.
type Target struct {
	Format  string
	Version int
	Grade   ingest.Evidence
	Role    int
	Trial   string // when set, the run is this trial and Begin is ignored
	Session bool   // the trial is a plain session, see Trial
	Path    string
	Size    int64
	Digest  string  // SHA-256 of the file, hex; empty for the Writer to make one of the units, which Path then ends in
	Memory  *Memory // to use again; nil for memory of its own
	// Known is the receipt of an older reading of the same content, else nil.
	Known *ingest.Receipt
}

// NewWriter returns a writer for one file.
func NewWriter(s ingest.Store, r *redact.Redactor, t Target) *Writer {
	w := &Writer{store: s, redact: r, target: t, runs: map[string]*runState{}, kinds: map[string]int{}, mem: t.Memory}
	if w.mem == nil {
		w.mem = &Memory{}
	}
	w.mem.trim()
	w.unit.Events = w.mem.events[:0]
	w.receipt = &ingest.Receipt{Source: t.Path, Format: t.Format, Decoder: t.Format, Version: t.Version, Bytes: t.Size, Digest: t.Digest,
		Reasons: []ingest.ReasonCount{}, Runs: []string{}}
	if t.Digest == "" {
		w.sum = sha256.New()
	}
	return w
}

// Unit redacts raw, which stands at line and offset of the file, and returns
// the unit to decode. It is valid until the next call of Unit.
func (w *Writer) Unit(raw []byte, line int, offset int64) *Unit {
	u := &w.unit
	u.Events, u.Native, u.Carries, u.State, u.Superseded = u.Events[:0], "", "", "", false
	u.Node, u.Under, u.Open, u.over = "", "", false, nil
	u.member, u.line, u.offset, u.length = "", line, offset, int64(len(raw))
	u.Data, u.hits = w.redact.Unit(w.mem.redacted[:0], raw)
	if len(u.Data) > 0 && len(raw) > 0 && &u.Data[0] != &raw[0] {
		w.mem.redacted = u.Data[:0] // grown for this unit; raw itself is never ours
	}
	return u
}

// Derived is Unit for bytes that do not stand so in the file: raw is what the
// decoder made of length bytes at line and offset of the file, or of one of its
// members. The unit is valid until the next call of Unit or Derived.
func (w *Writer) Derived(raw []byte, member string, line int, offset, length int64) *Unit {
	u := w.Unit(raw, line, offset)
	u.member, u.length = member, length
	return u
}

// Rewrite makes units of what f makes of a value of the file, where it says that
// it made something else of it: a format may keep JSON in a string, into which
// no span can point. Such a format Derives.
func (w *Writer) Rewrite(f func(raw []byte) ([]byte, bool)) { w.rewrite = f }

// cut makes the unit of a value of the file.
func (w *Writer) cut(raw []byte, at linePlace) *Unit {
	if w.rewrite != nil {
		if made, ok := w.rewrite(raw); ok {
			return w.Derived(made, "", at.line, at.offset, int64(len(raw)))
		}
	}
	u := w.Unit(raw, at.line, at.offset)
	if at.origin != nil {
		u.member, u.length = at.origin.Member, at.origin.Length
	}
	return u
}

// Preview returns a writer that cuts and redacts units as w does but keeps none:
// for a first look at a file whose units can be understood only together.
func (w *Writer) Preview() *Writer {
	target := w.target
	target.Memory = nil // w may be using it
	p := NewWriter(nil, w.redact, target)
	p.rewrite = w.rewrite
	return p
}

// Keep stores the unit in the current run, or counts it as a duplicate.
func (w *Writer) Keep(u *Unit) error {
	if w.store == nil {
		return nil // a preview
	}
	if u.over != nil {
		w.lose(u.Data, u.length, linePlace{line: u.line, offset: u.offset}, "too-many-events", fmt.Errorf("more than %d events", MaxEvents))
		return nil
	}
	events := len(u.Events)
	if u.Superseded {
		events = 0
	}
	w.receipt.Units++
	w.receipt.Events += events
	for _, h := range u.hits {
		w.kinds[h.Kind]++
	}
	key := w.identify(u)
	w.digest(key.id[:], key.body[:])
	st := w.current()
	if st.id == "" {
		w.name(st, key.id)
	}
	if err := st.load(w.store, &w.mem.runs, ingest.Reading{Format: w.target.Format, Version: w.target.Version}); err != nil {
		return err
	}
	again, fresh, known := st.see(key, u.Native != "")
	if fresh {
		w.receipt.Stored++
	} else {
		w.receipt.Duplicates++
	}
	if again {
		st.revive(key, events)
		return nil // its place is the first one's
	}
	if u.Superseded {
		st.mute(key)
	}
	st.places = append(st.places, ingest.Place{ID: key.id, Body: key.body, Member: u.member,
		Line: u.line, Offset: u.offset, Length: u.length, Events: events})
	if known {
		return nil
	}
	for i := range u.Events {
		if e := &u.Events[i]; e.Usage != nil {
			*e.Usage = e.Usage.Checked()
		}
	}
	if err := st.add(w.store, w.mem, u, key); err != nil {
		return err
	}
	return w.relieve(len(u.Data) + unitHead + len(u.Events)*eventHead)
}

// maxHeld bounds what the blocks in hand hold together: a file may hold the
// units of thousands of runs, each of which fills a block of its own.
const maxHeld = 16 << 20

// relieve writes all blocks in hand when they hold too much.
func (w *Writer) relieve(added int) error {
	if w.held += added; w.held < maxHeld {
		return nil
	}
	w.held = 0
	for _, st := range w.order {
		if err := st.flush(w.store, w.mem); err != nil {
			return err
		}
	}
	return nil
}

// identify derives the unit's id and the hash of its content. Secrets count by
// kind only, so that the redaction key has no influence.
func (w *Writer) identify(u *Unit) bodyKey {
	content := u.Data
	if len(u.hits) > 0 {
		w.mem.canon = redact.Canonical(w.mem.canon[:0], u.Data, u.hits)
		content = w.mem.canon
	}
	sum := sha256.Sum256(content)
	body := [8]byte(sum[:8])
	if u.State != "" {
		with := sha256.Sum256(append(sum[:], u.State...))
		body = [8]byte(with[:8])
	}
	if u.Native != "" {
		return bodyKey{ingest.NativeUnit(u.Native), body}
	}
	return bodyKey{ingest.ContentUnit(sum[:]), body}
}

// Canonical returns the bytes of a span of the unit as ids hash them: with the
// kind in place of each secret, so that the redaction key has no influence. They
// are valid until the next call.
func (w *Writer) Canonical(u *Unit, s ingest.Span) []byte {
	part := u.Data[s.Off : s.Off+s.Len]
	var inside []redact.Hit
	for _, h := range u.hits {
		if h.Start >= int(s.Off) && h.End <= int(s.Off+s.Len) {
			h.Start, h.End = h.Start-int(s.Off), h.End-int(s.Off)
			inside = append(inside, h)
		}
	}
	if len(inside) == 0 {
		return part
	}
	w.mem.canon = redact.Canonical(w.mem.canon[:0], part, inside)
	return w.mem.canon
}

// name gives the nameless state its id, derived from the first unit.
func (w *Writer) name(st *runState, first ingest.UnitID) {
	delete(w.runs, "")
	st.id = ingest.RunID(w.target.Format, "first-unit", hex.EncodeToString(first[:]))
	w.runs[st.id] = st
}
