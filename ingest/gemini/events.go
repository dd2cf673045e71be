package gemini

import (
	"cmp"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// emit adds the events of one message.
func (d *decoder) emit(u *decode.Unit, r *record) {
	switch r.kind {
	case "user":
		d.user(u, r)
	case "gemini":
		d.agent(u, r)
	case "info", "warning", "error":
		for _, s := range r.said {
			r.notice(u, s)
		}
	}
}

func (r *record) event(u *decode.Unit, kind ingest.Kind, actor ingest.Actor) *ingest.Event {
	e := u.Event(kind, actor)
	e.ID, e.At, e.Quality = r.id, r.at, r.quality
	if actor == ingest.Agent {
		e.Message, e.Model = r.id, r.model
	}
	return e
}

func (d *decoder) user(u *decode.Unit, r *record) {
	for _, s := range r.said {
		text := ingest.TextOf(u.Data[s.Off : s.Off+s.Len])
		if strings.TrimSpace(text) == "" {
			continue
		}
		if m := d.w.Meta(); m.Cwd == "" {
			m.Cwd = workspace(text)
		}
		name := injected(text)
		e := r.event(u, ingest.Message, ingest.User)
		if e.Text = s; name != "" {
			e.Actor, e.Name, e.Summary = ingest.Harness, name, name == "summary"
		}
	}
	for i := range r.returned {
		k := &r.returned[i]
		if !d.settled[k.id] {
			k.at, k.quality = r.at, r.quality
			d.result(u, r, k)
		}
	}
}

func (d *decoder) agent(u *decode.Unit, r *record) {
	if m := d.w.Meta(); r.model != "" {
		m.Model = cmp.Or(m.Model, r.model)
	}
	if r.thoughts.Len > 0 || r.usage != nil {
		e := r.event(u, ingest.ModelCall, ingest.Agent)
		e.Text, e.Usage = r.thoughts, r.usage
	}
	for _, s := range r.said {
		if strings.TrimSpace(ingest.TextOf(u.Data[s.Off:s.Off+s.Len])) != "" {
			r.event(u, ingest.Message, ingest.Agent).Text = s
		}
	}
	for i := range r.tools {
		r.call(u, &r.tools[i])
	}
	for i := range r.calls {
		if k := &r.calls[i]; !r.records(k) {
			r.call(u, k)
		}
	}
	for i := range r.tools {
		d.result(u, r, &r.tools[i])
	}
}

// records reports whether a functionCall part is one of the recorded calls.
func (r *record) records(k *call) bool {
	for i := range r.tools {
		if t := &r.tools[i]; t.id == k.id || k.id == "" && t.name == k.name {
			return true
		}
	}
	return false
}

func (r *record) call(u *decode.Unit, k *call) {
	e := r.event(u, ingest.ToolCall, ingest.Agent)
	e.Call, e.Name, e.Args = k.id, k.name, k.args
}

// result adds what came of a call, if it came to an end.
func (d *decoder) result(u *decode.Unit, r *record, k *call) {
	if !k.final() {
		return
	}
	d.settled[k.id] = true
	e := r.event(u, ingest.ToolResult, ingest.Tool)
	e.Call, e.Name, e.Text, e.Agent = k.id, k.name, k.text, k.agent
	if !k.at.IsZero() && !k.at.Before(r.at) {
		e.At, e.Quality = k.at, k.quality
	}
	if k.shown.Len > 0 && u.Data[k.shown.Off] == '{' {
		e.Detail = k.shown
	}
	e.Outcome, e.Reason, e.Exit, e.Task = k.judge(ingest.TextOf(u.Data[k.text.Off : k.text.Off+k.text.Len]))
	if k.agent != "" && !d.linked[k.agent] {
		d.linked[k.agent] = true
		m := d.w.Meta()
		m.Links = append(m.Links, k.agent)
	}
}

// injected names what the CLI writes in the user's place, "" for the user's
// own words. Slash commands and "?" are the user's, but for the CLI: they never
// reach the model.
func injected(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "<session_context>"), strings.HasPrefix(text, "This is the Gemini CLI. We are setting up the context"):
		return "session-context"
	case strings.HasPrefix(text, "<hook_context>"):
		return "hook-context"
	case strings.Contains(text, "<state_snapshot>"):
		return "summary"
	case text == "System: Please continue.":
		return "continue"
	case text == "?", isCommand(text):
		return "command"
	}
	return ""
}

// isCommand tells "/chat save x" from a path at the start of a prompt.
func isCommand(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return strings.HasPrefix(word, "/") && !strings.ContainsAny(word[1:], "/.")
}

// workspace finds the project's folder in the context that opens a session.
func workspace(text string) string {
	for _, mark := range []string{"- **Workspace Directories:**\n  - ", "I'm currently working in the directory: "} {
		if _, rest, ok := strings.Cut(text, mark); ok {
			dir, _, _ := strings.Cut(rest, "\n")
			return strings.TrimSpace(dir)
		}
	}
	return ""
}

// notice adds what the CLI showed to its user.
func (r *record) notice(u *decode.Unit, s ingest.Span) {
	e := r.event(u, ingest.Message, ingest.Harness)
	e.Name, e.Text = r.kind, s
	switch text := ingest.TextOf(u.Data[s.Off : s.Off+s.Len]); {
	case strings.HasPrefix(text, "[API Error"):
		e.Kind, e.Name, e.Outcome, e.Reason = ingest.Error, "api_error", ingest.Fail, ingest.Errored
	case text == "Request cancelled." || text == "User cancelled the request.":
		e.Kind, e.Name, e.Outcome, e.Reason = ingest.Error, "cancelled", ingest.Unknown, ingest.Interrupted
	case stoppedForSafety(text):
		e.Kind, e.Name, e.Outcome, e.Reason = ingest.Error, ingest.SafetyStop, ingest.Fail, ingest.Errored
	case strings.Contains(text, "reached the maximum number of turns"):
		e.Kind, e.Name, e.Outcome, e.Reason = ingest.Limit, "max_turns", ingest.Fail, ingest.Errored
	}
}

// stoppedForSafety reads the CLI's own sentences about a response that Google's
// safety systems ended.
func stoppedForSafety(text string) bool {
	_, why, ok := strings.Cut(text, "Response stopped due to ")
	if !ok {
		return false
	}
	for _, words := range []string{"safety reasons", "prohibited content", "forbidden terms", "sensitive personally identifiable information", "image safety violations"} {
		if strings.HasPrefix(why, words) {
			return true
		}
	}
	return false
}
