package dialect

import "github.com/faultline-dev/faultline/regress/script"

// gemini is an answer of Gemini. A call is one event: a cut inside it sends
// half of that.
func gemini(q *Request, a Reply) (t transcript) {
	finish := "STOP"
	switch {
	case a.Stop == script.MaxTokens:
		finish = "MAX_TOKENS"
	case a.Stop != "":
		finish = "SAFETY"
	}
	usage := members{"promptTokenCount": a.TokensIn, "candidatesTokenCount": a.TokensOut, "totalTokenCount": a.TokensIn + a.TokensOut}
	chunk := func(finish string, parts ...any) members {
		c := members{"index": 0, "content": members{"role": "model", "parts": append([]any{}, parts...)}}
		if finish != "" {
			c["finishReason"] = finish
		}
		return members{"candidates": []any{c}, "modelVersion": q.Model, "responseId": a.ID, "usageMetadata": usage}
	}
	var parts []any
	if a.Say != "" {
		first, second := halves([]byte(a.Say))
		t.add("", chunk("", members{"text": first}))
		t.inside = len(t.events)
		t.add("", chunk("", members{"text": second}))
		t.after = len(t.events)
		parts = append(parts, members{"text": a.Say})
	}
	for i, c := range a.Calls {
		call := members{"functionCall": members{"id": c.ID, "name": c.Name, "args": c.Args}}
		t.firstInside(i)
		t.add("", chunk("", call))
		t.firstAfter(i)
		t.half = true
		parts = append(parts, call)
	}
	t.add("", chunk(finish, members{"text": ""}))
	t.body = chunk(finish, parts...)
	return t
}
