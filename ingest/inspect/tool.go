package inspect

import (
	"bytes"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/toolerr"
)

// tool adds a tool's answer, and its call where no model event asked for it.
func (a *attempt) tool(u *decode.Unit, e *event, s stamp) {
	if c, _ := a.callOf(e.id); c.open == 0 {
		a.asks(u, toolCall{e.id, e.function, e.args}, s)
	}
	if e.pending {
		return // it still runs, or ran when the log was written
	}
	a.close(e.id)
	if !e.completed.IsZero() {
		s.at = e.completed
	}
	r := s.event(u, ingest.ToolResult, ingest.Tool)
	r.ID, r.Call, r.Name, r.Text = e.uuid, e.id, e.function, e.result
	r.Args = e.args // with which it ran: an approver may have changed them
	r.Outcome, r.Reason, r.Exit = e.outcome(u)
	if e.fault.whole.Len > 0 {
		r.Detail = e.fault.whole
		if e.result.Len <= 2 {
			r.Text = e.fault.message
		}
	}
}

// outcome reads what became of a call.
func (e *event) outcome(u *decode.Unit) (ingest.Outcome, ingest.Reason, *int) {
	switch {
	case e.fault.whole.Len > 0:
		return judge(u, e.fault)
	case e.failed:
		return ingest.Fail, ingest.Errored, nil
	}
	return returned(u, e.result)
}

// returned reads an answer without an error: a tool of the sandbox may put an
// exit status into its text.
func returned(u *decode.Unit, result ingest.Span) (ingest.Outcome, ingest.Reason, *int) {
	head := u.Data[result.Off : result.Off+min(result.Len, 64)]
	if !bytes.Contains(head, []byte("xit code ")) {
		return ingest.OK, "", nil
	}
	text := ingest.TextOf(u.Data[result.Off : result.Off+result.Len])
	if exit := toolerr.ExitCode(text); exit != nil && *exit != 0 {
		return toolerr.Classify(text)
	}
	return ingest.OK, "", toolerr.ExitCode(text)
}

// judge reads an error: its type first, then its text.
func judge(u *decode.Unit, f fault) (ingest.Outcome, ingest.Reason, *int) {
	switch f.kind {
	case "timeout":
		return ingest.Unknown, ingest.TimedOut, nil
	case "approval":
		return ingest.Fail, ingest.Denied, nil
	case "parsing":
		return ingest.Fail, ingest.Rejected, nil
	case "cancelled": // it was running
		return ingest.Unknown, ingest.Interrupted, nil
	case "sandbox_unavailable":
		return ingest.Unknown, ingest.Lost, nil
	case "", "unknown":
		return toolerr.Classify(ingest.TextOf(u.Data[f.message.Off : f.message.Off+f.message.Len]))
	}
	return ingest.Fail, ingest.Errored, nil
}

// result adds a tool's answer that only a message holds: agents that run in the
// sandbox call tools of their own.
func (a *attempt) result(u *decode.Unit, m *message, s stamp) {
	name := m.function
	if c, known := a.callOf(m.callID); known && name == "" {
		name = c.tool
	}
	a.close(m.callID)
	r := s.event(u, ingest.ToolResult, ingest.Tool)
	r.ID, r.Call, r.Name, r.Text = m.id, m.callID, name, m.content
	if m.fault.whole.Len == 0 {
		r.Outcome, r.Reason, r.Exit = returned(u, m.content)
		return
	}
	r.Detail = m.fault.whole
	r.Outcome, r.Reason, r.Exit = judge(u, m.fault)
}
