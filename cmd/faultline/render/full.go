package render

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
)

// argsLine is a call's arguments in short: the one text where there is only
// one, such as a shell command, else the JSON.
func argsLine(args string) string {
	var members map[string]jsontext.Value
	err := json.Unmarshal([]byte(args), &members, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return args
	}
	for _, name := range []string{"command", "cmd", "file_path", "path", "url", "query", "pattern"} {
		if v, ok := members[name]; ok && (len(members) == 1 || name == "command" || name == "cmd") {
			return ingest.TextOf(v)
		}
	}
	return args
}

// full writes all of an event of r: where it stands, its text, arguments and
// payload. Line breaks of the text are kept; the rest of what could steer a
// terminal is not.
func (w *timelineWriter) full(r *ingest.Run, e *ingest.Event) {
	ref := r.Ref(e)
	w.line("         at %s:%d, offset %d, %d bytes", w.safe(ref.File), ref.Line, ref.Offset, ref.Length)
	for _, row := range [][2]string{
		{"id", e.ID}, {"parent", e.Parent}, {"call", e.Call}, {"message", e.Message}, {"task", e.Task}, {"model", e.Model},
	} {
		if row[1] != "" {
			w.line("         %s %s", pad(row[0], 8), w.safe(row[1]))
		}
	}
	if u := e.Usage; u != nil {
		w.line("         usage    %s", usageLine(u))
	}
	w.part("arguments", pretty(r.Args(e)))
	w.part("text", r.Text(e))
	w.part("detail", pretty(r.Detail(e)))
}

func usageLine(u *ingest.Usage) string {
	return fmt.Sprintf("input %d, cache read %d, cache write %d, output %d, reasoning %d",
		u.InputUncached, u.CacheRead, u.CacheWrite5m+u.CacheWrite1h, u.Output, u.Reasoning)
}

// part writes one text under its name.
func (w *timelineWriter) part(name, text string) {
	if text == "" {
		return
	}
	w.line("         %s", name)
	for l := range strings.SplitSeq(w.mask.Mask(strings.TrimRight(text, "\n")), "\n") {
		w.line("           %s", Clean(strings.TrimSuffix(l, "\r")))
	}
}

// pretty indents a JSON value; what is no JSON stays as it is.
func pretty(v jsontext.Value) string {
	v = v.Clone()
	if err := v.Indent(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  ")); err != nil {
		return string(v)
	}
	return string(v)
}
