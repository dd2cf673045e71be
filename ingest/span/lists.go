package span

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// listed is an attribute that is a part of a flat list of messages:
// gen_ai.prompt.0.role, llm.output_messages.0.message.tool_calls.1.tool_call.id.
type listed struct {
	answer bool
	index  int
	rest   []string
}

var lists = []struct {
	prefix string
	answer bool
}{
	{"llm.input_messages.", false}, {"llm.output_messages.", true}, {"gen_ai.prompt.", false}, {"gen_ai.completion.", true},
}

func listOf(key string) (listed, bool) {
	for _, l := range lists {
		rest, ok := strings.CutPrefix(key, l.prefix)
		if !ok {
			continue
		}
		number, rest, ok := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			return listed{}, false
		}
		return listed{l.answer, n, strings.Split(strings.TrimPrefix(rest, "message."), ".")}, true
	}
	return listed{}, false
}

// listed reads one attribute of a list. Attributes come in natural order, so
// those of a message stand together.
func (r *reading) listed(l listed) error {
	list := &r.asked
	if l.answer {
		list = &r.answered
	}
	if n := len(*list); n == 0 || (*list)[n-1].index != l.index {
		*list = append(*list, message{index: l.index})
	}
	m := &(*list)[len(*list)-1]
	switch l.rest[0] {
	case "role":
		s, err := r.c.String()
		m.role = roles[s]
		return err
	case "tool_call_id":
		s, err := r.c.ID()
		m.callID = s
		return err
	case "name":
		s, err := r.c.String()
		m.tool = s
		return err
	case "finish_reason":
		s, err := r.c.String()
		m.more, m.stop = isMore(s), s
		return err
	case "tool_calls", "function_call":
		return r.listedCall(m, l.rest[1:])
	}
	v, err := r.c.Span()
	if err != nil || v.Len <= emptyText {
		return err
	}
	switch last := l.rest[len(l.rest)-1]; {
	case l.rest[0] == "content", l.rest[0] == "contents" && last == "text":
		m.texts = append(m.texts, v)
	case l.rest[0] == "reasoning", l.rest[0] == "reasoning_content":
		m.thoughts = append(m.thoughts, v)
	}
	return nil
}

// listedCall reads a part of a message's tool call: K.tool_call.function.name,
// K.name.
func (r *reading) listedCall(m *message, rest []string) error {
	n := 0
	if len(rest) > 1 {
		n, _ = strconv.Atoi(rest[0])
	}
	if last := len(m.calls); last == 0 || m.calls[last-1].index != n {
		m.calls = append(m.calls, call{index: n})
	}
	k := &m.calls[len(m.calls)-1]
	var err error
	switch rest[len(rest)-1] {
	case "id":
		k.id, err = r.c.ID()
	case "name":
		k.name, err = r.c.String()
	case "arguments":
		k.args, err = r.c.Span()
	default:
		err = r.c.Skip()
	}
	return err
}

// settle gives flat lists the form of the others.
func (r *reading) settle() {
	for _, list := range [][]message{r.asked, r.answered} {
		for i := range list {
			if m := &list[i]; m.role == toolRole {
				m.becomeResult(&part{})
			}
		}
	}
	for i := range r.answered {
		if r.answered[i].role == unknownRole {
			r.answered[i].role = agentRole
		}
	}
}

// talk reads the messages that a span was given and those it gave, from the
// best of its attributes.
func (r *reading) talk(k kind) (asked, answered []message) {
	asked, answered = r.asked, r.answered
	if len(asked) == 0 {
		asked = r.messagesOf(input, userRole)
	}
	if len(answered) == 0 {
		answered = r.answer()
	}
	if r.has(transcript) && len(asked) == 0 {
		all := r.messagesOf(transcript, unknownRole)
		switch n := answerOf(all, k); {
		case len(answered) == 0 || !k.asks():
			asked, answered = all[:n], all[n:]
		default:
			asked = all
		}
	}
	if r.has(system) {
		head := r.messagesOf(system, harnessRole)
		for i := range head {
			head[i].role = harnessRole
		}
		asked = append(head, asked...)
	}
	return asked, answered
}

func (r *reading) messagesOf(f field, alone role) []message {
	if !r.has(f) {
		return nil
	}
	return r.messagesIn(r.told[f], alone)
}

// answer reads an answer that is told in parts, else as a list of messages.
func (r *reading) answer() []message {
	m := message{role: agentRole}
	if r.has(thought) {
		m.thoughts = []ingest.Span{r.told[thought]}
	}
	if r.has(answer) {
		m.texts = []ingest.Span{r.told[answer]}
	}
	if r.has(proposed) {
		w := r.walk(r.told[proposed])
		if err := w.c.Array(func() error { return w.call(&m) }); err != nil {
			return nil
		}
	}
	if !m.empty() {
		return []message{m}
	}
	all := r.messagesOf(output, agentRole)
	for i := range all {
		if all[i].role == unknownRole {
			all[i].role = agentRole
		}
	}
	return all
}

// answerOf tells where in a transcript the answer begins: at the last messages of
// the model that was called; at the first one of an agent, whose steps are over
// only when it ends.
func answerOf(all []message, k kind) int {
	if !k.asks() {
		for i := range all {
			if all[i].role == agentRole {
				return i
			}
		}
		return len(all)
	}
	n := len(all)
	for n > 0 && all[n-1].role == agentRole {
		n--
	}
	return n
}
