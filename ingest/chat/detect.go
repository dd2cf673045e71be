package chat

import (
	"bytes"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/message"
	"github.com/faultline-dev/faultline/ingest/miniswe"
)

var lists = []string{"messages", "traj", ""}

// wrappers are members that hold what has the list: a logged request, the
// values of a LangGraph state.
var wrappers = map[string]bool{"request": true, "values": true}

// foreign are top-level members of other formats that also keep messages.
var foreign = map[string]bool{
	"trajectory_format": true, "mini_version": true, "sessionId": true, "lc": true,
	"schema_version": true, "faultline": true, "history": true, "trajectory": true,
	"run_type": true, "dotted_order": true, "observations": true, "traceId": true,
}

// shape is how a file holds its messages.
type shape int

const (
	none shape = iota
	one        // one document with one list
	many       // a list of such documents, or one after another
)

// dialect is the shape of the messages; of a mixed list the last of these.
type dialect int

const (
	unknown dialect = iota
	openAI
	anthropic
	langChain
)

// shapeOf looks at the head of a file. Of several documents the first decides
// whether they are such documents at all.
func shapeOf(head []byte) (shape, dialect) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 {
		return none, unknown
	}
	if head[0] == '{' {
		return documents(head)
	}
	traces, first := unknown, true
	rest, _ := decode.Peek(head, func(_ string, value []byte, _ bool) bool {
		if first || traces != unknown {
			d, _ := documentOf(value)
			traces = max(traces, d)
		}
		first = false
		return true
	})
	switch d := messagesOf(head); {
	case len(bytes.TrimSpace(rest)) > 0:
		return none, unknown
	case traces != unknown:
		return many, traces
	case d != unknown && !miniswe.IsBare(head):
		return one, d
	}
	return none, unknown
}

// documents looks at one document after another.
func documents(head []byte) (shape, dialect) {
	found, n, broken := unknown, 0, false
	for len(head) > 0 {
		if broken = head[0] != '{'; broken {
			break
		}
		d, rest := documentOf(head)
		if d == unknown {
			break
		}
		n++
		found, head = max(found, d), bytes.TrimSpace(rest)
	}
	switch {
	case n == 0 || n == 1 && broken:
		return none, unknown
	case n == 1 && len(head) == 0:
		return one, found
	}
	return many, found
}

// documentOf reports in which shape an object holds a list of messages, when
// nothing marks another format, and what stands behind it.
func documentOf(object []byte) (d dialect, rest []byte) { return wrapped(object, 0) }

// maxWrap bounds how deep wrappers are looked into: each costs another pass.
const maxWrap = 2

func wrapped(object []byte, depth int) (d dialect, rest []byte) {
	if len(object) == 0 || object[0] != '{' || depth > maxWrap {
		return unknown, nil
	}
	other := false
	var r response
	rest, _ = decode.Peek(object, func(name string, value []byte, whole bool) bool {
		other = foreign[name] || name == "info" && hasMember(value, foreign)
		switch {
		case name == "messages" || name == "traj":
			d = max(d, messagesOf(value))
		case wrappers[name]:
			in, _ := wrapped(value, depth+1)
			d = max(d, in)
		default:
			r.member(name, value, whole)
		}
		return !other
	})
	if r.is() {
		d = anthropic
	}
	if other {
		d = unknown
	}
	return d, rest
}

// response is what marks an object as a response of Anthropic's API.
type response struct{ kind, role, content, spent bool }

func (r *response) member(name string, value []byte, whole bool) {
	switch name {
	case "type":
		r.kind = whole && ingest.TextOf(value) == "message"
	case "role":
		r.role = whole && ingest.TextOf(value) == "assistant"
	case "content":
		r.content = len(value) > 0 && value[0] == '['
	case "usage", "stop_reason":
		r.spent = true
	}
}

func (r *response) is() bool { return r.kind && r.role && r.content && r.spent }

func hasMember(object []byte, names map[string]bool) (has bool) {
	decode.Peek(object, func(name string, _ []byte, _ bool) bool {
		has = names[name]
		return !has
	})
	return has
}

// messagesOf looks at the elements of a list as far as they are there.
func messagesOf(list []byte) dialect {
	if len(list) == 0 || list[0] != '[' {
		return unknown
	}
	found, all := unknown, true
	decode.Peek(list, func(_ string, value []byte, whole bool) bool {
		d, speaks := messageOf(value)
		all = speaks || !whole && found != unknown
		found = max(found, d)
		return all
	})
	if !all {
		return unknown
	}
	return found
}

// messageOf tells the dialect of a message. A speaker that no dialect knows tells
// none, but speaks.
func messageOf(value []byte) (d dialect, speaks bool) {
	role, kind, body, blocks, lc := "", "", false, false, false
	decode.Peek(value, func(name string, value []byte, whole bool) bool {
		switch name {
		case "role":
			if whole {
				role = ingest.TextOf(value)
			}
		case "type":
			if whole {
				kind = ingest.TextOf(value)
			}
		case "content", "tool_calls", "function_call":
			body = true
			blocks = blocks || hasBlocks(value)
		case "data", "kwargs":
			lc = len(value) > 0 && value[0] == '{' && hasMember(value, map[string]bool{"content": true})
		}
		return true
	})
	switch {
	case role != "" && body && message.RoleOf(role) == message.None:
		return unknown, true
	case role != "" && body && blocks:
		return anthropic, true
	case role != "" && body:
		return openAI, true
	case role == "" && lc && (kind == "constructor" || langChainTypes[kind]), role == "" && body && langChainTypes[kind]:
		return langChain, true
	}
	return unknown, false
}

// langChainTypes are the types of LangChain's messages. Only these: "user" is
// a type of others.
var langChainTypes = map[string]bool{
	"human": true, "ai": true, "system": true, "tool": true, "function": true, "chat": true, "remove": true,
	"HumanMessageChunk": true, "AIMessageChunk": true, "ToolMessageChunk": true, "SystemMessageChunk": true,
}

// hasBlocks reports whether content is made of blocks that hold calls and
// results themselves.
func hasBlocks(content []byte) (has bool) {
	if len(content) == 0 || content[0] != '[' {
		return false
	}
	decode.Peek(content, func(_ string, part []byte, _ bool) bool {
		decode.Peek(part, func(name string, value []byte, whole bool) bool {
			has = has || name == "type" && whole && message.IsBlock(ingest.TextOf(value))
			return !has
		})
		return !has
	})
	return has
}

// wrapper names the member in which the list stands, "" when it stands at the
// top.
func wrapper(in *decode.Input) (string, error) {
	head, err := in.Head()
	if err != nil {
		return "", err
	}
	under := ""
	decode.Peek(head, func(name string, value []byte, _ bool) bool {
		if d, _ := documentOf(value); wrappers[name] && d != unknown {
			under = name
		}
		return under == "" && name != "messages" && name != "traj"
	})
	return under, nil
}
