package decode

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

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
