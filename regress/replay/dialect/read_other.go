package dialect

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func (q *Request) readMessages(body []byte) error {
	var in struct {
		Model    string         `json:"model"`
		Stream   bool           `json:"stream"`
		System   jsontext.Value `json:"system"`
		Messages []struct {
			Content jsontext.Value `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in, lenient); err != nil {
		return err
	}
	q.Model, q.Stream = in.Model, in.Stream
	for _, t := range in.Tools {
		q.Tools = append(q.Tools, Offer{Name: t.Name})
	}
	if len(in.System) > 0 {
		q.say(plain(in.System))
	}
	for _, m := range in.Messages {
		ps, err := parts(m.Content)
		if err != nil {
			return err
		}
		for _, p := range ps {
			switch p.Type {
			case "tool_use":
				q.Calls = append(q.Calls, Call{ID: p.ID, Name: p.Name, Args: p.Input})
			case "tool_result":
				q.Results = append(q.Results, Result{CallID: p.ToolUseID, Text: plain(p.Content), Error: p.IsError})
			default:
				q.say(p.Text)
			}
		}
	}
	return nil
}

// geminiPart is a part of a content.
type geminiPart struct {
	Text         string `json:"text"`
	FunctionCall *struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args jsontext.Value `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string                    `json:"id"`
		Name     string                    `json:"name"`
		Response map[string]jsontext.Value `json:"response"`
	} `json:"functionResponse"`
}

type geminiContent struct {
	Parts []geminiPart `json:"parts"`
}

func (q *Request) readGemini(r *http.Request, body []byte) error {
	var in struct {
		System   geminiContent   `json:"systemInstruction"`
		Contents []geminiContent `json:"contents"`
		Tools    []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in, lenient); err != nil {
		return err
	}
	model, verb, _ := strings.Cut(path.Base(r.URL.Path), ":")
	q.Model, q.Stream = model, verb == "streamGenerateContent"
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			q.Tools = append(q.Tools, Offer{Name: f.Name})
		}
	}
	for _, c := range append([]geminiContent{in.System}, in.Contents...) {
		for _, p := range c.Parts {
			q.readPart(p)
		}
	}
	return nil
}

// readPart reads a part. A call without an id gets one by its place, and so
// does a result: the n-th result of a name answers its n-th call.
func (q *Request) readPart(p geminiPart) {
	switch {
	case p.FunctionCall != nil:
		c := Call{ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Args: p.FunctionCall.Args}
		if c.ID == "" {
			c.ID = placeID(c.Name, countCalls(q.Calls, c.Name))
		}
		q.Calls = append(q.Calls, c)
	case p.FunctionResponse != nil:
		f := p.FunctionResponse
		res := Result{CallID: f.ID, Tool: f.Name}
		if res.CallID == "" {
			res.CallID = placeID(f.Name, countResults(q.Results, f.Name))
		}
		if v, failed := f.Response["error"]; failed {
			res.Text, res.Error = plain(v), true
		} else if v, ok := f.Response["output"]; ok {
			res.Text = plain(v)
		} else if v, err := json.Marshal(f.Response, lenient, json.Deterministic(true)); err == nil {
			res.Text = string(v)
		}
		q.Results = append(q.Results, res)
	default:
		q.say(p.Text)
	}
}

func placeID(name string, n int) string { return name + "#" + strconv.Itoa(n) }

func countCalls(list []Call, name string) (n int) {
	for _, c := range list {
		if c.Name == name {
			n++
		}
	}
	return n
}

func countResults(list []Result, name string) (n int) {
	for _, r := range list {
		if r.Tool == name {
			n++
		}
	}
	return n
}
