package message

import "github.com/faultline-dev/faultline/ingest"

// maxNest bounds how deep a message may lie in wrappers of its own.
const maxNest = 4

// member reads one member of the message, or of a wrapper that holds its
// members.
func (r *reader) member(name []byte) (err error) {
	c := r.c
	switch string(name) {
	case "role":
		r.role, err = c.String()
	case "type":
		err = r.readType()
	case "id":
		err = r.readID()
	case "name":
		r.name, err = c.String()
	case "model":
		r.model, err = c.String()
	case "tool_call_id", "call_id":
		r.callID, err = c.ID()
	case "status":
		r.status, err = c.String()
	case "is_error":
		r.failed, r.flagged, err = c.Bool()
	case "content", "parts":
		err = r.readContent()
	case "refusal":
		r.refusal, err = c.Span()
	case "reasoning", "reasoning_content":
		r.reasoning, err = c.Span()
	case "tool_calls":
		err = c.Array(func() error { return r.readCall(&r.calls) })
	case "function_call":
		err = r.readCall(&r.calls)
	case "timestamp", "created_at", "createdAt", "time":
		r.at, r.quality, err = c.Time()
	case "finish_reason", "finishReason", "stop_reason":
		r.stop, err = c.String()
	case "usage":
		r.usage, err = ReadUsage(c)
	case "usage_metadata":
		r.metadata, err = ReadUsage(c)
	case "arguments":
		r.args, err = c.Span()
	case "input":
		err = r.both(name, &r.args)
	case "output":
		err = r.both(name, &r.output)
	default:
		err = r.wrapped(string(name), name)
	}
	return err
}

// wrapped reads the members that LangChain puts around a message, or into it.
func (r *reader) wrapped(key string, name []byte) error {
	c := r.c
	if c.Kind() != '{' || r.nested >= maxNest {
		return r.rest(name)
	}
	r.nested++
	defer func() { r.nested-- }()
	switch key {
	case "kwargs", "data":
		return c.Object(r.member)
	case "additional_kwargs":
		return c.Object(r.additional)
	case "response_metadata":
		return c.Object(r.response)
	}
	return r.rest(name)
}

// rest gives a member that is none of a message's to who asked for it.
func (r *reader) rest(name []byte) error {
	if r.other == nil {
		return r.c.Skip()
	}
	return r.other(name)
}

// both reads a member that means something to an item of Responses, and to
// who asked for the others.
func (r *reader) both(name []byte, s *ingest.Span) error {
	mark, null := r.c.Mark(), r.c.Kind() == 'n'
	err := r.rest(name)
	if *s = r.c.Since(mark); null {
		*s = ingest.Span{}
	}
	return err
}

// readType keeps the type that says most: a constructor's says nothing.
func (r *reader) readType() error {
	kind, err := r.c.String()
	if r.kind == "" || RoleOf(kind) != None {
		r.kind = kind
	}
	return err
}

// readID reads an id, or the path of a class, whose last element names it.
func (r *reader) readID() (err error) {
	if r.c.Kind() != '[' {
		r.id, err = r.c.ID()
		return err
	}
	return r.c.Array(func() error {
		r.class, err = r.c.String()
		return err
	})
}

// additional reads what a provider alone has. Its calls repeat those of the
// message in the provider's shape.
func (r *reader) additional(name []byte) (err error) {
	switch string(name) {
	case "tool_calls":
		err = r.c.Array(func() error { return r.readCall(&r.spare) })
	case "function_call":
		err = r.readCall(&r.spare)
	case "reasoning_content":
		r.reasoning, err = r.c.Span()
	case "refusal":
		r.refusal, err = r.c.Span()
	default:
		err = r.c.Skip()
	}
	return err
}

func (r *reader) response(name []byte) (err error) {
	switch string(name) {
	case "model", "model_name":
		r.model, err = r.c.String()
	case "finish_reason", "stop_reason":
		r.stop, err = r.c.String()
	case "usage", "token_usage":
		r.llm, err = ReadUsage(r.c)
	default:
		err = r.c.Skip()
	}
	return err
}
