package dialect

import (
	"net/http"
	"strings"
)

// Refuse answers with an error in the dialect's own form.
func Refuse(w http.ResponseWriter, name Name, status int, message string) {
	var body members
	switch name {
	case Messages:
		body = members{"type": "error", "error": members{"type": errorType(status), "message": message}}
	case Gemini:
		body = members{"error": members{"code": status, "message": message, "status": strings.ToUpper(errorType(status))}}
	default:
		body = members{"error": members{"message": message, "type": errorType(status), "param": nil, "code": nil}}
	}
	reply(w, status, body)
}

func errorType(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "rate_limit_error"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "permission_error"
	case status >= http.StatusInternalServerError:
		return "api_error"
	}
	return "invalid_request_error"
}

func reply(w http.ResponseWriter, status int, body any) {
	data, err := encode(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // a client that is gone needs no answer
}

// Side answers what harnesses ask beside the conversation: how many tokens a
// text has, and which models there are. It reports whether it did.
func Side(w http.ResponseWriter, r *http.Request) bool {
	p := strings.TrimRight(r.URL.Path, "/")
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(p, "/messages/count_tokens"):
		reply(w, http.StatusOK, members{"input_tokens": 1})
	case r.Method == http.MethodPost && strings.HasSuffix(p, ":countTokens"):
		reply(w, http.StatusOK, members{"totalTokens": 1})
	case r.Method == http.MethodGet && strings.HasSuffix(p, "/models"):
		reply(w, http.StatusOK, members{"object": "list", "data": []any{}, "models": []any{}, "has_more": false})
	default:
		return false
	}
	return true
}
