package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// Timeline is a run with what was found in it.
type Timeline struct {
	Run     *ingest.Run
	Thread  []classify.Verdict // of the runs of its thread, its own among them
	Records []*ingest.Run      // hold the record documents that findings cite
	At      int                // index of the one event to show in full; -1 shows all
	Record  ingest.Ref         // the one record to show in place of events; zero shows events
	Full    bool
}

// verdict is the run's own; a sub-agent's run has none where its parent's is
// there.
func (tl Timeline) verdict() *classify.Verdict {
	for i := range tl.Thread {
		if tl.Thread[i].Run == tl.Run.ID {
			return &tl.Thread[i]
		}
	}
	return nil
}

// around is how many neighbours stand on each side of an event shown in full.
const around = 5

// Timeline writes one line for each event, findings beside the events that
// they cite, and a line where an episode begins. A finding that cites no event
// of the run stands where its episode begins.
func (t *Text) Timeline(tl Timeline) {
	w := timelineWriter{Text: t, tl: tl, own: tl.verdict(), calls: callNames(tl.Run), notes: notesOf(tl), source: -1}
	w.header()
	if tl.Record != (ingest.Ref{}) {
		w.record(tl.Record)
		return
	}
	first, last := 0, len(tl.Run.Events)-1
	if tl.At >= 0 {
		first, last = max(0, tl.At-around), min(last, tl.At+around)
	}
	episodes := map[int]ingest.Episode{}
	for _, ep := range tl.Run.Episodes() {
		episodes[ep.First] = ep
	}
	w.episodes = len(episodes)
	w.elsewhere(0)
	for i := first; i <= last; i++ {
		if ep, ok := episodes[i]; ok {
			w.episode(ep)
		}
		w.event(i)
	}
}

type timelineWriter struct {
	*Text
	tl       Timeline
	own      *classify.Verdict
	calls    map[string]string // call id → tool
	notes    map[place][]note
	episodes int // how many the run has
	source   int
	day      string
}

type place struct {
	source string
	seq    int
}

// note is a finding beside an event. It is told once, and named beside the
// other events that it cites.
type note struct {
	classify.Finding
	again bool
}

// notesOf files the findings of the thread under the events of this run that
// they cite.
func notesOf(tl Timeline) map[place][]note {
	notes := map[place][]note{}
	for _, v := range tl.Thread {
		for _, f := range v.Findings {
			again := false
			for _, r := range f.Refs {
				if r.Run == tl.Run.ID {
					key := place{r.Source, r.Seq}
					notes[key] = append(notes[key], note{f, again})
					again = true
				}
			}
		}
	}
	return notes
}

// callNames maps call ids to tools, for results that do not name theirs.
func callNames(r *ingest.Run) map[string]string {
	names := map[string]string{}
	for i := range r.Events {
		if e := &r.Events[i]; e.Kind == ingest.ToolCall && e.Call != "" {
			names[e.Call] = e.Name
		}
	}
	return names
}

func (w *timelineWriter) header() {
	r := w.tl.Run
	w.line("run %s  %s  %s", r.ID, w.safe(r.Format), w.safe(r.File()))
	for _, row := range [][2]string{
		{"session", r.Meta.Native}, {"task", r.Meta.Task}, {"folder", r.Meta.Cwd}, {"model", r.Meta.Model},
		{"harness", strings.TrimSpace(r.Meta.Harness + " " + r.Meta.Version)},
	} {
		if row[1] != "" {
			w.line("  %s %s", pad(row[0], 8), w.safe(row[1]))
		}
	}
	if w.own != nil {
		w.line("  %s %s, first to act: %s", pad("layer", 8), w.own.Layer, w.own.Owner)
	} else {
		w.line("  %s judged with the run that started it", pad("layer", 8))
	}
}

// episode writes the line between two user requests.
func (w *timelineWriter) episode(ep ingest.Episode) {
	end := ""
	if w.own != nil {
		for _, e := range w.own.Episodes {
			if e.Index == ep.Index+1 {
				end = ", " + accepted(e) + ", layer " + string(e.Layer)
			}
		}
	}
	w.line("── episode %d%s ──", ep.Index+1, end)
	w.elsewhere(ep.Index + 1)
}

