package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
)

// Propose is what the case may expect of other runs: that its rule is silent,
// and what the rule itself says should have been. The input is what the case was
// made from. Only what the source itself breaks is proposed, and the case still
// breaks: that something was left out of a case is no failure.
func Propose(ctx context.Context, c *regress.Case, in classify.Input) ([]expect.Expect, error) {
	out := []expect.Expect{{Invariant: expect.RuleSilent, Rule: c.Rule, Fingerprint: c.Fingerprint}}
	seen, more, err := plainly(ctx, c, in.Rules)
	if err != nil || len(more) == 0 {
		return out, err
	}
	source, err := sourceSeen(ctx, c, in)
	if err != nil {
		return nil, err
	}
	for _, e := range more {
		broken := grade(e, seen).Grade == expect.Broken && grade(e, source).Grade == expect.Broken
		if broken && e.Validate() == nil && !has(out, e) {
			out = append(out, e)
		}
	}
	return out, nil
}

// plainly is what the case shows, and what its rule says of that.
func plainly(ctx context.Context, c *regress.Case, rules []classify.Rule) (seen []expect.Seen, more []expect.Expect, err error) {
	var cfg *config.Config
	if len(c.Config) > 0 {
		if cfg, err = config.Parse(c.ID, c.Config); err != nil {
			return nil, nil, fmt.Errorf("propose expectations: %w", err)
		}
	}
	err = visit(ctx, c, rules, false, func(v *classify.View, verdict *classify.Verdict) {
		seen = append(seen, check.SeenIn(v, verdict))
		for _, f := range verdict.Findings {
			if f.Rule == c.Rule && f.Fingerprint == c.Fingerprint {
				more = append(more, plain(v, f, cfg)...)
			}
		}
	})
	return seen, more, err
}

