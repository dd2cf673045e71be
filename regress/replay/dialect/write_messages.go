package dialect

import "github.com/faultline-dev/faultline/regress/script"

// messages is an answer of Messages.
func messages(q *Request, a Reply) (t transcript) {
	stop := "end_turn"
	switch {
	case a.Stop == script.MaxTokens:
		stop = "max_tokens"
	case a.Stop != "":
		stop = "refusal"
	case len(a.Calls) > 0:
		stop = "tool_use"
	}
	message := func(content []any, stop any) members {
		return members{
			"id": a.ID, "type": "message", "role": "assistant", "model": q.Model, "content": content, "stop_reason": stop, "stop_sequence": nil,
			"usage": members{"input_tokens": a.TokensIn, "output_tokens": a.TokensOut, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
		}
	}
	content := []any{}
	t.add("message_start", members{"type": "message_start", "message": message([]any{}, nil)})
	block := func(start members, deltas ...members) {
		i := len(content)
		t.add("content_block_start", members{"type": "content_block_start", "index": i, "content_block": start})
		for n, d := range deltas {
			t.add("content_block_delta", members{"type": "content_block_delta", "index": i, "delta": d})
			if n == 0 && !t.hasCall {
				t.inside = len(t.events)
			}
		}
		t.add("content_block_stop", members{"type": "content_block_stop", "index": i})
		if !t.hasCall {
			t.after = len(t.events)
		}
	}
	if a.Say != "" {
		first, second := halves([]byte(a.Say))
		block(members{"type": "text", "text": ""}, members{"type": "text_delta", "text": first}, members{"type": "text_delta", "text": second})
		content = append(content, members{"type": "text", "text": a.Say})
	}
	for _, c := range a.Calls {
		first, second := halves(c.Args)
		block(members{"type": "tool_use", "id": c.ID, "name": c.Name, "input": members{}},
			members{"type": "input_json_delta", "partial_json": first}, members{"type": "input_json_delta", "partial_json": second})
		t.hasCall = true
		content = append(content, members{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Args})
	}
	t.add("message_delta", members{
		"type": "message_delta", "delta": members{"stop_reason": stop, "stop_sequence": nil}, "usage": members{"output_tokens": a.TokensOut},
	})
	t.add("message_stop", members{"type": "message_stop"})
	t.body = message(content, stop)
	return t
}
