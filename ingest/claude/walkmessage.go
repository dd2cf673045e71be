package claude

import (
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

func (w *walk) message(name []byte) (err error) {
	c := w.c
	switch string(name) {
	case "id":
		w.msg.id, err = c.String()
	case "model":
		w.msg.model, err = c.String()
	case "stop_reason":
		w.msg.stop, err = c.String()
	case "content":
		w.msg.blocks, w.msg.results, w.msg.text = w.msg.blocks[:0], 0, ingest.Span{}
		if c.Kind() == '"' {
			w.msg.text, err = c.Span()
			return err
		}
		err = c.Array(w.onElem)
	case "usage":
		err = w.usage()
	default:
		err = c.Skip()
	}
	return err
}

// element reads one content block; a bare string in the list is a text block.
func (w *walk) element() (err error) {
	w.blk = block{}
	if w.c.Kind() == '"' {
		w.blk.kind = "text"
		w.blk.text, err = w.c.Span()
	} else {
		err = w.c.Object(w.onBlock)
	}
	if isResult(w.blk.kind) {
		w.msg.results++
	}
	w.msg.blocks = append(w.msg.blocks, w.blk)
	return err
}

// isResult reports whether a block is a result: of a tool of the agent's, of an
// MCP server's or of the provider's.
func isResult(kind string) bool { return strings.HasSuffix(kind, "tool_result") }

func (w *walk) block(name []byte) (err error) {
	c := w.c
	switch string(name) {
	case "type":
		w.blk.kind, err = c.String()
	case "id", "tool_use_id":
		w.blk.id, err = c.String()
	case "name":
		w.blk.name, err = c.String()
	case "text", "thinking", "data":
		w.blk.text, err = c.Span()
	case "input":
		w.blk.input, err = c.Span()
	case "is_error":
		w.blk.isError, _, err = c.Bool()
	case "content":
		err = w.resultContent()
	default:
		err = c.Skip()
	}
	return err
}

// resultContent keeps the whole content of a result and finds the first text
// in it. A provider's tool states its error as an object instead.
func (w *walk) resultContent() (err error) {
	c := w.c
	from := c.Mark()
	switch c.Kind() {
	case '"':
		w.blk.content, err = c.Span()
		w.blk.said = w.blk.content
		return err
	case '[':
		err = c.Array(func() error { return c.Object(w.part) })
	case '{':
		err = c.Object(w.part)
	default:
		return c.Skip()
	}
	w.blk.content = w.c.Since(from)
	return err
}

func (w *walk) part(name []byte) (err error) {
	switch string(name) {
	case "text":
		var s ingest.Span
		if s, err = w.c.Span(); w.blk.said.Len == 0 {
			w.blk.said = s
		}
	case "error_code":
		w.blk.isError = true
		w.blk.said, err = w.c.Span()
	default:
		err = w.c.Skip()
	}
	return err
}

func (w *walk) structured() error {
	w.payload = payload{}
	if w.c.Kind() == 'n' {
		return w.c.Skip()
	}
	from := w.c.Mark()
	err := w.c.Object(w.onLoad)
	w.details = w.c.Since(from)
	return err
}

func (w *walk) load(name []byte) (err error) {
	c, p := w.c, &w.payload
	switch string(name) {
	case "interrupted":
		p.interrupted, _, err = c.Bool()
	case "stdout":
		p.shell = true
		err = c.Skip()
	case "backgroundTaskId":
		p.background, err = c.ID()
	case "returnCodeInterpretation":
		p.readExit, err = c.String()
	case "isAsync":
		p.async, _, err = c.Bool()
	case "status":
		p.status, err = c.String()
	case "agentId":
		p.agent, err = c.String()
	case "shellId", "shell_id", "task_id":
		p.task, err = c.ID()
	case "exitCode":
		err = w.exitCode()
	case "task":
		err = c.Object(w.taskMember)
	default:
		err = c.Skip()
	}
	return err
}

func (w *walk) taskMember(name []byte) (err error) {
	switch string(name) {
	case "task_id":
		w.payload.task, err = w.c.ID()
	case "status":
		w.payload.taskStatus, err = w.c.String()
	case "exitCode":
		err = w.exitCode()
	default:
		err = w.c.Skip()
	}
	return err
}

func (w *walk) exitCode() error {
	n, ok, err := w.c.Int()
	if ok {
		w.payload.exit = new(int(n))
	}
	return err
}

// usage reads token counts. Input excludes the cache here; writes are split by
// lifetime where the source says so and count as five minutes otherwise.
func (w *walk) usage() error {
	var u ingest.Usage
	var writes, split int64
	c := w.c
	read := func(into *int64) (err error) {
		*into, _, err = c.Int()
		return err
	}
	if c.Kind() != '{' {
		return c.Skip()
	}
	err := c.Object(func(name []byte) error {
		switch string(name) {
		case "input_tokens":
			return read(&u.InputUncached)
		case "cache_read_input_tokens":
			return read(&u.CacheRead)
		case "cache_creation_input_tokens":
			return read(&writes)
		case "output_tokens":
			return read(&u.Output)
		case "cache_creation":
			return c.Object(func(name []byte) error {
				switch string(name) {
				case "ephemeral_5m_input_tokens":
					return read(&u.CacheWrite5m)
				case "ephemeral_1h_input_tokens":
					return read(&u.CacheWrite1h)
				}
				return c.Skip()
			})
		}
		return c.Skip()
	})
	if split = u.CacheWrite5m + u.CacheWrite1h; split == 0 {
		u.CacheWrite5m = writes
	}
	u.Violation = split != 0 && writes != 0 && split != writes
	w.msg.usage = &u
	return err
}
