package claude

import (
	"cmp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// system adds what the harness states about itself. Subtypes that only report
// progress, and unknown ones, are kept without an event.
func (d *decoder) system(l *line, u *decode.Unit) {
	switch l.subtype {
	case "compact_boundary":
		say(u, ingest.Compaction, l.trigger, l.text).Detail = l.details
	case "microcompact_boundary":
		say(u, ingest.Compaction, "micro", l.text).Detail = l.details
	case "turn_duration":
		say(u, ingest.Message, "turn-end", ingest.Span{})
	case "local_command":
		say(u, ingest.Message, "local-command", l.text)
	case "informational":
		d.informed(l, u)
	case "stop_hook_summary":
		if l.hookFails > 0 || l.prevented {
			e := say(u, ingest.Check, "stop-hook", l.err)
			e.Outcome, e.Detail = ingest.Fail, u.Whole()
			return
		}
		for _, command := range l.hooks {
			say(u, ingest.Check, "stop-hook", command).Outcome = ingest.OK
		}
	case "api_error", "api_retry":
		name := cmp.Or(l.errorName, l.status)
		if name == "" || name == "unknown" {
			name = l.subtype
		}
		e := say(u, ingest.Error, name, l.err)
		e.Reason, e.Detail = ingest.Errored, u.Whole()
	case "init":
		if d.inits++; d.inits > 1 && d.as == stream {
			say(u, ingest.Resume, "init", ingest.Span{}).Detail = u.Whole()
		}
	case "task_notification":
		settle(u, l.task, l.status, exitIn(decode.HeadOf(u.Data, l.text, headLen)), l.text)
	}
}

// informed adds a notice; a hook that stopped the prompt is a check that failed.
func (d *decoder) informed(l *line, u *decode.Unit) {
	if !l.prevented {
		say(u, ingest.Message, "informational", l.text)
		return
	}
	say(u, ingest.Check, "prompt-hook", l.text).Outcome = ingest.Fail
}

// result adds how a headless run says it ended. Its token counts repeat those
// of the messages; only the cost is news, and it is stated as a running total.
func (d *decoder) result(l *line, u *decode.Unit) {
	if d.as != stream {
		return
	}
	kind, outcome, reason := ingest.Claim, ingest.Fail, ingest.Errored
	switch l.subtype {
	case "success":
		if !l.isError {
			outcome, reason = ingest.OK, ""
		}
	case "error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries":
		kind = ingest.Limit
	case "error_during_execution":
		kind = ingest.Error
	}
	text := l.text
	if text.Len == 0 {
		text = l.err
	}
	e := say(u, kind, l.subtype, text)
	e.Outcome, e.Reason, e.Detail = outcome, reason, u.Whole()
	if spent := d.spent(l.cost); spent > 0 {
		e.Usage = &ingest.Usage{Cost: spent}
	}
}

// spent turns a running total into what came on top of the last one. A smaller
// total belongs to a process that began anew.
func (d *decoder) spent(total float64) float64 {
	before := d.paid
	d.paid = total
	if total < before {
		return total
	}
	return total - before
}

// aside adds the few events of lines that are no messages.
func (d *decoder) aside(l *line, u *decode.Unit) {
	switch l.kind {
	case "summary":
		say(u, ingest.Message, "summary", l.text).Summary = true
	case "pr-link":
		say(u, ingest.Message, "pr-link", l.text)
	case "queue-operation":
		d.queued(l, u)
	case "attachment":
		d.attached(l, u)
	}
}

// queued adds a notice about a task that waits for the agent's turn. Taking it
// out of the queue says nothing new.
func (d *decoder) queued(l *line, u *decode.Unit) {
	head := decode.HeadOf(u.Data, l.text, headLen)
	if l.operation == "enqueue" {
		settle(u, tagged(head, "task-id"), tagged(head, "status"), exitIn(tagged(head, "summary")), l.text)
	}
}

func (d *decoder) attached(l *line, u *decode.Unit) {
	switch a := l.attach; {
	case a.kind == "goal_status" && a.hasMet:
		e := say(u, ingest.Check, "goal", a.text)
		if e.Detail, e.Outcome = l.details, ingest.Fail; a.met {
			e.Outcome = ingest.OK
		}
	case a.kind == "queued_command" && a.text.Len > 0:
		d.speak(l, u, a.text) // typed while the agent worked
	}
}
