package expect

import (
	"errors"
	"fmt"
)

// ErrExpect is wrapped by every error of a malformed expectation.
var ErrExpect = errors.New("malformed expectation")

// Validate reports which member an expectation lacks or has too much.
func (e *Expect) Validate() error {
	if err := e.lacks(); err != nil {
		return fmt.Errorf("%w: %s %w", ErrExpect, e.Invariant, err)
	}
	for _, c := range []*Call{e.Call, e.Require} {
		if c != nil && c.Tool == "" && c.Command == "" {
			return fmt.Errorf("%w: %s: a call needs tool or command", ErrExpect, e.Invariant)
		}
	}
	return nil
}

func (e *Expect) lacks() error {
	form, ok := forms[e.Invariant]
	switch {
	case !ok:
		return errors.New("is no invariant")
	case form.rule != (e.Rule != ""):
		return needs(form.rule, "rule")
	case e.Fingerprint != "" && !form.rule:
		return needs(false, "fingerprint")
	case form.call && e.Call == nil:
		return needs(true, "call")
	case !form.call && !form.mayCall && e.Call != nil:
		return needs(false, "call")
	case form.require != (e.Require != nil):
		return needs(form.require, "require")
	case form.argument != (e.Argument != ""):
		return needs(form.argument, "argument")
	case form.argument && e.Equals == nil:
		return needs(true, "equals")
	case !form.argument && e.Equals != nil:
		return needs(false, "equals")
	case !form.n && e.N != 0 || e.N < 0:
		return errors.New("takes no such n")
	case !form.same && len(e.Same) > 0:
		return needs(false, "same")
	case !form.check && e.Check != "":
		return needs(false, "check")
	}
	return nil
}

func needs(member bool, name string) error {
	if member {
		return errors.New("needs " + name)
	}
	return errors.New("takes no " + name)
}
