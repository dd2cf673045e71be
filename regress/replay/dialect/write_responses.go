package dialect

import (
	"strconv"

	"github.com/faultline-dev/faultline/regress/script"
)

// responses is an answer of Responses: the least of events that its clients
// read.
func responses(q *Request, a Reply) (t transcript) {
	r := responder{t: &t, model: q.Model, reply: a}
	t.add("response.created", members{"type": "response.created", "response": r.response("in_progress", []any{})})
	var output []any
	if a.Say != "" || a.Stop == script.Refusal || len(a.Calls) == 0 {
		output = append(output, r.message())
	}
	for i, c := range a.Calls {
		output = append(output, r.call(i, len(output), c))
	}
	status := "completed"
	if a.Stop == script.Filter || a.Stop == script.MaxTokens {
		status = "incomplete"
	}
	t.body = r.response(status, output)
	t.add("response."+status, members{"type": "response." + status, "response": t.body})
	for i, e := range t.events {
		e.data.(members)["sequence_number"] = i
	}
	return t
}

type responder struct {
	t     *transcript
	model string
	reply Reply
}

func (r responder) response(status string, output []any) members {
	in, out := r.reply.TokensIn, r.reply.TokensOut
	m := members{
		"id": r.reply.ID, "object": "response", "created_at": 0, "model": r.model, "status": status, "output": output, "error": nil,
		"usage": members{
			"input_tokens": in, "input_tokens_details": members{"cached_tokens": 0},
			"output_tokens": out, "output_tokens_details": members{"reasoning_tokens": 0}, "total_tokens": in + out,
		},
	}
	if status == "incomplete" {
		reason := "content_filter"
		if r.reply.Stop == script.MaxTokens {
			reason = "max_output_tokens"
		}
		m["incomplete_details"] = members{"reason": reason}
	}
	return m
}

func (r responder) item(kind string, i int, data members) {
	data["type"], data["output_index"] = kind, i
	r.t.add(kind, data)
}

// message is the item of a text or of a refusal.
func (r responder) message() members {
	a, id := r.reply, "msg_"+r.reply.ID
	content := members{"type": "output_text", "text": a.Say, "annotations": []any{}}
	if a.Stop == script.Refusal {
		content = members{"type": "refusal", "refusal": refusal(a)}
	}
	item := func(status string, content ...any) members {
		return members{"type": "message", "id": id, "role": "assistant", "status": status, "content": append([]any{}, content...)}
	}
	r.item("response.output_item.added", 0, members{"item": item("in_progress")})
	if a.Stop != script.Refusal {
		empty := members{"type": "output_text", "text": "", "annotations": []any{}}
		r.item("response.content_part.added", 0, members{"item_id": id, "content_index": 0, "part": empty})
		first, second := halves([]byte(a.Say))
		r.item("response.output_text.delta", 0, members{"item_id": id, "content_index": 0, "delta": first})
		r.t.inside = len(r.t.events)
		r.item("response.output_text.delta", 0, members{"item_id": id, "content_index": 0, "delta": second})
		r.item("response.output_text.done", 0, members{"item_id": id, "content_index": 0, "text": a.Say})
		r.item("response.content_part.done", 0, members{"item_id": id, "content_index": 0, "part": content})
	}
	r.item("response.output_item.done", 0, members{"item": item("completed", content)})
	r.t.after = len(r.t.events)
	return item("completed", content)
}

// call is the item of a tool call.
func (r responder) call(n, at int, c Call) members {
	id := "fc_" + r.reply.ID + "_" + strconv.Itoa(n)
	item := func(status, args string) members {
		m := members{"type": "function_call", "id": id, "call_id": c.ID, "name": c.Name, "arguments": args, "status": status}
		if c.Namespace != "" {
			m["namespace"] = c.Namespace
		}
		return m
	}
	first, second := halves(c.Args)
	r.item("response.output_item.added", at, members{"item": item("in_progress", "")})
	r.item("response.function_call_arguments.delta", at, members{"item_id": id, "delta": first})
	r.t.firstInside(n)
	r.item("response.function_call_arguments.delta", at, members{"item_id": id, "delta": second})
	r.item("response.function_call_arguments.done", at, members{"item_id": id, "arguments": string(c.Args)})
	r.item("response.output_item.done", at, members{"item": item("completed", string(c.Args))})
	r.t.firstAfter(n)
	return item("completed", string(c.Args))
}
