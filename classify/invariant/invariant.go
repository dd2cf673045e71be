package invariant

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
)

// Violation is one place where an invariant is broken.
type Violation struct {
	Episode int // index, from 0
	At      int // position of the event that breaks it
	Cite    []classify.Cite
	Message string
}

// Check finds where a run breaks an invariant.
func Check(inv *config.Invariant, v *classify.View) []Violation {
	c := checker{inv: inv, v: v}
	switch {
	case inv.Before != nil:
		c.before()
	case len(inv.Claims) > 0:
		c.claims()
	case inv.Never != nil:
		c.never()
	case inv.AtMost != nil:
		c.atMost()
	case inv.Call != nil:
		c.argument()
	case inv.Spans != "":
		c.spans()
	}
	return c.out
}

type checker struct {
	inv *config.Invariant
	v   *classify.View
	out []Violation
}

func (c *checker) report(e *classify.Episode, at int, cite []classify.Cite, format string, args ...any) {
	c.out = append(c.out, Violation{e.Index, at, cite, fmt.Sprintf("invariant %q: ", c.inv.Name) + fmt.Sprintf(format, args...)})
}

// own yields the calls of the run's judged episodes that match.
func (c *checker) own(p *config.Call, visit func(*classify.Episode, *classify.Action)) {
	for _, e := range c.v.Judged() {
		for _, a := range c.v.EpisodeActions(e) {
			if c.v.Owns(a) && matches(p, a) {
				visit(e, a)
			}
		}
	}
}

// before: a call of the thread that came back before, on the same arguments,
// licenses a later one. A later call of the same kind that fails takes the
// licence back.
func (c *checker) before() {
	licensed, next := map[string]bool{}, 0
	asked := *c.inv.Require
	asked.Outcome, asked.Result = "", nil
	c.own(c.inv.Before, func(e *classify.Episode, a *classify.Action) {
		for ; next < len(c.v.Actions) && c.v.Actions[next].Pos < a.Pos; next++ {
			b := c.v.Actions[next]
			if key, ok := values(c.inv.Same, b); ok && b.End < a.Pos && matches(&asked, b) {
				licensed[key] = matches(c.inv.Require, b)
			}
		}
		if key, ok := values(c.inv.Same, a); !ok || !licensed[key] {
			c.report(e, a.Pos, []classify.Cite{a.Cite(), a.CiteEnd()}, "%q ran without %s before it%s", a.Tool, describe(c.inv.Require), on(c.inv.Same))
		}
	})
}

func (c *checker) claims() {
	for _, e := range c.v.Judged() {
		if e.Closing.Event == nil {
			continue
		}
		said := strings.ToLower(e.Closing.Run.Text(e.Closing.Event))
		for _, word := range c.inv.Claims {
			if strings.Contains(said, strings.ToLower(word)) {
				c.claimed(e, word)
				break
			}
		}
	}
}

func (c *checker) claimed(e *classify.Episode, word string) {
	cite := []classify.Cite{e.Closing}
	asked := *c.inv.Require
	asked.Outcome, asked.Result = "", nil
	for _, a := range c.v.EpisodeActions(e) {
		if matches(c.inv.Require, a) {
			return
		}
		if matches(&asked, a) {
			cite = append(cite, a.CiteEnd())
		}
	}
	c.report(e, e.ClosePos, cite, "the closing text says %q without %s", word, describe(c.inv.Require))
}

func (c *checker) never() {
	c.own(c.inv.Never, func(e *classify.Episode, a *classify.Action) {
		c.report(e, a.Pos, []classify.Cite{a.Cite(), a.CiteEnd()}, "%q ran", a.Tool)
	})
}

// atMost reports the first call that is too many, once for each set of equal
// arguments in each scope.
func (c *checker) atMost() {
	type group struct {
		scope int
		key   string
	}
	n := map[group][]classify.Cite{}
	if c.inv.Per == "thread" {
		for _, a := range c.v.Actions {
			if key, ok := values(c.inv.Same, a); ok && a.Pos < c.v.Start() && matches(c.inv.Of, a) {
				n[group{0, key}] = append(n[group{0, key}], a.Cite())
			}
		}
	}
	c.own(c.inv.Of, func(e *classify.Episode, a *classify.Action) {
		key, ok := values(c.inv.Same, a)
		g := group{key: key}
		if c.inv.Per == "" || c.inv.Per == "episode" {
			g.scope = e.Index
		}
		if !ok {
			return
		}
		n[g] = append(n[g], a.Cite())
		if most := *c.inv.AtMost; len(n[g]) == most+1 {
			c.report(e, a.Pos, append([]classify.Cite{a.Cite()}, n[g][:min(most, 4)]...), "%s came more than %d times%s", describe(c.inv.Of), most, on(c.inv.Same))
		}
	})
}

func (c *checker) argument() {
	c.own(c.inv.Call, func(e *classify.Episode, a *classify.Action) {
		want := c.inv.Equals
		if c.inv.Stated != "" {
			if want = c.inv.StatedIn(e.Prompt); want == "" {
				return // the request states nothing
			}
		}
		got, ok := object(a.Args)[c.inv.Argument]
		if ok && text(got) == want {
			return
		}
		has := "none"
		if ok {
			has = classify.Clip(text(got), 60)
		}
		c.report(e, a.Pos, []classify.Cite{a.Cite(), e.PromptCite}, "%q of %q is %s, not %s", c.inv.Argument, a.Tool, has, classify.Clip(want, 60))
	})
}

// describe is a pattern in a few words.
func describe(c *config.Call) string {
	name := c.Tool
	if c.Command != "" {
		name = c.Command
	}
	if name == "" || name == "*" {
		name = "a call"
	} else {
		name = fmt.Sprintf("%q", name)
	}
	if c.Outcome != "" {
		name = "an " + c.Outcome + " " + name
	}
	return name
}

func on(same []string) string {
	switch {
	case len(same) == 0:
		return ""
	case same[0] == "*":
		return " with the same arguments"
	}
	return " with the same " + strings.Join(same, ", ")
}
