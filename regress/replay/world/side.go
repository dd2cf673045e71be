package world

import (
	"regexp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
)

// sides are the classes of requests beside the conversation, by their words, and
// what each is answered.
var sides = []struct {
	class  string
	words  *regexp.Regexp
	answer string
}{
	{"title", regexp.MustCompile(`(?i)\btitles?\b`), "Replay"},
	{"topic", regexp.MustCompile(`(?i)\b(new )?topic\b|isNewTopic`), `{"isNewTopic":false,"title":null}`},
	{"summary", regexp.MustCompile(`(?i)\b(summary|summari[sz]e|summari[sz]ation|compact(ion)?|handoff)\b`), ""},
	{"tokens", regexp.MustCompile(`(?i)\b(count|number of) (the )?tokens\b|\btoken count\b|^\s*(quota|count)\s*$`), "1"},
}

// side tells the class of a request that offers no tools and asks for a title, a
// topic, a summary or a count, and its answer: in what stands first or last, for
// between them stands the work, which may speak of anything. What the script says
// is not read.
func (w *World) side(q *dialect.Request) (class, answer string) {
	if len(q.Tools) > 0 || len(q.Texts) == 0 {
		return "", ""
	}
	ends := []string{q.Texts[0], q.Texts[len(q.Texts)-1]}
	for _, s := range sides {
		if slices.ContainsFunc(ends, func(t string) bool { return s.words.MatchString(w.others(t)) }) {
			if s.class == "summary" {
				return s.class, w.summary(q)
			}
			return s.class, s.answer
		}
	}
	return "", ""
}

// others is a text without what the script itself says.
func (w *World) others(t string) string {
	t = strings.ReplaceAll(t, w.script.Prompt, "")
	if w.script.Resume != "" {
		t = strings.ReplaceAll(t, w.script.Resume, "")
	}
	for i := range w.script.Turns {
		if s := w.script.Turns[i].Say; s != "" {
			t = strings.ReplaceAll(t, s, "")
		}
	}
	return t
}

// summary says what is done, in the words by which a later request is known to
// say so.
func (w *World) summary(q *dialect.Request) string {
	lines := []string{"Summary of the work so far."}
	for _, i := range w.next(q, w.shown(q)).done {
		t := &w.script.Turns[i]
		if len(t.Unless) > 0 {
			lines = append(lines, t.Unless[0])
		} else {
			lines = append(lines, "The step "+t.ID+" is done.")
		}
	}
	return strings.Join(lines, "\n")
}
