package chat

import (
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

type role int

const (
	unknownRole role = iota
	harnessRole
	userRole
	agentRole
	toolRole
)

var roles = map[string]role{
	"system": harnessRole, "developer": harnessRole,
	"user":      userRole,
	"assistant": agentRole,
	"tool":      toolRole, "function": toolRole,
}

// message is what one message says; members of a wrong type are as if absent.
type message struct {
	role, id, name, model, callID string
	content, refusal, reasoning   ingest.Span
	calls                         []call
	usage                         *ingest.Usage
	at                            time.Time
	quality                       ingest.TimeQuality
	exits                         bool // a result stated an exit status
}

type call struct {
	id, name string
	args     ingest.Span
}

func (m *message) read(c *decode.Cursor) error {
	m.quality = ingest.NoTime
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "role":
			m.role, err = c.String()
		case "id":
			m.id, err = c.ID()
		case "name":
			m.name, err = c.String()
		case "model":
			m.model, err = c.String()
		case "tool_call_id":
			m.callID, err = c.ID()
		case "content":
			m.content, err = c.Span()
		case "refusal":
			m.refusal, err = c.Span()
		case "reasoning", "reasoning_content":
			m.reasoning, err = c.Span()
		case "tool_calls":
			err = c.Array(func() error { return m.readCall(c) })
		case "function_call":
			err = m.readCall(c)
		case "usage":
			m.usage, err = readUsage(c)
		case "timestamp", "created_at", "createdAt", "time":
			m.at, m.quality, err = c.Time()
		default:
			err = c.Skip()
		}
		return err
	})
}

// readCall reads a call in its nested shape, {id, function: {name, arguments}},
// or its flat one.
func (m *message) readCall(c *decode.Cursor) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	var k call
	var member func(name []byte) error
	member = func(name []byte) (err error) {
		switch string(name) {
		case "id":
			k.id, err = c.ID()
		case "name":
			k.name, err = c.String()
		case "arguments":
			k.args, err = c.Span()
		case "function", "custom":
			err = c.Object(member)
		case "input":
			if k.args.Len == 0 {
				k.args, err = c.Span()
				return err
			}
			err = c.Skip()
		default:
			err = c.Skip()
		}
		return err
	}
	err := c.Object(member)
	m.calls = append(m.calls, k)
	return err
}

// readUsage reads token counts in the names of Chat Completions or Responses;
// the prompt includes cached tokens, the completion its reasoning.
func readUsage(c *decode.Cursor) (*ingest.Usage, error) {
	if c.Kind() != '{' {
		return nil, c.Skip()
	}
	var u ingest.Usage
	var prompt, total int64
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "prompt_tokens", "input_tokens":
			prompt, _, err = c.Int()
		case "completion_tokens", "output_tokens":
			u.Output, _, err = c.Int()
		case "total_tokens":
			total, _, err = c.Int()
		case "prompt_tokens_details", "input_tokens_details":
			err = readDetail(c, "cached_tokens", &u.CacheRead)
		case "completion_tokens_details", "output_tokens_details":
			err = readDetail(c, "reasoning_tokens", &u.Reasoning)
		default:
			err = c.Skip()
		}
		return err
	})
	u.InputUncached = max(prompt-u.CacheRead, 0)
	u.Violation = prompt < u.CacheRead || u.CacheRead < 0 || u.Output < 0 || total != 0 && total != prompt+u.Output
	return &u, err
}

func readDetail(c *decode.Cursor, member string, n *int64) error {
	return c.Object(func(name []byte) (err error) {
		if string(name) == member {
			*n, _, err = c.Int()
			return err
		}
		return c.Skip()
	})
}
