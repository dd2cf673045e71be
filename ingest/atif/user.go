package atif

import (
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// summaries begin texts by which a harness hands earlier work over: Claude
// Code after a compaction, terminus-2 to the agent that continues.
var summaries = []string{
	"This session is being continued from a previous conversation",
	"You are picking up work from a previous AI agent on this task",
	"Here are the answers the other agent provided",
}

// emitUser takes what the harness put in the user's place for what it is.
func (s *step) emitUser(u *decode.Unit) {
	if !isText(u, s.message) {
		return
	}
	e := s.event(u, ingest.Message, ingest.User)
	e.Text = s.message
	text := strings.TrimSpace(textOf(u, s.message))
	switch {
	case strings.HasPrefix(text, "<task-notification>"):
		e.Actor = ingest.Harness
		s.ended(e, tag(text, "task-id"), tag(text, "status"), nil)
	case strings.HasPrefix(text, "[Request interrupted"):
		e.Kind, e.Outcome, e.Reason = ingest.Error, ingest.Fail, ingest.Interrupted
	case onlyReminders(text):
		e.Actor = ingest.Harness
	default:
		for _, open := range summaries {
			if strings.HasPrefix(text, open) {
				e.Actor, e.Summary = ingest.Harness, true
			}
		}
	}
}

// onlyReminders reports whether a text consists of reminders of Claude Code: a
// request may follow one in the same text.
func onlyReminders(text string) bool {
	const open, shut = "<system-reminder>", "</system-reminder>"
	if !strings.HasPrefix(text, open) {
		return false
	}
	for strings.HasPrefix(text, open) {
		_, after, closed := strings.Cut(text, shut)
		if !closed {
			return true
		}
		text = strings.TrimSpace(after)
	}
	return text == ""
}

// ended makes the event say how a background task ended, if it did.
func (s *step) ended(e *ingest.Event, task, status string, exit *int) {
	outcome, reason := taskOutcome(status, exit)
	if task != "" && outcome != "" {
		e.Name, e.Task, e.Outcome, e.Reason, e.Exit = "task", task, outcome, reason, exit
	}
}

// tag returns the text of an XML-like element, "" when there is none.
func tag(text, name string) string {
	_, rest, ok := strings.Cut(text, "<"+name+">")
	if !ok {
		return ""
	}
	value, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(value)
}
