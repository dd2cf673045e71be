package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// agent is a harness for the scripts of replay: it asks the model until it makes
// no more calls, and answers a call by posting its arguments to the tool. With
// the argument twice it posts them twice.
func agent() {
	type message struct {
		Role      string           `json:"role"`
		Content   string           `json:"content"`
		ToolCalls []map[string]any `json:"tool_calls,omitempty"`
		CallID    any              `json:"tool_call_id,omitempty"`
	}
	messages := []message{{Role: "user", Content: os.Getenv("FAULTLINE_PROMPT")}}
	post := func(url string, body []byte, into any) {
		res, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		defer res.Body.Close()
		json.NewDecoder(res.Body).Decode(into)
	}
	for {
		body, _ := json.Marshal(map[string]any{"model": "m", "messages": messages, "tools": []any{
			map[string]any{"type": "function", "function": map[string]any{"name": "create_order", "parameters": map[string]any{"type": "object"}}},
		}})
		var got struct{ Choices []struct{ Message message } }
		post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", body, &got)
		if len(got.Choices) == 0 || len(got.Choices[0].Message.ToolCalls) == 0 {
			return
		}
		m := got.Choices[0].Message
		messages = append(messages, m)
		for _, c := range m.ToolCalls {
			f, _ := c["function"].(map[string]any)
			text, _ := f["arguments"].(string)
			var reply any
			for range len(os.Args) {
				post(os.Getenv("FAULTLINE_TOOLS_URL")+"/http/shop/orders", []byte(text), &reply)
			}
			data, _ := json.Marshal(reply)
			messages = append(messages, message{Role: "tool", Content: string(data), CallID: c["id"]})
		}
	}
}
