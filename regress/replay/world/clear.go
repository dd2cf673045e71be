package world

import (
	"strings"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// unclear are words of a result that is no answer: the harness gave up waiting,
// or the connection ended. They count at the beginning of a result only.
var unclear = []string{
	"timed out", "timeout", "time-out", "time out", "deadline exceeded", "request expired",
	"cancelled", "canceled", "aborted", "interrupted", "was killed",
	"connection reset", "connection refused", "connection closed", "connection lost", "not connected", "disconnected", "broken pipe",
	"unexpected eof", "socket hang up", "econnreset", "econnrefused", "etimedout", "fetch failed", "network error", "no response", "no answer",
	"outcome is unknown", "outcome unknown", "bad gateway", "gateway timeout", "service unavailable",
}

// beginning is how far into a result its words are read, in bytes.
const beginning = 400

// answers reports that a result is a clear answer: no error, not empty, and not
// in the words of a lost reply. What the world itself said of a resource is clear
// whatever its words.
func (w *World) answers(t *script.Tool, r dialect.Result) bool {
	said := strings.TrimSpace(r.Text)
	switch {
	case r.Error || said == "" || said == "null" || said == "{}" || said == "[]":
		return false
	case t.Effect != "" && w.store.knows(said):
		return true
	case len(t.Reply) > 0 && strings.Contains(said, fixed(t)):
		return true
	}
	said = strings.ToLower(said[:min(len(said), beginning)])
	for _, words := range unclear {
		if strings.Contains(said, words) {
			return false
		}
	}
	return true
}

// fixed is the text of a tool's fixed reply.
func fixed(t *script.Tool) string {
	if len(t.Reply) == 0 {
		return `{"ok":true}`
	}
	if t.Reply.Kind() == '"' {
		var s string
		if decode(t.Reply, &s) {
			return s
		}
	}
	return string(t.Reply)
}
