package expect

import (
	"fmt"
	"slices"
	"strings"
)

// form says which members an invariant has and how it is graded.
type form struct {
	rule, call, mayCall, require, argument, n, same, check bool

	occasion ActKind // without a call: the act that the invariant speaks of

	grade func(*grader) Result
}

// forms holds the invariants. It is read only.
var forms = map[Kind]form{
	RuleSilent:     {rule: true, grade: (*grader).ruleSilent},
	ExactlyOnce:    {call: true, same: true, grade: (*grader).exactlyOnce},
	AtMost:         {call: true, same: true, n: true, grade: (*grader).atMost},
	Never:          {call: true, grade: (*grader).never},
	Before:         {call: true, require: true, same: true, grade: (*grader).before},
	ArgumentEquals: {call: true, argument: true, grade: (*grader).argumentEquals},
	NotAccepted:    {check: true, occasion: Accepted, grade: (*grader).notAccepted},
	NoRepeat:       {mayCall: true, same: true, occasion: Crossed, grade: (*grader).noRepeat},
	Stop:           {occasion: ProviderStop, grade: (*grader).stop},
	RoutedToReview: {occasion: Accepted, grade: (*grader).review},
	Denied:         {call: true, grade: (*grader).denied},
}

// Grade grades the expectation. One that Validate refuses cannot be told.
func (e Expect) Grade(s Seen) Result {
	g := &grader{e: e, s: s}
	f, ok := forms[e.Invariant]
	if !ok {
		return g.cannot("no such invariant")
	}
	return f.grade(g)
}

// Occurs reports that what was seen has an occasion for the expectation: a call
// that it speaks of, or an acceptance, a boundary, a provider's stop. Whether a
// rule has one, its rule says.
func (e Expect) Occurs(s Seen) bool {
	kind := forms[e.Invariant].occasion
	return slices.ContainsFunc(s.Acts, func(a Act) bool {
		if kind != "" {
			return a.Kind == kind
		}
		return e.Call != nil && e.Call.matches(&a)
	})
}

type grader struct {
	e Expect
	s Seen
}

func (g *grader) sees(k ActKind) bool { return slices.Contains(g.s.Kinds, k) }

// of lists the acts of a kind that match the expectation's call.
func (g *grader) of(k ActKind, c *Call) []*Act {
	var out []*Act
	for i := range g.s.Acts {
		if a := &g.s.Acts[i]; a.Kind == k && c.matches(a) {
			out = append(out, a)
		}
	}
	return out
}

func (g *grader) result(grade Grade, acts []*Act, why string, args ...any) Result {
	r := Result{Expect: g.e, Grade: grade, Why: fmt.Sprintf(why, args...), Refs: []string{}}
	for _, a := range acts {
		if a.Ref != "" {
			r.Refs = append(r.Refs, a.Ref)
		}
	}
	return r
}

func (g *grader) cannot(why string, args ...any) Result {
	return g.result(CannotTell, nil, why, args...)
}

func (g *grader) ruleSilent() Result {
	if !g.s.Judged {
		return g.cannot("no rule judged this run")
	}
	for _, f := range g.s.Fired {
		if f.Rule == g.e.Rule && (g.e.Fingerprint == "" || f.Fingerprint == g.e.Fingerprint) {
			return g.result(Broken, []*Act{{Ref: f.Ref}}, "%s fired", g.e.Rule)
		}
	}
	if slices.Contains(g.s.Abstained, g.e.Rule) {
		return g.cannot("%s abstained: what it needs was not recorded", g.e.Rule)
	}
	return g.result(Held, nil, "%s is silent", g.e.Rule)
}

// groups puts acts that intend one thing together, in order of the first.
func (g *grader) groups(acts []*Act) (out [][]*Act, unnamed []*Act) {
	at := map[string]int{}
	for _, a := range acts {
		key, ok := group(g.e.Same, a)
		if !ok {
			unnamed = append(unnamed, a)
			continue
		}
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], a)
	}
	return out, unnamed
}

// lacking says that acts lack an argument that tells them apart.
func (g *grader) lacking(acts []*Act) Result {
	return g.result(CannotTell, acts, "a call of %s lacks one of the arguments %s", g.e.Call, strings.Join(g.e.Same, ", "))
}