// sourceSeen is what the threads show that the case was made from.
func sourceSeen(ctx context.Context, c *regress.Case, in classify.Input) (seen []expect.Seen, err error) {
	var runs []string
	for _, s := range c.Sources {
		runs = append(runs, s.Run)
	}
	m, err := in.Material(ctx, runs...)
	if err != nil {
		return nil, fmt.Errorf("propose expectations: %w", err)
	}
	in.Runs = nil
	for _, t := range m.Threads {
		for _, r := range slices.Concat(t.Runs, t.Subs) {
			in.Runs = append(in.Runs, r.ID)
		}
	}
	err = classify.Each(ctx, in, func(v *classify.View) error {
		seen = append(seen, check.SeenIn(v, nil))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("propose expectations: %w", err)
	}
	return seen, nil
}

func has(list []expect.Expect, e expect.Expect) bool {
	text := func(e expect.Expect) string {
		data, err := json.Marshal(e, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return ""
		}
		return string(data)
	}
	return slices.ContainsFunc(list, func(o expect.Expect) bool { return text(o) == text(e) })
}

// Rules by what they say should have been.
var (
	onceRules = []string{
		"idempotency/blind-retry", "idempotency/duplicate-effect", "idempotency/duplicate-delivery", "idempotency/new-key-same-operation",
	}
	repeatRules = []string{"handoff/repeated-work"}
	gateRules   = []string{
		"acceptance/failed-check-accepted", "acceptance/missing-check", "acceptance/stale-check", "acceptance/check-not-run",
		"acceptance/masked-exit",
	}
	stopRules   = []string{"idempotency/dispatch-after-stop", "provider/safety-stop"}
	deniedRules = []string{"permission/forbidden-action", "permission/bypassed-denial"}
)

// plain is what the finding's rule says should have been, of what it cites.
func plain(v *classify.View, f classify.Finding, cfg *config.Config) (out []expect.Expect) {
	of := func(list []string) bool { return slices.Contains(list, f.Rule) }
	switch {
	case of(stopRules):
		return []expect.Expect{{Invariant: expect.Stop}}
	case of(gateRules):
		return gates(v, f)
	case f.Rule == "acceptance/broken-invariant" && cfg != nil:
		for _, i := range cfg.Invariants {
			out = append(out, fromInvariant(i)...)
		}
		return out
	}
	for _, a := range v.ActionsIn(-1, v.End()+1) {
		if !cites(f, a.Cite()) && !cites(f, a.CiteEnd()) {
			continue
		}
		call := callOf(a)
		switch {
		case of(onceRules) && call.Tool != "":
			out = append(out, expect.Expect{Invariant: expect.ExactlyOnce, Call: call, Same: identity(a)})
		case of(repeatRules):
			out = append(out, expect.Expect{Invariant: expect.NoRepeat, Call: call, Same: identity(a)})
		case of(deniedRules):
			out = append(out, expect.Expect{Invariant: expect.Denied, Call: call})
		}
	}
	return out
}

// callOf is the pattern of a call: its tool, or in a shell its command.
func callOf(a *classify.Action) *expect.Call {
	if a.Kind == classify.RunsShell {
		return &expect.Call{Command: classify.Clip(oneLine(a.Shell), 200)}
	}
	return &expect.Call{Tool: ownName(a.Tool)}
}

// identity names the arguments that tell one intended effect from another: the
// contract's, else those that the ledger took for it, else all.
func identity(a *classify.Action) []string {
	for _, e := range a.Effects() {
		if !e.Writes() {
			continue
		}
		if e.Contract != nil && len(e.Contract.Identity) > 0 {
			return e.Contract.Identity
		}
		have := members(a.Args)
		names := slices.DeleteFunc(members(jsontext.Value(e.Identity)), func(n string) bool { return !slices.Contains(have, n) })
		if len(names) > 0 {
			return names
		}
	}
	return []string{"*"}
}

// gates are the checks that the finding cites, and those that were required.
func gates(v *classify.View, f classify.Finding) (out []expect.Expect) {
	add := func(title string) {
		if title = oneLine(title); title != "" {
			out = append(out, expect.Expect{Invariant: expect.NotAccepted, Check: title})
		}
	}
	for _, c := range v.ChecksIn(-1, v.End()+1) {
		if cites(f, c.Event) {
			add(c.Title())
		}
	}
	if n := f.Episode - 1; len(out) == 0 && n >= 0 && n < len(v.Episodes) {
		for _, r := range v.Required(v.Episodes[n]) {
			if strings.Contains(f.Message, r.Title()) { // others may have passed
				add(r.Title())
			}
		}
	}
	return out
}

// fromInvariant is the owner's own invariant as an expectation, where it has
// that form.
func fromInvariant(i config.Invariant) []expect.Expect {
	for _, c := range []*config.Call{i.Before, i.Never, i.Of, i.Call} {
		if c != nil && (c.Outcome != "" || len(c.Result) > 0) {
			return nil // what an expectation cannot say
		}
	}
	one := func(e expect.Expect) []expect.Expect { return []expect.Expect{e} }
	switch {
	case i.Before != nil && i.Require != nil:
		return one(expect.Expect{Invariant: expect.Before, Call: pattern(i.Before), Require: pattern(i.Require), Same: i.Same})
	case i.Never != nil:
		return one(expect.Expect{Invariant: expect.Never, Call: pattern(i.Never)})
	case i.AtMost != nil && i.Per != "thread":
		return one(expect.Expect{Invariant: expect.AtMost, Call: pattern(i.Of), Same: i.Same, N: *i.AtMost})
	case i.Call != nil && i.Equals != "":
		return one(expect.Expect{Invariant: expect.ArgumentEquals, Call: pattern(i.Call), Argument: i.Argument, Equals: i.Equals})
	}
	return nil
}

func pattern(c *config.Call) *expect.Call {
	return &expect.Call{Tool: c.Tool, Command: c.Command, Args: c.Args}
}

func cites(f classify.Finding, c classify.Cite) bool {
	if c.Run == nil || c.Event == nil {
		return false
	}
	ref := c.Run.Ref(c.Event)
	return slices.ContainsFunc(f.Refs, func(r ingest.Ref) bool {
		return r.Run == ref.Run && r.Source == ref.Source && r.Seq == ref.Seq
	})
}

// members are the names of an object's members, sorted.
func members(v jsontext.Value) []string {
	var m map[string]jsontext.Value
	if json.Unmarshal(v, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// ownName is a tool's name without its server's.
func ownName(tool string) string {
	for _, sep := range []string{"__", "/", "."} {
		if i := strings.LastIndex(tool, sep); i >= 0 {
			tool = tool[i+len(sep):]
		}
	}
	return tool
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
