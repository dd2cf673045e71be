package claude

import (
	"cmp"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// assistant adds one event per content block. The first carries the usage; a
// line without a block that means something is a bare model call.
func (d *decoder) assistant(l *line, u *decode.Unit) {
	if l.msg.text.Len > 0 {
		d.spoken(l, u, l.msg.text)
	}
	for i := range l.msg.blocks {
		d.block(l, u, &l.msg.blocks[i])
	}
	if len(u.Events) == 0 {
		u.Event(ingest.ModelCall, ingest.Agent)
	}
	if kind, name := ingest.Stop(l.msg.stop); name != "" {
		say(u, kind, name, ingest.Span{}).Stopped(name)
	}
	for i := range u.Events {
		u.Events[i].Message, u.Events[i].Model = l.msg.id, l.msg.model
	}
	u.Events[0].Usage = l.msg.usage
	if l.hasCost && l.cost > 0 {
		if u.Events[0].Usage == nil {
			u.Events[0].Usage = &ingest.Usage{}
		}
		u.Events[0].Usage.Cost = l.cost
	}
}

func (d *decoder) block(l *line, u *decode.Unit, b *block) {
	switch {
	case b.kind == "text":
		d.spoken(l, u, b.text)
	case b.kind == "thinking" || b.kind == "redacted_thinking":
		u.Event(ingest.ModelCall, ingest.Agent).Text = b.text
	case strings.HasSuffix(b.kind, "tool_use"): // the provider's own tools as well
		e := u.Event(ingest.ToolCall, ingest.Agent)
		e.Name, e.Call, e.Args = b.name, b.id, b.input
		d.calls.add(b, l.msg.id, u.Data)
	case isResult(b.kind):
		d.returned(l, u, b)
	}
}

// spoken adds a text that stands in the agent's place.
func (d *decoder) spoken(l *line, u *decode.Unit, text ingest.Span) {
	switch {
	case l.apiError:
		e := say(u, ingest.Error, cmp.Or(l.errorName, l.status, "api_error"), text)
		e.Outcome, e.Reason = ingest.Fail, ingest.Errored
	case l.msg.model == synthetic:
		say(u, ingest.Message, "synthetic", text)
	default:
		e := u.Event(ingest.Message, ingest.Agent)
		e.Text, e.Open = text, l.msg.stop == "tool_use"
	}
}
