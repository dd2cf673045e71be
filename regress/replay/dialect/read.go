package dialect

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient reads what harnesses send: unknown members, and texts that are no
// valid UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Read reads the body of a request in a dialect.
func Read(name Name, r *http.Request, body []byte) (*Request, error) {
	q := &Request{Dialect: name, Session: sessionOf(r)}
	var err error
	switch name {
	case Chat:
		err = q.readChat(body)
	case Responses:
		err = q.readResponses(body)
	case Messages:
		err = q.readMessages(body)
	case Gemini:
		err = q.readGemini(r, body)
	default:
		err = fmt.Errorf("no dialect %q", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrRequest, name, err)
	}
	q.nameResults()
	return q, nil
}

// part is a piece of content in any dialect.
type part struct {
	Type      string         `json:"type"`
	Text      string         `json:"text"`
	Thinking  string         `json:"thinking"`
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Input     jsontext.Value `json:"input"`
	ToolUseID string         `json:"tool_use_id"`
	Content   jsontext.Value `json:"content"`
	IsError   bool           `json:"is_error"`
}

// parts reads content that is a string or a list of pieces.
func parts(v jsontext.Value) ([]part, error) {
	switch v.Kind() {
	case '"':
		var s string
		if err := json.Unmarshal(v, &s, lenient); err != nil {
			return nil, err
		}
		return []part{{Type: "text", Text: s}}, nil
	case '[':
		var out []part
		err := json.Unmarshal(v, &out, lenient)
		return out, err
	}
	return nil, nil
}

// plain is the text of content; what is no text stays as JSON.
func plain(v jsontext.Value) string {
	ps, err := parts(v)
	if err != nil || ps == nil {
		if v.Kind() == 'n' {
			return ""
		}
		return string(v)
	}
	text := ""
	for i, p := range ps {
		if i > 0 {
			text += "\n"
		}
		text += p.Text
	}
	return text
}

func (q *Request) say(texts ...string) {
	for _, t := range texts {
		if t != "" {
			q.Texts = append(q.Texts, t)
		}
	}
}

// object is the JSON that a string holds; arguments travel so in two dialects.
func object(s string) jsontext.Value {
	if v := jsontext.Value(s); v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	return jsontext.Value("{}")
}
