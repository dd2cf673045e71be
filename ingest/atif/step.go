package atif

import (
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// step is what one step says; members of a wrong type are as if absent.
type step struct {
	source, model, cwd string
	at                 time.Time
	quality            ingest.TimeQuality
	message, reasoning ingest.Span
	copied             bool
	calls              []call
	results            []result
	usage              *ingest.Usage

	stop       string // why the response ended
	side       bool   // a sub-agent's step in the main trajectory
	open       bool   // the response went on with a tool call
	failed     bool   // extra.tool_result_is_error
	flags      bool   // the converter writes error flags at all
	exits      bool   // a result states an exit status
	compaction bool
	detail     ingest.Span // extra.tool_result_metadata
	payload    payload
}

type call struct {
	id, name string
	args     ingest.Span
}

type result struct {
	call, agent string
	content     ingest.Span
	failed      bool
}

func (s *step) read(c *decode.Cursor) error {
	s.quality = ingest.NoTime
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "source":
			s.source, err = c.String()
		case "timestamp":
			s.at, s.quality, err = c.Time()
		case "model_name":
			s.model, err = c.String()
		case "message":
			s.message, err = c.Span()
		case "reasoning_content":
			s.reasoning, err = c.Span()
		case "is_copied_context":
			s.copied, _, err = c.Bool()
		case "tool_calls":
			err = c.Array(func() error { return s.readCall(c) })
		case "observation":
			err = c.Object(func(name []byte) error {
				if string(name) == "results" {
					return c.Array(func() error { return s.readResult(c) })
				}
				return c.Skip()
			})
		case "metrics":
			s.usage, err = readMetrics(c)
		case "extra":
			err = s.readExtra(c)
		default:
			err = c.Skip()
		}
		return err
	})
}

func (s *step) readCall(c *decode.Cursor) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	var k call
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "tool_call_id":
			k.id, err = c.ID()
		case "function_name":
			k.name, err = c.String()
		case "arguments":
			k.args, err = c.Span()
		default:
			err = c.Skip()
		}
		return err
	})
	s.calls = append(s.calls, k)
	return err
}

func (s *step) readResult(c *decode.Cursor) error {
	if c.Kind() != '{' {
		return c.Skip()
	}
	var r result
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "source_call_id":
			r.call, err = c.ID()
		case "content":
			r.content, err = c.Span()
		case "subagent_trajectory_ref":
			r.agent, err = readRef(c)
		case "extra":
			err = c.Object(func(name []byte) (err error) {
				switch string(name) {
				case "is_error", "tool_result_is_error":
					r.failed, _, err = c.Bool()
					s.flags = true
				default:
					err = c.Skip()
				}
				return err
			})
		default:
			err = c.Skip()
		}
		return err
	})
	s.results = append(s.results, r)
	return err
}

// readRef returns the id of the first sub-agent that a result names.
func readRef(c *decode.Cursor) (id string, err error) {
	read := func() error {
		return c.Object(func(name []byte) error {
			switch string(name) {
			case "trajectory_id", "session_id":
				s, err := c.ID()
				if id == "" {
					id = s
				}
				return err
			}
			return c.Skip()
		})
	}
	if c.Kind() == '{' {
		return id, read()
	}
	err = c.Array(read)
	return id, err
}

func (s *step) readExtra(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "tool_result_is_error":
			s.failed, _, err = c.Bool()
			s.flags = true
		case "tool_result_metadata":
			s.flags = true
			s.detail, err = c.Span()
		case "cwd":
			s.cwd, err = c.String()
		case "is_sidechain":
			s.side, _, err = c.Bool()
		case "stop_reason":
			s.stop, err = c.String()
			s.open = s.stop == "tool_use"
		case "context_management":
			err = c.Object(func(name []byte) error {
				if string(name) != "type" {
					return c.Skip()
				}
				kind, err := c.String()
				s.compaction = kind == "compaction"
				return err
			})
		default:
			err = c.Skip()
		}
		return err
	})
}
