package dialect

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrRequest is wrapped by the errors of a request that cannot be read.
var ErrRequest = errors.New("malformed model request")

// Name is a dialect.
type Name string

// The dialects.
const (
	Chat      Name = "chat"
	Responses Name = "responses"
	Messages  Name = "messages"
	Gemini    Name = "gemini"
)

// Request is what a harness asks of the model.
type Request struct {
	Dialect Name
	Model   string
	Stream  bool
	Tools   []Offer
	Texts   []string // of system and messages, in order
	Calls   []Call   // of earlier answers, in order
	Results []Result // of those calls, in order
	Session string   // as the harness names it in a header; "" where it does not
}

// Offer is a tool that the model may call. Namespace is what the dialect keeps
// beside the name; a call must carry both.
type Offer struct{ Name, Namespace string }

// Call is a tool call of the model.
type Call struct {
	ID, Name, Namespace string
	Args                jsontext.Value // a JSON object
}

// Result is what came back of a call.
type Result struct {
	CallID string
	Tool   string // where the dialect or an earlier call tells
	Text   string
	Error  bool // where the dialect has a flag for it
}

// Route tells the dialect of a request by its method and path.
func Route(r *http.Request) (Name, bool) {
	if r.Method != http.MethodPost {
		return "", false
	}
	switch p := strings.TrimRight(r.URL.Path, "/"); {
	case strings.HasSuffix(p, "/chat/completions"):
		return Chat, true
	case strings.HasSuffix(p, "/responses"):
		return Responses, true
	case strings.HasSuffix(p, "/messages"):
		return Messages, true
	case strings.HasSuffix(p, ":generateContent"), strings.HasSuffix(p, ":streamGenerateContent"):
		return Gemini, true
	}
	return "", false
}

// sessionHeaders are those in which harnesses name their session.
var sessionHeaders = []string{"session-id", "session_id", "x-session-id", "x-claude-code-session-id", "x-session-affinity"}

func sessionOf(r *http.Request) string {
	for _, h := range sessionHeaders {
		if v := r.Header.Get(h); v != "" {
			return v
		}
	}
	return ""
}

// nameResults tells the tool of results by the calls that they answer.
func (q *Request) nameResults() {
	names := map[string]string{}
	for _, c := range q.Calls {
		names[c.ID] = c.Name
	}
	for i := range q.Results {
		if r := &q.Results[i]; r.Tool == "" {
			r.Tool = names[r.CallID]
		}
	}
}
