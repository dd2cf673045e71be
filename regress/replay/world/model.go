package world

import (
	"errors"
	"net/http"
	"time"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
)

// model answers a request to the model.
func (w *World) model(rw http.ResponseWriter, r *http.Request) {
	name, ok := dialect.Route(r)
	if !ok {
		w.beside(rw, r)
		return
	}
	body, release, err := w.body(r)
	defer release()
	if err != nil && !errors.Is(err, errTooBig) && !errors.Is(err, errTooAll) {
		panic(http.ErrAbortHandler) // half a request: nobody waits for an answer
	}
	http.NewResponseController(rw).SetReadDeadline(time.Time{})
	var q *dialect.Request
	if err == nil {
		q, err = dialect.Read(name, r, body)
	}
	m := w.message(q, err, connOf(r.Context()))
	if m.kill {
		w.kill()
	}
	switch {
	case m.hangUp:
		panic(http.ErrAbortHandler)
	case m.refused != "":
		dialect.Refuse(rw, name, http.StatusBadRequest, "replay: "+m.refused)
		return
	}
	// A client that is gone, and a cut that was wanted, are no failures.
	err = dialect.Write(rw, q, m.reply, m.cut)
	if m.killAfter {
		w.kill()
	}
	if err != nil && !errors.Is(err, dialect.ErrCut) {
		panic(http.ErrAbortHandler)
	}
}

// beside answers what is no request of the conversation.
func (w *World) beside(rw http.ResponseWriter, r *http.Request) {
	_, release, err := w.body(r)
	defer release()
	w.mu.Lock()
	gone := w.gone(0)
	what := r.Method + " " + clip(r.URL.Path)
	if !gone {
		if w.requests++; w.requests > w.options.MaxRequests {
			w.capped("requests to the model", w.options.MaxRequests)
		}
	}
	w.mu.Unlock()
	if gone || err != nil {
		panic(http.ErrAbortHandler)
	}
	known := dialect.Side(rw, r)
	w.mu.Lock()
	defer w.mu.Unlock()
	if known {
		w.note(Entry{Kind: Side, Outcome: "ok", Text: what})
		return
	}
	w.note(Entry{Kind: Side, Outcome: "fail", Text: what})
	if r.Method == http.MethodPost {
		w.fail(Unanswerable, "request to the model: "+what,
			"path: it is none of /chat/completions, /responses, /messages, :generateContent, :streamGenerateContent")
	}
	http.Error(rw, "replay: the model has no "+what, http.StatusNotFound)
}
