package atif

import (
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/toolerr"
)

// sidechain names a sub-agent whose steps stand in the main trajectory.
const sidechain = "sidechain"

// emit turns the step into events.
func (s *step) emit(u *decode.Unit) {
	switch s.source {
	case "agent":
		s.emitAgent(u)
	case "user":
		s.emitUser(u)
	default:
		if s.compaction {
			s.event(u, ingest.Compaction, ingest.Harness).Text = s.message
		} else if isText(u, s.message) {
			s.event(u, ingest.Message, ingest.Harness).Text = s.message
		}
	}
	s.emitTools(u)
	if s.usage == nil {
		return
	}
	if len(u.Events) == 0 {
		s.event(u, ingest.ModelCall, ingest.Agent)
	}
	u.Events[0].Usage = s.usage
}

func (s *step) event(u *decode.Unit, kind ingest.Kind, actor ingest.Actor) *ingest.Event {
	e := u.Event(kind, actor)
	e.At, e.Quality, e.Copied = s.at, s.quality, s.copied
	if actor == ingest.Agent {
		e.Model = s.model
	}
	if s.side {
		e.Agent = sidechain
	}
	return e
}

func (s *step) emitAgent(u *decode.Unit) {
	if isText(u, s.reasoning) {
		s.event(u, ingest.ModelCall, ingest.Agent).Text = s.reasoning
	}
	if isText(u, s.message) && !s.synthetic(textOf(u, s.message)) {
		e := s.event(u, ingest.Message, ingest.Agent)
		e.Text, e.Open = s.message, s.open
	}
	if kind, name := ingest.Stop(s.stop); name != "" {
		s.event(u, kind, ingest.Harness).Stopped(name)
	}
}

// synthetic reports whether a message is the converter's own: "Executed", the
// tool and the call id of a call in this step.
func (s *step) synthetic(text string) bool {
	rest, ok := strings.CutPrefix(text, "Executed ")
	if !ok {
		return false
	}
	for _, k := range s.calls {
		if rest == k.name+" "+k.id || rest == k.name {
			return true
		}
	}
	return false
}

func (s *step) emitTools(u *decode.Unit) {
	tool := make(map[string]string, len(s.calls))
	for _, k := range s.calls {
		tool[k.id] = k.name
		e := s.event(u, ingest.ToolCall, ingest.Agent)
		e.Call, e.Name, e.Args = k.id, k.name, k.args
	}
	for i := range s.results {
		r := &s.results[i]
		if r.call == "" && len(s.calls) == 1 {
			r.call = s.calls[0].id
		}
		e := s.event(u, ingest.ToolResult, ingest.Tool)
		e.Call, e.Text, e.Name = r.call, r.content, tool[r.call]
		if r.agent != "" {
			e.Agent = r.agent
		}
		s.outcome(u, e, r)
		if p := &s.payload; p.task != "" && !s.failed {
			if outcome, _ := taskOutcome(p.status, p.exit); outcome != "" {
				done := s.event(u, ingest.Message, ingest.Harness)
				done.Text = r.content
				s.ended(done, p.task, p.status, p.exit)
			}
		}
	}
}

// outcome reads the flag, then the structured payload, then the text. The
// step's flag belongs to its only result; where there are several, it fails
// those that read like an error with a known cause and leaves the rest unknown.
func (s *step) outcome(u *decode.Unit, e *ingest.Event, r *result) {
	alone := len(s.results) == 1
	if alone {
		e.Detail = s.detail
		s.payload.parse(u.Data[s.detail.Off : s.detail.Off+s.detail.Len])
	}
	e.Outcome = ingest.OK
	text := ""
	if r.content.Len > 0 {
		text = textOf(u, r.content)
	}
	switch {
	case r.failed, s.failed && alone:
		e.Outcome, e.Reason, e.Exit = toolerr.Classify(text)
	case s.failed:
		if e.Outcome, e.Reason, e.Exit = toolerr.Classify(text); e.Outcome == ingest.Fail && e.Reason == ingest.Errored && e.Exit == nil {
			e.Outcome = ingest.Unknown
		}
	case alone && s.payload.settle(e):
	case s.flags && e.Name == "Bash":
		e.Exit = new(0) // Claude Code states an exit status only when it is another
	default:
		shellTrailer(e, text)
	}
	s.exits = s.exits || e.Exit != nil
}
