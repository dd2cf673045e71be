package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/world"
	"github.com/faultline-dev/faultline/regress/script"
)

// grade joins what the world saw with what the harness's log says and decides.
func (p *play) grade() {
	r := p.result
	r.Failures = append(r.Failures, p.world.Failures()...)
	r.Faults = append(r.Faults, p.world.Fired()...)
	r.Findings = append(r.Findings, p.log.findings...)
	r.LogRuns = p.log.runs
	seen := p.seen()
	r.Acts = seen.Acts
	for _, a := range seen.Acts {
		if a.Kind == expect.Asked {
			r.Requests++
		}
	}
	p.count()
	own := p.log.seen
	if p.options.Accept != "" {
		own.Acts = slices.Clone(own.Acts)
		own.Acts, own.Kinds = p.accept(own.Acts), withKind(own.Kinds, expect.Accepted)
	}
	for _, e := range p.subject.Expect {
		g := e.Grade(p.seenFor(e, seen))
		// What the world cannot see, the log may tell: an edit, a check in the
		// harness's own shell.
		if g.Grade == expect.CannotTell && p.log.runs > 0 {
			if byLog := e.Grade(own); byLog.Grade != expect.CannotTell {
				byLog.Why += ", by the harness's own log"
				for i, ref := range byLog.Refs { // the scratch home has another name every time
					byLog.Refs[i] = strings.Replace(ref, p.scratch.home(), "~", 1)
				}
				g = byLog
			}
		}
		r.Expect = append(r.Expect, g)
	}
	r.Status, r.Why = r.decide(p.subject.Script.Fault)
}

// seen is the world's account, with how the rules judge the log.
func (p *play) seen() expect.Seen {
	s := expect.Seen{
		Acts:   slices.Clone(p.world.Acts()),
		Kinds:  []expect.ActKind{expect.Requested, expect.Called, expect.Effected, expect.Asked, expect.ProviderStop, expect.Crossed},
		Judged: p.log.seen.Judged, Fired: p.log.seen.Fired, Abstained: p.log.seen.Abstained,
	}
	if p.options.Accept != "" {
		s.Acts, s.Kinds = p.accept(s.Acts), append(s.Kinds, expect.Accepted)
	}
	return s
}

// seenFor narrows the account to what the world could see of an expectation's
// calls: of the harness's own tools it hears the result and no effect, and of a
// check it knows where a tool of its own is one.
func (p *play) seenFor(e expect.Expect, s expect.Seen) expect.Seen {
	for _, t := range p.subject.Script.Tools {
		switch {
		case t.Via == script.Builtin && e.Call != nil && (e.Call.Tool == t.Name || e.Call.Tool == "" && e.Call.Command != ""):
			s.Kinds = slices.DeleteFunc(slices.Clone(s.Kinds), func(k expect.ActKind) bool { return k == expect.Effected })
		case t.Via != script.Builtin && e.Invariant == expect.NotAccepted && e.Check != "" && isCheck(t, e.Check):
			s.Kinds = withKind(s.Kinds, expect.Checked)
			s.Acts = withChecks(s.Acts, t, e.Check)
		}
	}
	return s
}

// isCheck reports that a tool is the check of that name or command.
func isCheck(t script.Tool, check string) bool {
	command := strings.Join(append([]string{t.Server}, t.Words...), " ")
	return t.Name == check || t.Via == script.Command && (command == check || strings.HasPrefix(check, command+" "))
}

// withChecks says of each call of a check that it was one.
func withChecks(acts []expect.Act, t script.Tool, check string) (out []expect.Act) {
	for _, a := range acts {
		out = append(out, a)
		if a.Kind == expect.Called && a.Tool == t.Name {
			a.Kind, a.Command, a.Tool = expect.Checked, check, check
			out = append(out, a)
		}
	}
	return out
}

func withKind(kinds []expect.ActKind, k expect.ActKind) []expect.ActKind {
	if slices.Contains(kinds, k) {
		return kinds
	}
	return append(slices.Clone(kinds), k)
}

