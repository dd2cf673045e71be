package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

// ErrRefused is wrapped by errors of decisions that a case does not bear.
var ErrRefused = errors.New("refused")

// Decision is what a person says of a case. By and Why are needed.
type Decision struct {
	By, Why string
	Fixed   []byte // approval: the trace with the failure mended, as event/v1; nil leaves what is there
	FixedIn string // version of the harness since which the failure is not to come back
	FixedOn string // day since which it is not, 2026-03-31
}

func (d Decision) check() error {
	switch {
	case strings.TrimSpace(d.By) == "":
		return fmt.Errorf("%w: nobody is named", ErrRefused)
	case strings.TrimSpace(d.Why) == "":
		return fmt.Errorf("%w: nothing is said of why", ErrRefused)
	}
	return nil
}

// Approve makes a case a gate. The case must show its finding, each of its
// expectations must be broken on its own trace and, where it has a mended one,
// held on that. Else the error wraps ErrRefused and says what is not so.
func Approve(ctx context.Context, c *regress.Case, rules []classify.Rule, d Decision) (*regress.Case, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	out := *c
	out.Status, out.Reviewer, out.Note, out.RetiredBy, out.Why = regress.Approved, d.By, d.Why, "", ""
	if d.Fixed != nil {
		out.Fixed = d.Fixed
	}
	setFixed(&out, d)
	if len(out.Expect) == 0 {
		return nil, fmt.Errorf("%w: it expects nothing of other runs", ErrRefused)
	}
	if err := out.Verify(ctx, rules); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := must(ctx, &out, rules, false, expect.Broken); err != nil {
		return nil, err
	}
	if len(out.Fixed) > 0 {
		if err := must(ctx, &out, rules, true, expect.Held); err != nil {
			return nil, err
		}
	}
	return reread(&out)
}

// must refuses a case one of whose expectations has another grade.
func must(ctx context.Context, c *regress.Case, rules []classify.Rule, fixed bool, want expect.Grade) error {
	results, err := Grade(ctx, c, rules, fixed)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	where := "the case's own trace"
	if fixed {
		where = "the mended trace"
	}
	for i, r := range results {
		if r.Grade != want {
			return fmt.Errorf("%w: expectation %d (%s) is not %s on %s but %s: %s", ErrRefused, i+1, r.Expect.Invariant, want, where, r.Grade, r.Why)
		}
	}
	return nil
}

// Retire takes a case out of the gates.
func Retire(c *regress.Case, d Decision) (*regress.Case, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if c.Status == regress.Rejected {
		return nil, fmt.Errorf("%w: it was rejected and gates nothing", ErrRefused)
	}
	out := *c
	out.Status, out.RetiredBy, out.Why = regress.Retired, d.By, d.Why
	setFixed(&out, d)
	return reread(&out)
}

// Reject makes a case say that its finding is none: its rule ought to be silent
// here.
func Reject(c *regress.Case, d Decision) (*regress.Case, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	out := *c
	out.Status, out.Reviewer, out.Note = regress.Rejected, d.By, d.Why
	out.Expect = []expect.Expect{{Invariant: expect.RuleSilent, Rule: c.Rule, Fingerprint: c.Fingerprint}}
	return reread(&out)
}

func setFixed(c *regress.Case, d Decision) {
	if d.FixedIn != "" {
		c.FixedIn = d.FixedIn
	}
	if d.FixedOn != "" {
		c.FixedOn = d.FixedOn
	}
}

// reread is the case as it will be read from its file.
func reread(c *regress.Case) (*regress.Case, error) {
	data := c.Bytes()
	back, err := regress.ParseCase(c.Name(), data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !bytes.Equal(back.Bytes(), data) {
		return nil, fmt.Errorf("%w: the mended trace does not survive being written", ErrRefused)
	}
	return back, nil
}
