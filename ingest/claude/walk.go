package claude

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// walk reads one object front to back into a line. Of a repeated name the last
// value counts.
type walk struct {
	c *decode.Cursor
	line
	known   string // session id of the run, to spare a copy per line
	placed  bool   // directory, branch and version of the run are known
	blk     block
	depth   int
	onTop   func([]byte) error
	onMsg   func([]byte) error
	onElem  func() error
	onBlock func([]byte) error
	onLoad  func([]byte) error
}

func newWalk() *walk {
	w := &walk{}
	w.onTop, w.onMsg, w.onElem, w.onBlock, w.onLoad = w.top, w.message, w.element, w.block, w.load
	return w
}

func (w *walk) read(c *decode.Cursor) error {
	w.c = c
	w.line = line{quality: ingest.NoTime, msg: message{blocks: w.msg.blocks[:0]}}
	if err := c.Object(w.onTop); err != nil {
		return err
	}
	return c.Done()
}

func (w *walk) top(name []byte) (err error) {
	c := w.c
	switch string(name) {
	case "type":
		w.kind, err = c.String()
	case "subtype":
		w.subtype, err = c.String()
	case "uuid":
		w.uuid, err = c.String()
	case "parentUuid":
		w.parent, err = c.String()
	case "logicalParentUuid":
		w.logical, err = c.String()
	case "sessionId", "session_id":
		w.session, err = w.sessionID()
	case "timestamp":
		w.at, w.quality, err = c.Time()
	case "message":
		w.msg = message{present: true, blocks: w.msg.blocks[:0]}
		err = c.Object(w.onMsg)
	case "toolUseResult", "tool_use_result":
		err = w.structured()
	case "isSidechain":
		w.side, _, err = c.Bool()
	default:
		return w.rare(name)
	}
	return err
}

func (w *walk) sessionID() (string, error) {
	b, err := w.c.Bytes()
	if string(b) == w.known {
		return w.known, err
	}
	return string(b), err
}

// rare reads the members that few lines have.
func (w *walk) rare(name []byte) (err error) {
	c := w.c
	switch string(name) {
	case "isMeta", "isSynthetic":
		w.meta, _, err = c.Bool()
	case "isCompactSummary":
		w.summary, _, err = c.Bool()
	case "isApiErrorMessage":
		w.apiError, _, err = c.Bool()
	case "is_error":
		w.isError, _, err = c.Bool()
	case "preventedContinuation", "preventContinuation":
		w.prevented, _, err = c.Bool()
	case "agentId":
		w.agent, err = c.String()
	case "parent_tool_use_id":
		w.parentTool, err = c.String()
	case "summary", "content", "result", "prUrl":
		w.text, err = c.Span()
	case "errors":
		w.err, err = c.Span()
	case "error":
		err = w.apiFault()
	case "apiErrorStatus", "error_status", "status":
		w.status, err = c.ID()
	case "compactMetadata", "compact_metadata", "microcompactMetadata":
		err = w.compaction()
	case "attachment":
		err = w.attached()
	case "hookInfos":
		err = w.hookCommands()
	case "hookErrors":
		from := c.Mark()
		w.hookFails = 0
		err = c.Array(func() error { w.hookFails++; return c.Skip() })
		w.err = w.c.Since(from)
	default:
		return w.about(name)
	}
	return err
}

// hookCommands reads which commands the hooks of a turn's end ran.
func (w *walk) hookCommands() error {
	w.hooks = nil
	return w.c.Array(func() error {
		if w.c.Kind() != '{' {
			return w.c.Skip()
		}
		return w.c.Object(func(name []byte) error {
			if string(name) != "command" {
				return w.c.Skip()
			}
			command, err := w.c.Span()
			w.hooks = append(w.hooks, command)
			return err
		})
	})
}

// about reads what describes the run.
func (w *walk) about(name []byte) (err error) {
	c := w.c
	if w.placed && (string(name) == "cwd" || string(name) == "gitBranch" || string(name) == "version") {
		return c.Skip()
	}
	switch string(name) {
	case "cwd":
		w.cwd, err = c.String()
	case "gitBranch":
		w.branch, err = c.String()
	case "version", "claude_code_version":
		w.version, err = c.String()
	case "model":
		w.model, err = c.String()
	case "operation":
		w.operation, err = c.String()
	case "task_id":
		w.task, err = c.ID()
	case "costUSD", "total_cost_usd":
		w.cost, w.hasCost, err = c.Float()
	default:
		err = c.Skip()
	}
	return err
}

// apiFault reads an error: a word, or an object in which the class is nested.
func (w *walk) apiFault() (err error) {
	from := w.c.Mark()
	switch w.c.Kind() {
	case '"':
		w.errorName, err = w.c.String()
	case '{':
		w.depth = 0
		err = w.fault()
	case 'n':
		return w.c.Skip()
	default:
		err = w.c.Skip()
	}
	w.err = w.c.Since(from)
	return err
}

// maxFault bounds how deep an error object is searched for its class.
const maxFault = 4

func (w *walk) fault() error {
	w.depth++
	defer func() { w.depth-- }()
	return w.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "type", "code":
			var s string
			if s, err = w.c.ID(); s != "" && s != "error" {
				w.errorName = s
			}
		case "status":
			w.status, err = w.c.ID()
		case "error", "cause":
			if w.c.Kind() == '{' && w.depth < maxFault {
				return w.fault()
			}
			err = w.c.Skip()
		default:
			err = w.c.Skip()
		}
		return err
	})
}

func (w *walk) compaction() error {
	from := w.c.Mark()
	err := w.c.Object(func(name []byte) (err error) {
		if string(name) == "trigger" {
			w.trigger, err = w.c.String()
			return err
		}
		return w.c.Skip()
	})
	w.details = w.c.Since(from)
	return err
}

func (w *walk) attached() error {
	w.attach = attachment{}
	from := w.c.Mark()
	err := w.c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "type":
			w.attach.kind, err = w.c.String()
		case "met":
			w.attach.met, w.attach.hasMet, err = w.c.Bool()
		case "reason", "prompt":
			w.attach.text, err = w.c.Span()
		default:
			err = w.c.Skip()
		}
		return err
	})
	w.details = w.c.Since(from)
	return err
}
