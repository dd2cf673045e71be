package regress

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/span"
)

// Export writes a run as event/v1, one event a line in the order of the run.
// Everything that a judgement reads survives: decoding the lines again gives a
// run with the same verdict, under other ids. Text is as redacted as the store,
// with ordinals in place of pseudonyms. The source of each event is the file
// and line that the run was read from.
func Export(run *ingest.Run) ([]byte, error) {
	x := newExporter([][]*ingest.Run{{run}})
	x.file = func(p string) string { return p }
	if err := x.events(whole(run)); err != nil {
		return nil, err
	}
	if err := x.spans(run, func(string) bool { return true }); err != nil {
		return nil, err
	}
	return x.out, nil
}

// exporter writes the events of runs that belong together, and their records.
type exporter struct {
	mask  *redact.Masker
	file  func(string) string // how a source's path is written
	names map[string]string   // run → its run_id here
	ties  map[string]string   // run → native id that links it to its thread
	out   []byte
	line  int
	lines map[place]int // where an event of the source stands in out

	family family
}

// place is the address of an event in its source.
type place struct {
	run, source string
	seq         int
}

func placeOf(r ingest.Ref) place { return place{r.Run, r.Source, r.Seq} }

// newExporter names the runs of some threads: by native id where that tells
// them apart, else by their own.
func newExporter(threads [][]*ingest.Run) *exporter {
	x := &exporter{mask: redact.NewMasker(), names: map[string]string{}, ties: map[string]string{}, lines: map[place]int{}, family: family{},
		file: func(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }}
	taken := map[string]bool{}
	for _, runs := range threads {
		for _, r := range runs {
			name := r.Meta.Native
			if name == "" || r.Meta.Agent != "" || taken[name] {
				name = r.ID
			}
			taken[name] = true
			x.names[r.ID] = name
			if len(runs) > 1 {
				x.ties[r.ID] = cmp.Or(runs[0].Meta.Native, x.names[runs[0].ID])
			}
		}
	}
	return x
}

// event is a line of an export. Its text stands even where it is empty: that
// something empty was said is not the same as nothing.
type event struct {
	record.Event
	Text *string `json:"text,omitzero"`
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// events writes the events of a part.
func (x *exporter) events(p part) error {
	r, ids, parent := p.run, map[string]int{}, x.family.parents(p)
	for k, i := range p.events {
		e := &r.Events[i]
		line := x.event(r, e)
		line.ParentID = parent(e.Parent)
		if line.ID != "" {
			if ids[line.ID]++; ids[line.ID] > 1 { // parts of one unit share its id
				line.ID += "#" + strconv.Itoa(ids[line.ID])
			}
		}
		if k == 0 {
			line.Run = x.about(r)
		}
		if err := x.write(line, placeOf(r.Ref(e))); err != nil {
			return fmt.Errorf("export run %s: event %d: %w", r.ID, e.Seq, err)
		}
	}
	return nil
}

// spans writes the spans that are no step of a run, as far as they are asked
// for by name.
func (x *exporter) spans(r *ingest.Run, asked func(name string) bool) error {
	for unit, told := range r.Units() {
		name, took, ok := span.Measured(unit)
		if told || !ok || !asked(name) {
			continue
		}
		seconds := took.Seconds()
		line := event{Event: record.Event{Faultline: record.TypeEvent, RunID: x.names[r.ID], Kind: span.NativeKind, Name: name, Value: &seconds}}
		if err := x.write(line, place{}); err != nil {
			return fmt.Errorf("export run %s: span: %w", r.ID, err)
		}
	}
	return nil
}

func (x *exporter) write(v any, at place) error {
	b, err := json.Marshal(v, lenient)
	if err != nil {
		return err
	}
	x.out = append(append(x.out, x.mask.Mask(string(b))...), '\n')
	x.line++
	x.lines[at] = x.line
	return nil
}

func (x *exporter) event(r *ingest.Run, e *ingest.Event) event {
	ref := r.Ref(e)
	out := event{Event: record.Event{
		Faultline: record.TypeEvent, RunID: x.names[r.ID], ID: e.ID, Seq: e.Seq, Kind: string(e.Kind),
		TimeQuality: string(e.Quality), Actor: string(e.Actor), CallID: e.Call, Outcome: outcome(e),
		Reason: string(e.Reason), ExitCode: e.Exit, ParentID: e.Parent, MessageID: e.Message, Model: e.Model, Agent: e.Agent,
		Task: e.Task, Value: e.Value, Summary: e.Summary, Open: e.Open, Copied: e.Copied,
		Role: r.Sources[e.Source].Role, Arguments: value(r.Args(e)), Detail: value(r.Detail(e)),
		Source: &record.EventSource{File: x.file(ref.File), Line: ref.Line, Offset: ref.Offset, Length: ref.Length},
	}}
	if e.Kind == ingest.ToolCall || e.Kind == ingest.ToolResult {
		out.Tool = e.Name
	} else {
		out.Name = e.Name
	}
	if !e.At.IsZero() {
		out.At = &e.At
	}
	if e.Text.Len > 0 {
		text := r.Text(e)
		out.Text = &text
	}
	if e.Usage != nil {
		if b, err := json.Marshal(e.Usage); err == nil {
			out.Usage = b
		}
	}
	return out
}

// outcome says none where a reader of event/v1 would otherwise conclude one.
func outcome(e *ingest.Event) string {
	if e.Outcome == "" && (e.Reason != "" || e.Exit != nil || e.Kind == ingest.ToolResult) {
		return "none"
	}
	return string(e.Outcome)
}

// value is a JSON value as it is, or as a string where a source of plain text
// holds none.
func value(v jsontext.Value) jsontext.Value {
	if len(v) == 0 || v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	b, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(string(v), "\ufffd"))
	if err != nil {
		return nil
	}
	return b
}

func (x *exporter) about(r *ingest.Run) *record.EventRun {
	m := r.Meta
	a := &record.EventRun{
		Format: r.Format, Native: m.Native, Agent: m.Agent, Parent: m.Parent, Links: slices.Clone(m.Links), Cwd: m.Cwd,
		Branch: m.Branch, Model: m.Model, Harness: m.Harness, Version: m.Version, Task: m.Task, Trial: m.Trial,
		Part: m.Part, Grade: r.Grade.Names(),
	}
	if tie := x.ties[r.ID]; tie != "" && tie != m.Native && !slices.Contains(a.Links, tie) {
		a.Links = append(a.Links, tie)
	}
	if len(a.Grade) == 0 {
		a.Grade = []string{"none"} // an absent list would claim all that event/v1 can hold
	}
	return a
}
