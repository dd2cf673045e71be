package mcp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// answered joins an answer to its request and adds the event of a result.
func (d *decoder) answered(u *decode.Unit, k *connection, m *message) {
	if m.answer.who.name != "" && k.label == "" {
		k.label = m.answer.who.name
	}
	q := k.take(d.o.way, m)
	switch {
	case q == nil:
		d.orphan(u, k, m)
	case q.tool != "" && q.dropped:
		e := d.note(u, ingest.Message, "late result", m.text())
		e.Call = q.call
	case q.tool != "":
		d.result(u, m, q)
	case q.method == "tools/list" && m.isResult: // what the server says of its tools, annotations among it
		d.note(u, ingest.Message, k.tool(q.method), ingest.Span{}).Detail = m.answer.whole
	case strings.HasPrefix(q.method, "tasks/"):
		d.taskAnswer(u, m, q)
	case q.method == "sampling/createMessage" && m.isResult:
		d.note(u, ingest.Message, "sampled", m.answer.text()).Model = m.answer.model // by the client, for the server
	case q.method == "elicitation/create" && m.isResult:
		d.elicited(u, m)
	case m.isError && q.method == "initialize":
		d.note(u, ingest.Error, q.method, m.failed.message)
	}
}

// take closes the latest open request with the id. The answer to a client's
// request comes from the server; where the log states no direction, the
// client's own requests come first, unless only a client answers so.
func (k *connection) take(way direction, m *message) *request {
	sides := []direction{toServer, toClient}
	switch {
	case way == toServer:
		sides = sides[1:]
	case way == toClient:
		sides = sides[:1]
	case m.answer.model != "" || m.answer.action != "":
		slices.Reverse(sides)
	}
	for _, side := range sides {
		for _, id := range []string{m.id, otherForm(m.id)} {
			open := k.open[side][id]
			if len(open) == 0 || id == "" {
				continue
			}
			q := open[len(open)-1]
			if k.open[side][id] = open[:len(open)-1]; len(open) == 1 {
				delete(k.open[side], id)
			}
			return q
		}
	}
	return nil
}

// otherForm is a number with its quotes taken off, or put on: some servers
// answer 1 with "1", or "1" with 1.
func otherForm(id string) string {
	if id == "" || id[0] != '"' {
		return strconv.Quote(id)
	}
	return strings.Trim(id, `"`)
}

func (m *message) text() ingest.Span {
	if m.isError {
		return m.failed.message
	}
	return m.answer.text()
}

func (d *decoder) result(u *decode.Unit, m *message, q *request) {
	e := d.event(u, ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text = q.call, q.tool, m.text()
	switch {
	case m.isError:
		e.Outcome, e.Reason = m.failed.outcome(d.data)
		e.Detail = m.failed.whole
	case m.answer.created():
		e.Outcome, e.Reason, e.Task = ingest.Pending, ingest.Launched, m.answer.task.id
		e.Text = m.answer.whole
		switch m.answer.task.status {
		case "completed", "failed", "cancelled":
			d.settle(u, m.answer.task)
		}
	default:
		e.Outcome, e.Reason, e.Exit = m.answer.outcome(d.data)
		e.Detail = m.answer.structured
		if e.Exit != nil {
			d.w.CanRecord(ingest.HasExitCodes)
		}
	}
}

// orphan is an answer to a request that the log does not show.
func (d *decoder) orphan(u *decode.Unit, k *connection, m *message) {
	a := &m.answer
	switch {
	case m.isError && m.id == "":
		d.note(u, ingest.Error, "protocol", m.failed.message)
	case m.isResult && m.id != "" && a.content.Len > 0 && a.known && a.action == "" && a.model == "":
		d.result(u, m, &request{call: k.callID(m.id)})
	case m.isResult && a.task.id != "":
		d.settle(u, a.task)
	}
}

// elicited is what the user answered to a server's question.
func (d *decoder) elicited(u *decode.Unit, m *message) {
	e := d.event(u, ingest.Approval, ingest.User)
	e.Name, e.Text = "elicitation", m.answer.whole
	switch m.answer.action {
	case "accept":
		e.Outcome = ingest.OK
	case "decline":
		e.Outcome, e.Reason = ingest.Fail, ingest.Denied
	default:
		e.Outcome, e.Reason = ingest.Fail, ingest.Cancelled
	}
}
