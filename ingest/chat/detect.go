package chat

import (
	"bytes"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

var lists = []string{"messages", "traj", ""}

// foreign are top-level members of other formats that also keep messages.
var foreign = map[string]bool{
	"trajectory_format": true, "mini_version": true, "sessionId": true, "lc": true,
	"schema_version": true, "faultline": true, "history": true, "trajectory": true,
}

// detect wants one JSON document with a list of messages that have roles. What
// follows the document would be lost, so nothing may.
func detect(head []byte) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(trimmed) == 0 {
		return false
	}
	if trimmed[0] == '[' {
		rest, _ := decode.Peek(trimmed, func(string, []byte, bool) bool { return true })
		return areMessages(trimmed) && len(bytes.TrimSpace(rest)) == 0
	}
	found, other := false, false
	rest, _ := decode.Peek(trimmed, func(name string, value []byte, _ bool) bool {
		other = foreign[name] || name == "info" && hasMember(value, foreign)
		found = found || (name == "messages" || name == "traj") && areMessages(value)
		return !other
	})
	return found && !other && len(bytes.TrimSpace(rest)) == 0
}

func hasMember(object []byte, names map[string]bool) (has bool) {
	decode.Peek(object, func(name string, _ []byte, _ bool) bool {
		has = names[name]
		return !has
	})
	return has
}

// areMessages looks at the elements of a list as far as they are there.
func areMessages(list []byte) bool {
	if len(list) == 0 || list[0] != '[' {
		return false
	}
	seen, all := 0, true
	decode.Peek(list, func(_ string, value []byte, whole bool) bool {
		ok := isMessage(value)
		if ok {
			seen++
		}
		all = ok || !whole && seen > 0
		return all
	})
	return seen > 0 && all
}

func isMessage(value []byte) bool {
	role, body, blocks := "", false, false
	decode.Peek(value, func(name string, value []byte, whole bool) bool {
		switch name {
		case "role":
			if whole {
				role = ingest.TextOf(value)
			}
		case "content", "tool_calls", "function_call":
			body = true
			blocks = blocks || hasBlocks(value)
		}
		return true
	})
	return roles[role] != unknownRole && body && !blocks
}

// hasBlocks reports whether content is made of Anthropic's blocks, which hold
// calls and results themselves.
func hasBlocks(content []byte) (has bool) {
	if len(content) == 0 || content[0] != '[' {
		return false
	}
	decode.Peek(content, func(_ string, part []byte, _ bool) bool {
		decode.Peek(part, func(name string, value []byte, whole bool) bool {
			if name == "type" && whole {
				switch ingest.TextOf(value) {
				case "tool_use", "tool_result", "thinking", "tool-call", "tool-result":
					has = true
				}
			}
			return !has
		})
		return !has
	})
	return has
}
