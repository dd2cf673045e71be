package dialect

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func (q *Request) readChat(body []byte) error {
	var in struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role       string         `json:"role"`
			Content    jsontext.Value `json:"content"`
			ToolCallID string         `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in, lenient); err != nil {
		return err
	}
	q.Model, q.Stream = in.Model, in.Stream
	for _, t := range in.Tools {
		q.Tools = append(q.Tools, Offer{Name: t.Function.Name})
	}
	for _, m := range in.Messages {
		if m.Role == "tool" {
			q.Results = append(q.Results, Result{CallID: m.ToolCallID, Text: plain(m.Content)})
			continue
		}
		if len(m.Content) > 0 {
			q.say(plain(m.Content))
		}
		for _, c := range m.ToolCalls {
			q.Calls = append(q.Calls, Call{ID: c.ID, Name: c.Function.Name, Args: object(c.Function.Arguments)})
		}
	}
	return nil
}

// responsesItem is an item of input or of an earlier output.
type responsesItem struct {
	Type      string         `json:"type"`
	Role      string         `json:"role"`
	Content   jsontext.Value `json:"content"`
	CallID    string         `json:"call_id"`
	Name      string         `json:"name"`
	Namespace string         `json:"namespace"`
	Arguments string         `json:"arguments"`
	Input     string         `json:"input"`
	Output    jsontext.Value `json:"output"`
}

func (q *Request) readResponses(body []byte) error {
	var in struct {
		Model        string         `json:"model"`
		Stream       bool           `json:"stream"`
		Instructions string         `json:"instructions"`
		Input        jsontext.Value `json:"input"`
		Tools        []struct {
			Type  string `json:"type"`
			Name  string `json:"name"`
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in, lenient); err != nil {
		return err
	}
	q.Model, q.Stream = in.Model, in.Stream
	q.say(in.Instructions)
	for _, t := range in.Tools {
		if t.Type != "namespace" {
			q.Tools = append(q.Tools, Offer{Name: t.Name})
			continue
		}
		for _, inner := range t.Tools {
			q.Tools = append(q.Tools, Offer{Name: inner.Name, Namespace: t.Name})
		}
	}
	if in.Input.Kind() != '[' {
		q.say(plain(in.Input))
		return nil
	}
	var items []responsesItem
	if err := json.Unmarshal(in.Input, &items, lenient); err != nil {
		return err
	}
	for _, i := range items {
		q.readItem(i)
	}
	return nil
}

func (q *Request) readItem(i responsesItem) {
	switch i.Type {
	case "message", "":
		q.say(plain(i.Content))
	case "function_call":
		q.Calls = append(q.Calls, Call{ID: i.CallID, Name: i.Name, Namespace: i.Namespace, Args: object(i.Arguments)})
	case "custom_tool_call":
		q.Calls = append(q.Calls, Call{ID: i.CallID, Name: i.Name, Namespace: i.Namespace, Args: quoted("input", i.Input)})
	case "function_call_output", "custom_tool_call_output":
		q.Results = append(q.Results, Result{CallID: i.CallID, Text: plain(i.Output)})
	}
}

// quoted is an object with one string member.
func quoted(name, value string) jsontext.Value {
	v, err := json.Marshal(map[string]string{name: value}, lenient)
	if err != nil {
		return jsontext.Value("{}")
	}
	return v
}
