package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sessionHeader names a session of streamable HTTP.
const sessionHeader = "Mcp-Session-Id"

// ServeHTTP serves streamable HTTP: POST with one message, DELETE to end a
// session. There is nothing to push, so that GET is refused, as the protocol
// allows.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		var tooLarge *http.MaxBytesError
		status := http.StatusBadRequest
		if errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return
	}
	m, bad := parse(body)
	if bad != nil {
		writeJSON(w, http.StatusBadRequest, message{Version: "2.0", ID: jsontext.Value("null"), Error: bad})
		return
	}
	if !m.asks() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "initialize" {
		w.Header().Set(sessionHeader, s.session())
	}
	out := s.handle(r.Context(), m)
	s.answer(w, r, out)
}

func (s *Server) session() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions++
	return fmt.Sprintf("%s-%d", s.Name, s.sessions)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, out outcome) {
	a := out.answer
	switch {
	case a.Close:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
			return
		}
		panic(http.ErrAbortHandler) // the server's own way to the same end
	case a.Lost:
		<-r.Context().Done()
		return
	case !wait(r.Context(), a.Delay):
		return
	}
	if a.Twice || !strings.Contains(r.Header.Get("Accept"), "application/json") && strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		writeEvents(w, out)
	} else {
		writeJSON(w, http.StatusOK, out.reply)
	}
	if a.After != nil {
		_ = http.NewResponseController(w).Flush()
		a.After()
	}
}

func writeJSON(w http.ResponseWriter, status int, m message) {
	data, err := encode(m)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) // a client that is gone needs no answer
}

// writeEvents sends the reply as an event, or as two.
func writeEvents(w http.ResponseWriter, out outcome) {
	data, err := encode(out.reply)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	times := 1
	if out.answer.Twice {
		times = 2
	}
	for range times {
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", data)
	}
}
