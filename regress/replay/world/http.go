package world

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/regress/script"
)

// tool answers /mcp/SERVER and /http/SERVER/….
func (w *World) tool(rw http.ResponseWriter, r *http.Request) {
	body, release, err := w.body(r)
	defer release()
	switch {
	case err == errTooBig, err == errTooAll:
		http.Error(rw, "replay: "+err.Error(), http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		panic(http.ErrAbortHandler) // half a request
	}
	http.NewResponseController(rw).SetReadDeadline(time.Time{})
	if name, ok := strings.CutPrefix(r.URL.Path, "/mcp/"); ok {
		w.overHTTP(rw, r, strings.Trim(name, "/"), body)
		return
	}
	d, stages := w.route(r, body)
	if stages != nil {
		w.unanswerable(connOf(r.Context()), "request to a tool: "+r.Method+" "+clip(r.URL.Path), stages...)
		http.Error(rw, "replay: no tool answers: "+strings.Join(stages, "; "), http.StatusNotFound)
		return
	}
	d.conn = connOf(r.Context())
	w.answerHTTP(rw, r, w.dispatch(*d))
}

// answerHTTP sends a reply, late or not at all where the fault says so.
func (w *World) answerHTTP(rw http.ResponseWriter, r *http.Request, a answer) {
	wait := a.delay
	if a.lost && !a.dies {
		wait = w.silence()
	}
	if wait > 0 {
		w.wait(r, wait)
	}
	if a.lost || w.ctx.Err() != nil {
		panic(http.ErrAbortHandler)
	}
	text := []byte(a.say())
	kind := "text/plain; charset=utf-8"
	if jsontext.Value(text).IsValid() {
		kind = "application/json"
	}
	rw.Header().Set("Content-Type", kind)
	rw.Header().Set("Content-Length", strconv.Itoa(len(text)))
	rw.WriteHeader(a.status)
	rw.Write(text) // a client that is gone hears nothing
	if a.after {
		http.NewResponseController(rw).Flush() // the length is known: this is the last byte
		w.kill()
	}
}

// silence is how long a connection is held whose reply is lost.
func (w *World) silence() time.Duration {
	if w.options.Late > 0 {
		return 4 * w.options.Late
	}
	return 24 * time.Hour // until the client gives up
}

// wait lasts until the time is over or nobody waits any more.
func (w *World) wait(r *http.Request, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	case <-w.ctx.Done():
	}
}

// route finds the tool of a request and reads its arguments; stages say why each
// tool is not it.
func (w *World) route(r *http.Request, body []byte) (*delivery, []string) {
	stages := []string{}
	var best *delivery
	fixed := -1
	for i := range w.script.Tools {
		t := &w.script.Tools[i]
		if t.Via != script.HTTP {
			continue
		}
		a, n, why := segments(t, r)
		if why != "" {
			stages = append(stages, t.Name+": "+why)
		} else if n > fixed {
			best, fixed = &delivery{tool: t, args: a}, n
		}
	}
	if best == nil {
		return nil, append(stages, "tools: nothing else is reached by HTTP")
	}
	given(best.args, r, body)
	best.key = r.Header.Get("Idempotency-Key")
	if v := r.Header.Get(best.tool.Key); best.tool.Key != "" && v != "" {
		best.key = v
	}
	best.retry = retried(r.Header)
	return best, nil
}

// segments matches method and path; n is how many segments are not arguments.
func segments(t *script.Tool, r *http.Request) (a args, n int, why string) {
	if r.Method != t.Method {
		return nil, 0, fmt.Sprintf("the method is %s, not %s", t.Method, r.Method)
	}
	path := "/http/" + strings.Trim(t.Server, "/") + strings.TrimRight(t.Path, "/")
	want, have := strings.Split(path, "/"), strings.Split(strings.TrimRight(r.URL.EscapedPath(), "/"), "/")
	if len(want) != len(have) {
		return nil, 0, "the path is " + path
	}
	a = args{}
	for i, s := range want {
		got, err := url.PathUnescape(have[i])
		if m := placeholder.FindStringSubmatch(s); err == nil && m != nil && got != "" {
			a[m[1]] = got
		} else if err != nil || got != s {
			return nil, 0, "the path is " + path
		} else {
			n++
		}
	}
	return a, n, ""
}

// given adds the arguments of the query and the body; those of the path win.
func given(a args, r *http.Request, body []byte) {
	add := func(name string, v any) {
		if _, ok := a[name]; !ok {
			a[name] = v
		}
	}
	form := func(values url.Values) {
		for name, v := range values {
			if len(v) == 1 {
				add(name, v[0])
			} else {
				add(name, v)
			}
		}
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch v := jsontext.Value(body); {
	case kind == "application/x-www-form-urlencoded":
		if values, err := url.ParseQuery(string(body)); err == nil {
			form(values)
		}
	case v.Kind() == '{':
		for name, x := range object(v) {
			add(name, x)
		}
	case len(strings.TrimSpace(string(body))) > 0:
		var x any = string(body)
		decode(v, &x)
		add("body", x)
	}
	form(r.URL.Query())
}

// retried reports that a client says itself that it sends again.
func retried(h http.Header) bool {
	for _, name := range []string{"X-Stainless-Retry-Count", "Retry-Attempt", "X-Retry-Count"} {
		if n, err := strconv.Atoi(h.Get(name)); err == nil && n > 0 {
			return true
		}
	}
	_, rest, ok := strings.Cut(h.Get("Amz-Sdk-Request"), "attempt=")
	return ok && rest != "" && !strings.HasPrefix(rest, "1;") && rest != "1"
}
