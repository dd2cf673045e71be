package claude

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// calls remembers open calls by id. Ids of other vendors repeat, always in
// another message: a result belongs to the oldest open call with its id.
type calls struct {
	open map[string][]call
	args decode.Cursor
}

// call is what is remembered of an open call.
type call struct {
	tool    string
	message string
	task    string // what a poll asks about
}

// polls reports whether the tool looks at a background task.
func (c call) polls() bool {
	switch c.tool {
	case "BashOutput", "TaskOutput", "AgentOutputTool":
		return true
	}
	return c.kills()
}

func (c call) kills() bool {
	switch c.tool {
	case "KillShell", "KillBash", "TaskStop":
		return true
	}
	return false
}

// add remembers a call. A log that writes one call twice has one open call.
func (s *calls) add(b *block, message string, data []byte) {
	c := call{tool: b.name, message: message}
	open := s.open[b.id]
	if n := len(open); n > 0 && open[n-1].message == message {
		return
	}
	if c.polls() {
		c.task = s.taskIn(data, b.input)
	}
	s.open[b.id] = append(open, c)
}

// take closes the oldest open call with the id; the zero call if there is none.
func (s *calls) take(id string) call {
	open := s.open[id]
	switch len(open) {
	case 0:
		return call{}
	case 1:
		delete(s.open, id)
	default:
		s.open[id] = open[1:]
	}
	return open[0]
}

// taskIn reads which task a poll asks about. Its arguments are a few bytes.
func (s *calls) taskIn(data []byte, args ingest.Span) (task string) {
	if args.Len == 0 {
		return ""
	}
	s.args.Reset(data[args.Off : args.Off+args.Len])
	// The unit was read already, so its parts are JSON.
	_ = s.args.Object(func(name []byte) (err error) {
		switch string(name) {
		case "bash_id", "shell_id", "task_id", "agentId":
			task, err = s.args.ID()
		default:
			err = s.args.Skip()
		}
		return err
	})
	return task
}
