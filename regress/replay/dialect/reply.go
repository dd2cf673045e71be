package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/regress/script"
)

// ErrCut is returned where an answer was cut off as asked.
var ErrCut = errors.New("the answer was cut off")

// Reply is what the model answers.
type Reply struct {
	ID                  string // of the answer; calls have their own
	Say                 string
	Calls               []Call
	Stop                script.Stop // "" is the usual end
	TokensIn, TokensOut int
}

// Cut says where an answer ends.
type Cut int

// The cuts. BeforeBody sends headers alone. InsideCall ends within the
// arguments of the first call (or the text, where there is none), AfterCall
// after the first call and before the end of the answer.
const (
	Whole Cut = iota
	BeforeBody
	InsideCall
	AfterCall
)

// Write answers a request as it asks. A cut ends the connection, without an end
// of the body, and gives ErrCut.
func Write(w http.ResponseWriter, q *Request, a Reply, cut Cut) error {
	var t transcript
	switch q.Dialect {
	case Chat:
		t = chat(q, a)
	case Responses:
		t = responses(q, a)
	case Messages:
		t = messages(q, a)
	case Gemini:
		t = gemini(q, a)
	default:
		return fmt.Errorf("%w: no dialect %q", ErrRequest, q.Dialect)
	}
	if q.Stream {
		return t.stream(w, cut)
	}
	return t.whole(w, cut)
}

// transcript is an answer in both forms.
type transcript struct {
	body    any // not streaming
	events  []event
	done    string // what ends a stream, or ""
	inside  int    // events sent before a cut inside the call
	half    bool   // the next event is sent by half
	after   int    // events sent before a cut after the call
	hasCall bool
}

// event is a server-sent event; a name of "" is not sent.
type event struct {
	name string
	data any
}

func (t *transcript) add(name string, data any) { t.events = append(t.events, event{name, data}) }

// members is an object; encode sorts its members, so that equal answers are
// equal bytes.
type members = map[string]any

func encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

func (t *transcript) stream(w http.ResponseWriter, cut Cut) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	flush(w)
	last := len(t.events)
	switch cut {
	case BeforeBody:
		last = 0
	case InsideCall:
		last = t.inside
	case AfterCall:
		last = t.after
	}
	for _, e := range t.events[:last] {
		frame, err := e.frame()
		if err != nil {
			return err
		}
		if _, err := w.Write(frame); err != nil {
			return fmt.Errorf("answer the model request: %w", err)
		}
		flush(w)
	}
	if cut == InsideCall && t.half && last < len(t.events) {
		if frame, err := t.events[last].frame(); err == nil {
			_, _ = w.Write(frame[:len(frame)/2])
			flush(w)
		}
	}
	if cut != Whole {
		return hangUp(w)
	}
	if t.done != "" {
		if _, err := w.Write([]byte("data: " + t.done + "\n\n")); err != nil {
			return fmt.Errorf("answer the model request: %w", err)
		}
	}
	return nil
}

func (e event) frame() ([]byte, error) {
	data, err := encode(e.data)
	if err != nil {
		return nil, fmt.Errorf("encode the model's answer: %w", err)
	}
	var b bytes.Buffer
	if e.name != "" {
		fmt.Fprintf(&b, "event: %s\n", e.name)
	}
	fmt.Fprintf(&b, "data: %s\n\n", data)
	return b.Bytes(), nil
}

func (t *transcript) whole(w http.ResponseWriter, cut Cut) error {
	data, err := encode(t.body)
	if err != nil {
		return fmt.Errorf("encode the model's answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(http.StatusOK)
	send := len(data)
	switch cut {
	case BeforeBody:
		send = 0
	case InsideCall:
		send = len(data) / 2
	case AfterCall:
		send = len(data) - 1
	}
	if _, err := w.Write(data[:send]); err != nil {
		return fmt.Errorf("answer the model request: %w", err)
	}
	if cut != Whole {
		flush(w)
		return hangUp(w)
	}
	return nil
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// hangUp ends the connection without an end of the body.
func hangUp(w http.ResponseWriter) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server's own way to the same end
	}
	_ = conn.Close()
	return ErrCut
}

// halves splits a text in two, somewhere between two characters: half of one
// cannot be sent.
func halves(v jsontext.Value) (string, string) {
	s, i := string(v), len(v)/2
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[:i], s[i:]
}
