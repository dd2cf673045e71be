package decode

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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

// Begin makes the run named by parts the current one. Without a call, a file
// is one run named by its first unit.
func (w *Writer) Begin(parts ...string) {
	if w.target.Trial != "" {
		return
	}
	w.begin(ingest.RunID(w.target.Format, parts...))
}

// BeginAs is Begin for a session that its harness keeps in several formats at
// once: the run is named as family, so that all of them are one run.
func (w *Writer) BeginAs(family string, parts ...string) {
	if w.target.Trial == "" {
		w.begin(ingest.RunID(family, parts...))
	}
}

// BeginAt makes the run current that is named by parts and the content of its
// first unit: for formats whose native ids are absent or shared by unlike runs.
// A grown file keeps its first unit, and so its run.
func (w *Writer) BeginAt(first *Unit, parts ...string) {
	id := w.identify(first).id
	w.Begin(append(slices.Clone(parts), hex.EncodeToString(id[:]))...)
}

// BeginMember is Begin for a file that holds a trial's members together: what
// follows belongs to the member of that role. Members above 0 add nothing to
// what the run can record.
func (w *Writer) BeginMember(role int, parts ...string) {
	if role <= 0 || role > maxRole || w.target.Trial != "" {
		w.Begin(parts...)
		return
	}
	w.beginMember(role, ingest.RunID(w.target.Format, parts...))
}

// BeginTrial is BeginMember for a file that lies outside of its trials'
// folders: what follows belongs to the member of that role of the trial that a
// folder of that format and name is.
func (w *Writer) BeginTrial(role int, format, native string) {
	if w.target.Trial == "" && role > 0 && role <= maxRole {
		w.beginMember(role, ingest.RunID("trial", format+"/"+native))
	}
}

func (w *Writer) beginMember(role int, id string) {
	key := id + "/" + strconv.Itoa(role)
	if w.runs[key] == nil {
		w.runs[key] = &runState{id: id, role: role}
		w.order = append(w.order, w.runs[key])
	}
	w.cur = w.runs[key]
}

// maxRole bounds the members of a trial in one file.
const maxRole = 1 << 10

func (w *Writer) begin(id string) {
	if w.runs[id] == nil {
		w.runs[id] = &runState{id: id, grade: w.target.Grade}
		w.order = append(w.order, w.runs[id])
	}
	w.cur = w.runs[id]
}

// SetFormat names the format of a container that shows it only once it is
// open, before the first unit.
func (w *Writer) SetFormat(name string, grade ingest.Evidence) {
	w.target.Format, w.target.Grade, w.receipt.Format = name, grade, name
}

// Flush stores what the current run holds back, so that a file of many runs
// that follow each other does not hold a block of each. More may follow.
func (w *Writer) Flush() error { return w.current().flush(w.store, w.mem) }

// BeginRecords makes the run that holds loose record documents current.
func (w *Writer) BeginRecords() { w.begin(ingest.RecordsRun) }

// Meta is what is known of the current run, to be filled in as it is learned.
func (w *Writer) Meta() *ingest.Meta { return &w.current().meta }

// CanRecord adds to what the current run's source can record.
func (w *Writer) CanRecord(v ingest.Evidence) { w.current().grade |= v }

// SetGrade replaces what the current run's source can record.
func (w *Writer) SetGrade(v ingest.Evidence) { w.current().grade = v }

// current is the run in hand. Before the first unit of a file without native
// id there is none yet; a nameless state waits for it.
func (w *Writer) current() *runState {
	if w.cur == nil {
		switch {
		case w.target.Session:
			format, native, _ := strings.Cut(w.target.Trial, "/")
			w.begin(ingest.RunID(format, native))
		case w.target.Trial != "":
			w.begin(ingest.RunID("trial", w.target.Trial))
		default:
			w.begin("")
		}
	}
	return w.cur
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
	if err := st.load(w.store, ingest.Reading{Format: w.target.Format, Version: w.target.Version}); err != nil {
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

// Close writes what is buffered, the manifests and the receipt. The receipt
// is an acknowledgement only after the store was synced.
func (w *Writer) Close() (*ingest.Receipt, error) {
	w.named()
	w.runs, w.cur = nil, nil // each run's memory is free once it is written
	for i, st := range w.order {
		if len(st.places) == 0 {
			continue
		}
		w.order[i] = nil
		st.done()
		if err := st.flush(w.store, w.mem); err != nil {
			return nil, err
		}
		if err := w.store.PutManifest(w.manifest(st)); err != nil {
			return nil, fmt.Errorf("store manifest of %s: %w", w.target.Path, err)
		}
		if st.id != ingest.RecordsRun {
			w.receipt.Runs = append(w.receipt.Runs, st.id)
		}
	}
	if w.target.Known != nil {
		w.receipt.ReadAgain(w.target.Known)
	}
	w.mem.events = w.unit.Events
	slices.Sort(w.receipt.Runs)
	w.receipt.Runs = slices.Compact(w.receipt.Runs)
	for kind, n := range w.kinds {
		w.receipt.Redacted = append(w.receipt.Redacted, ingest.KindCount{Kind: kind, Count: n})
	}
	slices.SortFunc(w.receipt.Redacted, func(a, b ingest.KindCount) int { return strings.Compare(a.Kind, b.Kind) })
	if err := w.store.PutReceipt(w.receipt, w.lost); err != nil {
		return nil, fmt.Errorf("store receipt of %s: %w", w.target.Path, err)
	}
	return w.receipt, nil
}

func (w *Writer) manifest(st *runState) *ingest.Manifest {
	role := w.target.Role + st.role
	st.meta.Trial = st.meta.Trial || w.target.Trial != "" && !w.target.Session
	return &ingest.Manifest{
		Run: st.id, Source: ingest.SourceID(st.id, strconv.Itoa(role), st.places[0].ID), Digest: w.target.Digest,
		Role: role, Format: w.target.Format, Version: w.target.Version,
		Grade: st.grade, Meta: st.meta, Places: st.places,
	}
}

// ErrSkip makes Lines skip the unit; wrap it with Skipped.
var ErrSkip = errors.New("skipped")

// Skipped is the error by which a line decoder says that a unit holds nothing
// for a run. Reason stands in the receipt.
func Skipped(reason string) error { return skipError(reason) }

type skipError string

func (e skipError) Error() string { return string(e) }
func (skipError) Unwrap() error   { return ErrSkip }
