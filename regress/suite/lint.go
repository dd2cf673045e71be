package suite

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/review"
)

// Kind names what is wrong.
type Kind string

// What may be wrong. The first three are errors: the suite does not do what it
// says. The others are for a person to look at.
const (
	Malformed  Kind = "malformed"        // no case, or two files have one id
	Silent     Kind = "not-reproduced"   // it does not show its finding any more
	Toothless  Kind = "toothless"        // approved, and an expectation is not broken on its own trace, or not held on the mended one
	Unreviewed Kind = "candidate"        // nobody has approved or retired it
	Shallow    Kind = "only-rule-silent" // approved, and expects nothing but that a rule is silent
	Idle       Kind = "passes-idle"      // approved, and a harness that does nothing passes it
	Twice      Kind = "same-fingerprint" // another case holds the same failure
	Unlinked   Kind = "no-component"     // approved, and guards no component
	Unheld     Kind = "component-without-case"
)

// Problem is one thing that is wrong.
type Problem struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"` // of the file, or of the component
	ID   string `json:"id,omitzero"`
	Text string `json:"text"`
}

// Error reports that the problem is an error.
func (p Problem) Error() bool {
	return p.Kind == Malformed || p.Kind == Silent || p.Kind == Toothless
}

// Lint judges every case on its own trace and looks at what it expects.
// Components are those that ought to have a case; nil asks for none. The
// problems are in order of file, those of components last. The error is for a
// context that ended.
func Lint(ctx context.Context, cases []check.Named, components []string, rules []classify.Rule) ([]Problem, error) {
	found := make([][]Problem, len(cases))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range cases {
		g.Go(func() error {
			found[i] = lint(ctx, c, rules)
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("lint suite: %w", err)
	}
	same := map[string]string{}
	for i, c := range cases {
		if c.Case == nil || c.Status == regress.Retired || c.Status == regress.Rejected {
			continue
		}
		if first, twice := same[c.Fingerprint]; twice {
			found[i] = append(found[i], Problem{Twice, c.Name, c.ID, "holds the same failure as " + first})
			continue
		}
		same[c.Fingerprint] = c.Name
	}
	return append(slices.Concat(found...), unheld(cases, components)...), nil
}

func lint(ctx context.Context, c check.Named, rules []classify.Rule) (out []Problem) {
	add := func(k Kind, text string, args ...any) {
		p := Problem{Kind: k, Name: c.Name, Text: fmt.Sprintf(text, args...)}
		if c.Case != nil {
			p.ID = c.ID
		}
		out = append(out, p)
	}
	if c.Case == nil {
		add(Malformed, "%v", c.Err)
		return out
	}
	switch c.Status {
	case regress.Retired, regress.Rejected:
		return out
	case regress.Candidate:
		add(Unreviewed, "nobody has approved or retired it")
		if err := c.Verify(ctx, rules); err != nil {
			add(Silent, "%v", err)
		}
		return out
	}
	shallow(c.Case, add)
	if err := c.Verify(ctx, rules); err != nil {
		add(Silent, "%v", err)
		return out
	}
	toothless(ctx, c.Case, rules, add)
	return out
}

// shallow tells what an approved case lacks to mean something.
func shallow(c *regress.Case, add func(Kind, string, ...any)) {
	only := !slices.ContainsFunc(c.Expect, func(e expect.Expect) bool { return e.Invariant != expect.RuleSilent })
	switch {
	case only:
		add(Shallow, "it expects nothing but that a rule is silent")
	case review.Idle(c):
		add(Idle, "a harness that does nothing passes it")
	}
	if len(c.Components) == 0 {
		add(Unlinked, "it guards no component of the harness")
	}
}

func toothless(ctx context.Context, c *regress.Case, rules []classify.Rule, add func(Kind, string, ...any)) {
	for _, fixed := range []bool{false, true}[:1+min(len(c.Fixed), 1)] {
		want, where := expect.Broken, "its own trace"
		if fixed {
			want, where = expect.Held, "the mended trace"
		}
		results, err := review.Grade(ctx, c, rules, fixed)
		if err != nil {
			add(Toothless, "%v", err)
		}
		for _, r := range results {
			if r.Grade != want {
				add(Toothless, "%s is not %s on %s but %s: %s", r.Expect.Invariant, want, where, r.Grade, r.Why)
			}
		}
	}
}

// unheld are the components that no approved case names.
func unheld(cases []check.Named, components []string) (out []Problem) {
	held := map[string]bool{}
	for _, c := range cases {
		if c.Case != nil && c.Status == regress.Approved {
			for _, name := range c.Components {
				held[name] = true
			}
		}
	}
	list := slices.Clone(components)
	slices.Sort(list)
	for _, name := range slices.Compact(list) {
		if !held[name] && strings.TrimSpace(name) != "" {
			out = append(out, Problem{Kind: Unheld, Name: name, Text: "no approved case guards it"})
		}
	}
	return out
}
