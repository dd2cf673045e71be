package handover

import (
	"strings"
	"unicode"

	"github.com/faultline-dev/faultline/classify"
)

// Kind sorts statements by what they speak of.
type Kind string

// The kinds of statements.
const (
	File    Kind = "file"    // it exists or was changed
	Branch  Kind = "branch"  // it exists
	Service Kind = "service" // it answers on a port; the target is the port
	Process Kind = "process" // it runs
	Check   Kind = "check"   // it has a result
)

// Statement is one thing that a hand-over says is there.
type Statement struct {
	Kind   Kind
	Target string
	State  string // in the record's words, "" in a text
	Cite   classify.Cite
	Grade  classify.Grade
	// Before is the call that first met the target, nil when none did.
	Before *classify.Action
}

// Statements are what the record and the texts say of things: all of the
// record's, and those of a text that the calls before it know.
func (h *Handover) Statements() []Statement {
	var out []Statement
	if h.Record != nil {
		out = h.recorded()
	}
	seen := map[string]bool{}
	for _, t := range h.Texts {
		for _, w := range words(t.Text) {
			for _, s := range h.spokenOf(w) {
				if key := string(s.Kind) + "\x00" + s.Target; !seen[key] {
					seen[key] = true
					s.Cite, s.Grade = t.Cite, t.Grade()
					out = append(out, s)
				}
			}
		}
	}
	return out
}

func (h *Handover) recorded() []Statement {
	r := h.Record.Handoff
	var out []Statement
	add := func(k Kind, target, state string, known map[string]place) {
		s := Statement{Kind: k, Target: target, State: state, Cite: h.Record.Cite, Grade: classify.Recorded}
		if p, ok := known[target]; ok && p.pos < h.Begin {
			s.Before = p.act
		}
		out = append(out, s)
	}
	if r.Branch != "" {
		add(Branch, r.Branch, "", h.known.branches)
	}
	for _, f := range r.ChangedFiles {
		add(File, f, "", h.known.changed)
	}
	if len(r.LastCommand.Argv) > 0 && r.LastCommand.ExitCode != nil {
		add(Check, strings.Join(r.LastCommand.Argv, " "), "", nil)
	}
	for _, c := range r.Claims {
		switch c.Kind {
		case "port", "service":
			target := c.Target
			if m := address.FindStringSubmatch(target); m != nil {
				target = m[1]
			}
			add(Service, target, c.State, h.known.ports)
		case "process":
			add(Process, c.Target, c.State, nil)
		case "file":
			add(File, c.Target, c.State, h.known.worked)
		case "branch":
			add(Branch, c.Target, c.State, h.known.branches)
		case "check":
			add(Check, c.Target, c.State, nil)
		}
	}
	return out
}

// spokenOf are the things that a word of a text names.
func (h *Handover) spokenOf(w string) []Statement {
	var out []Statement
	add := func(k Kind, known map[string]place, key string) {
		if p, ok := known[key]; ok && p.pos < h.Begin {
			out = append(out, Statement{Kind: k, Target: p.name, Before: p.act})
		}
	}
	switch {
	case strings.ContainsAny(w, "/."):
		add(File, h.known.changed, w)
		if len(out) == 0 && h.view.Run.Meta.Cwd != "" {
			add(File, h.known.changed, strings.TrimPrefix(w, h.view.Run.Meta.Cwd+"/"))
		}
		if len(out) == 0 {
			add(File, h.known.worked, strings.TrimRight(w, "/"))
		}
	case isNumber(w):
		add(Service, h.known.ports, w)
	}
	if m := address.FindStringSubmatch(w); m != nil {
		add(Service, h.known.ports, m[1])
	}
	if w != "main" && w != "master" { // as words they say nothing
		add(Branch, h.known.branches, w)
	}
	return out
}

func isNumber(w string) bool {
	return len(w) >= 2 && len(w) <= 5 && strings.Trim(w, "0123456789") == ""
}

// words cuts a text at white space and strips what a sentence puts around a
// name.
func words(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]<>{},;|=*→。，、；：「」（）", r)
	})
	for i, w := range out {
		out[i] = strings.TrimRight(strings.TrimLeft(w, ":"), ".:!?")
	}
	return out
}
