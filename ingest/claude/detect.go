package claude

import (
	"bytes"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// detect decides by the first line of the head that shows either format. Plain
// text and foreign objects before it are passed over; the last line may be cut
// off, so what was read of it counts.
func detect(head []byte) dialect {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] == '[' {
		return 0
	}
	var c decode.Cursor
	for line := range bytes.Lines(head) {
		line = bytes.TrimLeft(line, " \t")
		if len(line) < 2 || line[0] != '{' {
			continue
		}
		c.Reset(line)
		if l := look(&c); l.has["faultline"] || l.isQwen() {
			return 0
		} else if as := l.dialect(); as != 0 {
			return as
		}
	}
	return 0
}

// looked is what the top level of an object shows.
type looked struct {
	kind, subtype string
	has           map[string]bool
	parts         bool // its message has parts, as Gemini's have
}

func look(c *decode.Cursor) looked {
	l := looked{has: map[string]bool{}}
	// An error is a line cut off or no JSON: what came before it counts.
	_ = c.Object(func(name []byte) (err error) {
		l.has[string(name)] = true
		switch string(name) {
		case "type":
			l.kind, err = c.String()
		case "subtype":
			l.subtype, err = c.String()
		case "message":
			err = c.Object(func(name []byte) error {
				l.parts = l.parts || string(name) == "parts"
				return c.Skip()
			})
		default:
			err = c.Skip()
		}
		return err
	})
	return l
}

// isQwen knows the lines of Qwen Code, a fork of Gemini CLI that keeps Gemini's
// messages in an envelope like this one.
func (l looked) isQwen() bool {
	return l.all("sessionId", "uuid", "parentUuid") && !l.has["isSidechain"] && (l.parts || l.kind == "tool_result" || l.kind == "system")
}

func (l looked) all(names ...string) bool {
	for _, name := range names {
		if !l.has[name] {
			return false
		}
	}
	return true
}

func (l looked) dialect() dialect {
	switch {
	case l.all("sessionId", "parentUuid", "isSidechain"), l.all("type", "sessionId", "uuid"):
		return session
	case l.has["session_id"] && l.isStream():
		return stream
	}
	return l.bare()
}

func (l looked) isStream() bool {
	switch l.kind {
	case "assistant", "user":
		return l.has["message"]
	case "system", "result":
		return l.subtype != ""
	}
	return l.kind == "stream_event"
}

// bare recognises the lines that have no envelope.
func (l looked) bare() dialect {
	switch l.kind {
	case "summary":
		return l.when("summary", "leafUuid")
	case "file-history-snapshot":
		return l.when("messageId", "snapshot")
	case "queue-operation":
		return l.when("operation", "sessionId")
	case "pr-link":
		return l.when("prNumber", "sessionId")
	case "ai-title", "custom-title", "tag", "last-prompt", "permission-mode", "mode", "agent-name":
		return l.when("sessionId")
	}
	return 0
}

func (l looked) when(names ...string) dialect {
	if l.all(names...) {
		return session
	}
	return 0
}
