package script

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// memberError is a member that is wrong, by its place.
type memberError struct {
	pointer jsontext.Pointer
	why     string
}

func (e *memberError) Error() string { return member(e.pointer) + ": " + e.why }

// Validate reports the first member that is missing or makes no sense. The
// error wraps ErrScript.
func (s *Script) Validate() error {
	c := &checker{s: s}
	c.script()
	if c.err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrScript, c.err)
}

// checker keeps the first error.
type checker struct {
	s   *Script
	err *memberError
}

// fail notes what is wrong at a place: names and indexes, from the top.
func (c *checker) fail(why string, at ...any) {
	if c.err != nil {
		return
	}
	p := jsontext.Pointer("")
	for _, token := range at {
		p = p.AppendToken(fmt.Sprint(token))
	}
	c.err = &memberError{p, why}
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$`)

func (c *checker) script() {
	s := c.s
	if s.Version != 1 {
		c.fail(fmt.Sprintf("%d is not known (known: 1)", s.Version), "version")
	}
	if strings.TrimSpace(s.Prompt) == "" {
		c.fail("is missing", "prompt")
	}
	if len(s.Turns) == 0 {
		c.fail("a script needs one", "turns")
	}
	c.limit(len(s.Turns), "turns")
	c.limit(len(s.Tools), "tools")
	c.limit(len(s.Files), "files")
	c.limit(len(s.Expect), "expect")
	if c.err != nil {
		return
	}
	c.files()
	c.tools()
	c.turns()
	c.fault()
	for i := range s.Expect {
		if err := s.Expect[i].Validate(); err != nil {
			c.fail(err.Error(), "expect", i)
		}
	}
}

func (c *checker) limit(n int, name string) {
	if n > maxItems {
		c.fail(fmt.Sprintf("%d items, at most %d are read", n, maxItems), name)
	}
}

// files keeps every path inside the workspace, out of git's own folder, and no
// file where another needs a folder.
func (c *checker) files() {
	names := make([]string, 0, len(c.s.Files))
	for name := range c.s.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	seen := map[string]bool{}
	for _, name := range names {
		if why := badPath(name); why != "" {
			c.fail(why, "files", name)
		}
		seen[name] = true
	}
	for _, name := range names {
		for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if seen[dir] {
				c.fail(fmt.Sprintf("lies below %.60q, which is a file", dir), "files", name)
			}
		}
	}
}

func badPath(name string) string {
	switch {
	case name == "" || len(name) > 1024:
		return "is no path"
	case strings.ContainsAny(name, "\\:\x00\n\r"):
		return "holds a character that a path of a script may not have"
	case path.IsAbs(name) || name != path.Clean(name) || name == "." || name == ".." || strings.HasPrefix(name, "../"):
		return "is not a clean relative path inside the workspace"
	}
	for part := range strings.SplitSeq(name, "/") {
		if p := strings.ToLower(strings.TrimRight(part, ". ")); p == ".git" || p == "" {
			return "lies in a folder that a script may not write"
		}
	}
	return ""
}

func (c *checker) turns() {
	seen := map[string]bool{}
	for i := range c.s.Turns {
		t := &c.s.Turns[i]
		switch {
		case !nameForm.MatchString(t.ID):
			c.fail(fmt.Sprintf("%.60q is no name", t.ID), "turns", i, "id")
		case seen[t.ID]:
			c.fail(fmt.Sprintf("%q stands here twice", t.ID), "turns", i, "id")
		case t.Say == "" && len(t.Calls) == 0 && t.Stop == "":
			c.fail("says nothing: it needs say, calls or stop", "turns", i)
		case len(t.Calls) > maxCalls:
			c.fail(fmt.Sprintf("%d calls, at most %d are read", len(t.Calls), maxCalls), "turns", i, "calls")
		case t.Stop != "" && len(t.Calls) > 0:
			c.fail("a turn that is stopped makes no calls", "turns", i, "stop")
		case slices.Contains(t.Unless, ""):
			c.fail("an empty text is in every request", "turns", i, "unless")
		}
		seen[t.ID] = true
		c.need(t.Need, "turns", i, "need")
		if !slices.Contains([]Stop{"", Refusal, Filter, MaxTokens}, t.Stop) {
			c.fail(fmt.Sprintf("%.60q is not known (known: refusal, content_filter, max_tokens)", string(t.Stop)), "turns", i, "stop")
		}
		for j, call := range t.Calls {
			if _, err := c.s.Find(call.Tool); err != nil {
				c.fail(err.Error(), "turns", i, "calls", j, "tool")
			}
			if len(call.Args) > 0 && !isObject(call.Args) {
				c.fail("is no object", "turns", i, "calls", j, "args")
			}
		}
	}
}

func (c *checker) need(n Need, at ...any) {
	if !slices.Contains([]Need{"", Must, May, Never}, n) {
		c.fail(fmt.Sprintf("%.60q is not known (known: must, may, never)", string(n)), at...)
	}
}

func isObject(v jsontext.Value) bool { return v.IsValid() && v.Kind() == '{' }
