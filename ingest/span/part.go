package span

import "github.com/faultline-dev/faultline/ingest"

// part is one part of a message's content, in the words of any provider.
type part struct {
	kind, id, name string
	text, thought  ingest.Span
	args, result   ingest.Span
	failed         bool

	around message // that is being read from the same object
}

// calling and answering are the types of parts that call a tool and bring its
// result.
var (
	calling = map[string]bool{
		"tool_call": true, "tool-call": true, "tool_use": true, "toolUse": true, "function_call": true, "functionCall": true, "toolCall": true,
		"server_tool_use": true, "mcp_tool_use": true,
	}
	answering = map[string]bool{
		"tool_call_response": true, "tool-result": true, "tool_result": true, "toolResult": true, "function_call_output": true,
		"function_response": true, "functionResponse": true, "tool_response": true, "mcp_tool_result": true,
	}
)

func (w *walker) partMember(p *part, name []byte) (err error) {
	switch string(name) {
	case "type":
		p.kind, err = w.c.Word(w.words)
	case "text":
		err = w.fill(&p.text)
	case "content":
		if p.text.Len == 0 {
			return w.fill(&p.text)
		}
		err = w.c.Skip()
	case "thinking", "reasoning":
		err = w.fill(&p.thought)
	case "id", "toolCallId", "tool_use_id", "toolUseId", "tool_call_id", "call_id":
		if s, ierr := w.c.ID(); s != "" {
			p.id, err = s, ierr
		}
	case "name", "toolName", "tool_name":
		p.name, err = w.c.Word(w.words)
	case "arguments", "args", "input", "arguments_json":
		err = w.fill(&p.args)
	case "result", "response", "output":
		err = w.fill(&p.result)
	case "is_error", "isError":
		b, _, berr := w.c.Bool()
		p.failed, err = p.failed || b, berr
	case "function":
		return w.inner(p, p.kind)
	case "function_call", "functionCall", "toolUse", "function_response", "functionResponse", "toolResult":
		return w.inner(p, string(name))
	default:
		err = w.c.Skip()
	}
	return err
}

// fill takes a value; null and the empty text are none.
func (w *walker) fill(s *ingest.Span) error {
	v, err := w.span()
	if v.Len > emptyText {
		*s = v
	}
	return err
}

// inner reads an object that holds the part's own members.
func (w *walker) inner(p *part, kind string) error {
	if w.c.Kind() != '{' {
		return w.c.Skip()
	}
	p.kind = kind
	return w.c.Object(func(name []byte) error {
		if string(name) == "type" {
			return w.c.Skip()
		}
		return w.partMember(p, name)
	})
}

// into adds what the part says to its message.
func (p *part) into(m *message) {
	switch {
	case calling[p.kind]:
		m.calls = append(m.calls, call{id: p.id, name: p.name, args: p.args})
	case answering[p.kind]:
		if p.result.Len == 0 {
			p.result = p.text
		}
		m.results = append(m.results, result{p.id, p.name, p.result, p.failed})
	case p.kind == "thinking" || p.kind == "reasoning":
		if p.thought.Len == 0 {
			p.thought = p.text
		}
		if p.thought.Len > 0 {
			m.thoughts = append(m.thoughts, p.thought)
		}
	case p.text.Len > 0:
		m.texts = append(m.texts, p.text)
	}
}
