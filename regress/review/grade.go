package review

import (
	"context"
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
)

// Grade grades the expectations of a case on its own trace, or on the one that
// was mended by hand.
func Grade(ctx context.Context, c *regress.Case, rules []classify.Rule, fixed bool) ([]expect.Result, error) {
	seen, err := seenIn(ctx, c, rules, fixed)
	if err != nil {
		return nil, err
	}
	out := make([]expect.Result, 0, len(c.Expect))
	for _, e := range c.Expect {
		out = append(out, grade(e, seen))
	}
	return out, nil
}

// seenIn is what the runs of a case's trace show.
func seenIn(ctx context.Context, c *regress.Case, rules []classify.Rule, fixed bool) (seen []expect.Seen, err error) {
	err = visit(ctx, c, rules, fixed, func(v *classify.View, verdict *classify.Verdict) {
		seen = append(seen, check.SeenIn(v, verdict))
	})
	return seen, err
}

// visit judges the runs of a case's trace and visits them.
func visit(ctx context.Context, c *regress.Case, rules []classify.Rule, fixed bool, each func(*classify.View, *classify.Verdict)) error {
	in, err := input(c, rules, fixed)
	if err != nil {
		return err
	}
	res, err := classify.Run(ctx, in)
	if err != nil {
		return fmt.Errorf("grade case %s: %w", c.ID, err)
	}
	verdicts := map[string]*classify.Verdict{}
	for i := range res.Verdicts {
		verdicts[res.Verdicts[i].Run] = &res.Verdicts[i]
	}
	err = classify.Each(ctx, in, func(v *classify.View) error {
		if verdict := verdicts[v.Run.ID]; verdict != nil {
			each(v, verdict)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("grade case %s: %w", c.ID, err)
	}
	return nil
}

func input(c *regress.Case, rules []classify.Rule, fixed bool) (in classify.Input, err error) {
	if fixed {
		in, err = c.FixedInput(rules)
	} else {
		in, err = c.Input(rules)
	}
	if err != nil {
		return in, fmt.Errorf("grade case %s: %w", c.ID, err)
	}
	return in, nil
}

// grade is the expectation over all runs: broken in one, else held in one, else
// it cannot be told.
func grade(e expect.Expect, seen []expect.Seen) expect.Result {
	best := e.Grade(expect.Seen{})
	for _, s := range seen {
		switch r := e.Grade(s); {
		case r.Grade == expect.Broken:
			return r
		case best.Grade != expect.Held:
			best = r
		}
	}
	return best
}

// everyKind is what an observer sees to whom nothing is hidden.
var everyKind = []expect.ActKind{
	expect.Requested, expect.Called, expect.Effected, expect.Changed, expect.Checked, expect.Accepted, expect.Reviewed, expect.Refused,
	expect.Asked, expect.ProviderStop, expect.Crossed,
}

// Idle reports that every expectation of a case is held by a harness that does
// nothing at all: such a case proves little.
func Idle(c *regress.Case) bool {
	for _, e := range c.Expect {
		if e.Grade(expect.Seen{Kinds: everyKind, Judged: true}).Grade != expect.Held {
			return false
		}
	}
	return true
}
