package dialect

import "github.com/faultline-dev/faultline/regress/script"

// chat is an answer of Chat Completions.
func chat(q *Request, a Reply) (t transcript) {
	finish := "stop"
	switch {
	case a.Stop == script.MaxTokens:
		finish = "length"
	case a.Stop != "":
		finish = "content_filter"
	case len(a.Calls) > 0:
		finish = "tool_calls"
	}
	message := members{"role": "assistant", "content": a.Say}
	if a.Stop == script.Refusal {
		message["refusal"] = refusal(a)
	}
	var calls []any
	for i, c := range a.Calls {
		calls = append(calls, chatCall(i, c, string(c.Args)))
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	usage := members{"prompt_tokens": a.TokensIn, "completion_tokens": a.TokensOut, "total_tokens": a.TokensIn + a.TokensOut}
	t.body = members{
		"id": a.ID, "object": "chat.completion", "created": 0, "model": q.Model, "usage": usage,
		"choices": []any{members{"index": 0, "message": message, "finish_reason": finish}},
	}
	chunk := func(delta members, finish any) members {
		return members{
			"id": a.ID, "object": "chat.completion.chunk", "created": 0, "model": q.Model,
			"choices": []any{members{"index": 0, "delta": delta, "finish_reason": finish}},
		}
	}
	t.add("", chunk(members{"role": "assistant", "content": ""}, nil))
	if a.Say != "" {
		first, second := halves([]byte(a.Say))
		t.add("", chunk(members{"content": first}, nil))
		t.inside = len(t.events)
		t.add("", chunk(members{"content": second}, nil))
		t.after = len(t.events)
	}
	if a.Stop == script.Refusal {
		t.add("", chunk(members{"refusal": refusal(a)}, nil))
	}
	for i, c := range a.Calls {
		first, second := halves(c.Args)
		t.add("", chunk(members{"tool_calls": []any{chatCall(i, c, first)}}, nil))
		t.firstInside(i)
		t.add("", chunk(members{"tool_calls": []any{members{"index": i, "function": members{"arguments": second}}}}, nil))
		t.firstAfter(i)
	}
	t.add("", chunk(members{}, finish))
	t.add("", members{
		"id": a.ID, "object": "chat.completion.chunk", "created": 0, "model": q.Model, "choices": []any{}, "usage": usage,
	})
	t.done = "[DONE]"
	return t
}

func chatCall(i int, c Call, args string) members {
	return members{"index": i, "id": c.ID, "type": "function", "function": members{"name": c.Name, "arguments": args}}
}

// firstInside and firstAfter mark the cuts at the first call.
func (t *transcript) firstInside(i int) {
	if i == 0 {
		t.inside = len(t.events)
	}
}

func (t *transcript) firstAfter(i int) {
	if i == 0 {
		t.after = len(t.events)
	}
}

// refusal is the text of a refusal.
func refusal(a Reply) string {
	if a.Say != "" {
		return a.Say
	}
	return "I cannot help with that."
}