func accepted(e classify.EpisodeVerdict) string {
	switch {
	case e.Open:
		return "unfinished"
	case e.Accepted == "no":
		return "not accepted"
	}
	return "accepted (" + e.Accepted + ")"
}

// event writes one event, in full where that was asked for.
func (w *timelineWriter) event(i int) {
	e := &w.tl.Run.Events[i]
	w.sourceLine(e)
	w.dayLine(e)
	head := w.head(e)
	text := w.summary(e)
	if w.tl.Full || i == w.tl.At {
		w.line("%s%s", head, w.safe(w.label(e)))
		w.full(w.tl.Run, e)
	} else {
		w.line("%s%s", head, clip(text, max(w.style.Width-columns(head), 20)))
	}
	ref := w.tl.Run.Ref(e)
	for _, n := range w.notes[place{ref.Source, ref.Seq}] {
		w.note(n)
	}
}

// note writes a finding and, where it is told, the records that it cites.
func (w *timelineWriter) note(n note) {
	text := w.safe(n.Rule)
	if !n.again {
		text += ": " + w.safe(n.Message)
	}
	w.styled("       ▲ "+w.severity(n.Severity)+" ", 16, text)
	if !n.again {
		w.outside(n.Refs)
	}
}

// head is the columns before an event's text.
func (w *timelineWriter) head(e *ingest.Event) string {
	return fmt.Sprintf("%5d  %s  %-7s  %-11s  ", e.Seq, clock(e), w.safe(string(e.Actor)), w.safe(string(e.Kind)))
}

// sourceLine names the file where it changes: numbers count within a file.
func (w *timelineWriter) sourceLine(e *ingest.Event) {
	if e.Source == w.source {
		return
	}
	w.source = e.Source
	if s := w.tl.Run.Sources[e.Source]; len(w.tl.Run.Sources) > 1 && len(s.Paths) > 0 {
		w.line("== %s", w.safe(s.Paths[0]))
	}
}

func (w *timelineWriter) dayLine(e *ingest.Event) {
	if e.At.IsZero() {
		return
	}
	if day := e.At.UTC().Format(time.DateOnly); day != w.day {
		w.day = day
		w.line("   %s (UTC)", day)
	}
}

// clock is the time of day in UTC; a time that was inferred has a tilde.
func clock(e *ingest.Event) string {
	switch {
	case e.At.IsZero():
		return " --:--:--"
	case e.Quality == ingest.Inferred:
		return "~" + e.At.UTC().Format(time.TimeOnly)
	}
	return " " + e.At.UTC().Format(time.TimeOnly)
}

// label is what the event's header says beside actor and kind.
func (w *timelineWriter) label(e *ingest.Event) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	name := e.Name
	if name == "" && e.Kind == ingest.ToolResult {
		name = w.calls[e.Call]
	}
	add(name)
	add(string(e.Outcome))
	if e.Reason != "" && string(e.Reason) != string(e.Outcome) {
		add(string(e.Reason))
	}
	if e.Exit != nil {
		add("exit " + itoa(*e.Exit))
	}
	if e.Value != nil {
		add(strconv.FormatFloat(*e.Value, 'g', 4, 64))
	}
	if e.Agent != "" {
		add("[sub-agent " + e.Agent + "]")
	}
	if e.Copied {
		add("[copied]")
	}
	return strings.Join(parts, " ")
}

// summary is the event on one line.
func (w *timelineWriter) summary(e *ingest.Event) string {
	text := w.tl.Run.Text(e)
	if e.Kind == ingest.ToolCall {
		if args := string(w.tl.Run.Args(e)); args != "" {
			text = argsLine(args)
		}
	}
	text = strings.Join(strings.Fields(w.mask.Mask(text)), " ")
	if label := w.label(e); label != "" && text != "" {
		return Clean(w.mask.Mask(label) + ": " + text)
	} else if label != "" {
		return w.safe(label)
	}
	return Clean(text)
}
