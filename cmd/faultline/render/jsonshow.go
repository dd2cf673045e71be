package render

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/regress/suite"
)

type eventLine struct {
	Type string `json:"type"`
	record.Event
}

// Timeline writes the events, or the one record asked for, as lines of type
// event, with the members of event/v1, then the verdict, if the run has one.
func (j *JSON) Timeline(tl Timeline) error {
	if r, e := tl.recordOf(tl.Record); e != nil {
		if err := j.Object(eventLine{"event", eventOf(r, e)}); err != nil {
			return err
		}
		return j.ownVerdict(tl)
	}
	first, last := 0, len(tl.Run.Events)-1
	if tl.At >= 0 {
		first, last = max(0, tl.At-around), min(last, tl.At+around)
	}
	for i := first; i <= last; i++ {
		if err := j.Object(eventLine{"event", eventOf(tl.Run, &tl.Run.Events[i])}); err != nil {
			return err
		}
	}
	return j.ownVerdict(tl)
}

func (j *JSON) ownVerdict(tl Timeline) error {
	if v := tl.verdict(); v != nil {
		return j.Verdict(*v)
	}
	return nil
}

func eventOf(r *ingest.Run, e *ingest.Event) record.Event {
	ref := r.Ref(e)
	out := record.Event{
		Faultline: record.TypeEvent, RunID: r.ID, ID: e.ID, Seq: e.Seq, Kind: string(e.Kind), TimeQuality: string(e.Quality),
		Actor: string(e.Actor), Text: r.Text(e), CallID: e.Call, Outcome: string(e.Outcome), Reason: string(e.Reason),
		ExitCode: e.Exit, ParentID: e.Parent, MessageID: e.Message, Model: e.Model, Agent: e.Agent, Task: e.Task, Value: e.Value,
		Summary: e.Summary, Open: e.Open, Copied: e.Copied,
		Source: &record.EventSource{File: ref.File, Line: ref.Line, Offset: ref.Offset, Length: ref.Length},
	}
	if !e.At.IsZero() {
		at := e.At.UTC()
		out.At = &at
	}
	if e.Kind == ingest.ToolCall || e.Kind == ingest.ToolResult {
		out.Tool = e.Name
	} else {
		out.Name = e.Name
	}
	out.Arguments, out.Detail = valid(r.Args(e)), valid(r.Detail(e))
	return out
}

// valid keeps a value that is JSON; other bytes are carried as a string.
func valid(v jsontext.Value) jsontext.Value {
	if len(v) == 0 || v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	quoted, err := jsontext.AppendQuote(nil, string(v))
	if err != nil && len(quoted) == 0 {
		return nil
	}
	return quoted
}

type ruleLine struct {
	Name     string            `json:"name"`
	Layer    classify.Layer    `json:"layer"`
	Highest  classify.Severity `json:"highest"`
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	Fires    string            `json:"fires"`
	NearMiss string            `json:"near_miss"`
	Occasion string            `json:"occasion"`
	Needs    string            `json:"needs"`
	Owner    classify.Layer    `json:"owner"`
	Change   string            `json:"change"`
	Metric   string            `json:"metric"`
	Local    *suite.Precision  `json:"local,omitzero"`
}

// Rule writes one rule with its documentation, and what people here said of its
// findings.
func (j *JSON) Rule(r classify.Rule, ps []suite.Precision) error {
	d := r.Doc
	line := ruleLine{r.Name, r.Layer(), r.Highest, d.Title, d.Text, d.Fires, d.NearMiss, d.Occasion, d.Needs, d.Owner, d.Change, d.Metric, nil}
	if p, ok := about(r, ps); ok {
		line.Local = &p
	}
	return j.Object(line)
}