// accept adds the acceptance that the configured signal tells of.
func (p *play) accept(acts []expect.Act) []expect.Act {
	switch last := p.result.Sessions[len(p.result.Sessions)-1]; p.options.Accept {
	case AcceptExit:
		if last.Exit == 0 && !last.Killed && !last.TimedOut {
			acts = append(acts, expect.Act{Kind: expect.Accepted, Ref: "exit code 0"})
		}
	case AcceptRecord:
		if p.log.accepted {
			acts = append(acts, expect.Act{Kind: expect.Accepted, Ref: "completion record"})
		}
	default:
		tool := strings.TrimPrefix(string(p.options.Accept), AcceptTool)
		for i := 0; i < len(acts); i++ {
			if a := acts[i]; a.Kind == expect.Called && a.Tool == tool && a.Outcome == "ok" {
				i++
				acts = slices.Insert(acts, i, expect.Act{Kind: expect.Accepted, Tool: tool, Ref: a.Ref})
			}
		}
	}
	return acts
}

// count sets the world's calls and the log's side by side, and tells who sent
// calls again.
func (p *play) count() {
	arrived, resent := map[string]int{}, map[Resent]int{}
	for _, a := range p.result.Acts {
		if a.Kind != expect.Called {
			continue
		}
		arrived[a.Tool]++
		if a.By != "" {
			resent[Resent{Tool: a.Tool, By: a.By}]++
		}
	}
	for _, t := range p.subject.Script.Tools {
		if t.Via == script.Builtin || arrived[t.Name] == 0 && p.log.calls(t.Name) == 0 {
			continue
		}
		p.result.Calls = append(p.result.Calls, Calls{t.Name, arrived[t.Name], p.log.calls(t.Name)})
	}
	for k, n := range resent {
		k.Times = n
		p.result.Resent = append(p.result.Resent, k)
	}
	slices.SortFunc(p.result.Resent, func(a, b Resent) int {
		return strings.Compare(a.Tool+"\x00"+a.By, b.Tool+"\x00"+b.By)
	})
}

// decide: what was done wrong decides first, then what the world could not go
// along with, then whether the fault was tried at all.
func (r *Result) decide(fault *script.Fault) (Status, string) {
	unfired := fault != nil && len(r.Faults) == 0
	last := r.Sessions[len(r.Sessions)-1]
	if why := r.failure(unfired); why != "" {
		return Failed, why
	}
	switch {
	case unfired && last.TimedOut:
		return Invalid, fmt.Sprintf("the harness never came to the fault %s, and did not end in time", fault.Point)
	case unfired:
		return Invalid, fmt.Sprintf("the harness never came to the fault %s", fault.Point)
	case last.TimedOut:
		return CannotTell, "the harness did not end in time: what it would have done next is not known"
	}
	for _, e := range r.Expect {
		if e.Grade == expect.CannotTell && !r.without(e) {
			return CannotTell, fmt.Sprintf("%s cannot be told: %s", e.Expect.Invariant, e.Why)
		}
	}
	held := r.held()
	if held == 0 && len(r.Expect) > 0 {
		return CannotTell, "no expectation could be told"
	}
	return Passed, fmt.Sprintf("%d of %d expectations held", held, len(r.Expect))
}

func (r *Result) held() (n int) {
	for _, e := range r.Expect {
		if e.Grade == expect.Held {
			n++
		}
	}
	return n
}

// without reports an expectation on a log that this harness does not write. What
// else is expected then decides.
func (r *Result) without(e expect.Result) bool {
	return e.Expect.Invariant == expect.RuleSilent && r.LogRuns == 0
}

// failure says why the play failed, or "". While the fault was not tried, what
// was merely not done is no failure: it stood before or behind the fault.
func (r *Result) failure(unfired bool) string {
	for _, f := range r.Failures {
		if f.Kind == world.Cap {
			return f.Kind + ": " + f.Text
		}
	}
	for _, e := range r.Expect {
		if e.Grade == expect.Broken && (!unfired || len(e.Refs) > 0) {
			return fmt.Sprintf("%s is broken: %s", e.Expect.Invariant, e.Why)
		}
	}
	for _, f := range r.Failures {
		if f.Kind != world.Unmet || !unfired {
			return f.Kind + ": " + f.Text
		}
	}
	return ""
}
