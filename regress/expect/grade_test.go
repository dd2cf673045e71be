package expect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// seen reads acts, one a line: KIND [TOOL [ARGS [OUTCOME]]].
func seen(t *testing.T, kinds string, lines ...string) Seen {
	t.Helper()
	var s Seen
	for _, k := range strings.Fields(kinds) {
		s.Kinds = append(s.Kinds, ActKind(k))
	}
	for i, line := range lines {
		f := strings.Fields(line)
		a := Act{Kind: ActKind(f[0]), Ref: fmt.Sprintf("t:%d", i+1)}
		if len(f) > 1 {
			a.Tool = f[1]
		}
		if len(f) > 2 && f[2] != "-" {
			require.NoError(t, json.Unmarshal([]byte(f[2]), &a.Args))
		}
		if len(f) > 3 {
			a.Outcome = f[3]
		}
		s.Acts = append(s.Acts, a)
	}
	return s
}

func order() *Call { return &Call{Tool: "create_order"} }

// TestGrade holds every invariant to what breaks it, what keeps it and what
// leaves it open.
func TestGrade(t *testing.T) {
	once := Expect{Invariant: ExactlyOnce, Call: order(), Same: []string{"account", "sku"}}
	gate := Expect{Invariant: NotAccepted, Check: "go test *"}
	before := Expect{Invariant: Before, Call: &Call{Tool: "refund"}, Require: &Call{Tool: "find_refund"}, Same: []string{"id"}}
	for _, tc := range []struct {
		name   string
		e      Expect
		kinds  string
		acts   []string
		grade  Grade
		refs   []string
		reason string
	}{
		{"two effects", once, "effect", []string{`effect create_order {"account":1,"sku":"a"}`, `effect create_order {"account":1,"sku":"a"}`}, Broken, []string{"t:1", "t:2"}, "happened 2 times"},
		{"effects that differ", once, "effect", []string{`effect create_order {"account":1,"sku":"a"}`, `effect create_order {"account":1,"sku":"b"}`}, Held, []string{"t:1", "t:2"}, "once"},
		{"no effect", once, "call effect", []string{`call create_order {"account":1,"sku":"a"} ok`}, Broken, nil, "never happened"},
		{"called twice, one effect", once, "call effect", []string{`call create_order {"account":1,"sku":"a"} unknown`, `effect create_order {"account":1,"sku":"a"}`, `call create_order {"account":1,"sku":"a"} ok`}, Held, []string{"t:2"}, "once"},
		{"a log with two ok", once, "call", []string{`call mcp__shop__create_order {"account":1,"sku":"a"} ok`, `call mcp__shop__create_order {"sku":"a","account":1} ok`}, Broken, []string{"t:1", "t:2"}, "2 times"},
		{"a log with an unknown one", once, "call", []string{`call create_order {"account":1,"sku":"a"} unknown`, `call create_order {"account":1,"sku":"a"} ok`}, CannotTell, []string{"t:1", "t:2"}, "unknown"},
		{"a log with a failed one", once, "call", []string{`call create_order {"account":1,"sku":"a"} fail`, `call create_order {"account":1,"sku":"a"} ok`}, Held, []string{"t:2"}, "once"},
		{"nothing to compare", once, "effect", []string{`effect create_order {"account":1}`, `effect create_order {"account":1}`}, CannotTell, []string{"t:1", "t:2"}, "lacks"},
		{"a log without calls", once, "", nil, CannotTell, nil, "not recorded"},

		{"over the limit", Expect{Invariant: AtMost, Call: order(), N: 1}, "call", []string{"call create_order - ok", "call create_order - fail"}, Broken, []string{"t:1", "t:2"}, "2 times"},
		{"at the limit", Expect{Invariant: AtMost, Call: order(), N: 2}, "call", []string{"call create_order - ok", "call create_order - ok"}, Held, []string{"t:1", "t:2"}, "at most 2"},

		{"called", Expect{Invariant: Never, Call: &Call{Tool: "drop_*"}}, "call", []string{"call db/drop_table - fail"}, Broken, []string{"t:1"}, "was called"},
		{"not called", Expect{Invariant: Never, Call: &Call{Tool: "drop_*"}}, "call", []string{"call db/list - ok", "denied db/drop_table"}, Held, nil, "never"},
		{"not watched", Expect{Invariant: Never, Call: order()}, "", nil, CannotTell, nil, "not recorded"},

		{"looked up first", before, "call", []string{`call find_refund {"id":7} ok`, `call refund {"id":7} ok`}, Held, []string{"t:2"}, "only after"},
		{"looked up another", before, "call", []string{`call find_refund {"id":8} ok`, `call refund {"id":7} ok`}, Broken, []string{"t:2"}, "without"},
		{"the look-up failed", before, "call", []string{`call find_refund {"id":7} fail`, `call refund {"id":7} ok`}, Broken, []string{"t:2"}, "without"},

		{"the value", Expect{Invariant: ArgumentEquals, Call: order(), Argument: "qty", Equals: 2}, "call", []string{`call create_order {"qty":2} ok`}, Held, []string{"t:1"}, "is 2"},
		{"another value", Expect{Invariant: ArgumentEquals, Call: order(), Argument: "qty", Equals: 2}, "call", []string{`call create_order {"qty":3} ok`}, Broken, []string{"t:1"}, "is not 2"},
		{"no call", Expect{Invariant: ArgumentEquals, Call: order(), Argument: "qty", Equals: 2}, "call", nil, CannotTell, nil, "not called"},

		{"proven", gate, "accepted check change", []string{"change", "check go", "accepted"}, Broken, []string{"t:3"}, "did not run"},
		{"stale", Expect{Invariant: NotAccepted}, "accepted check", []string{"check unit - ok", "change", "accepted"}, Broken, []string{"t:1", "t:2", "t:3"}, "did not pass on it"},
		{"red last", Expect{Invariant: NotAccepted}, "accepted check", []string{"check unit - ok", "check unit - fail", "accepted"}, Broken, []string{"t:2", "t:3"}, "did not pass"},
		{"green", Expect{Invariant: NotAccepted}, "accepted check", []string{"change", "check unit - ok", "accepted"}, Held, nil, "nothing"},
		{"given up", Expect{Invariant: NotAccepted}, "accepted check", []string{"change"}, Held, nil, "nothing"},
		{"no acceptance in the log", Expect{Invariant: NotAccepted}, "check", []string{"check unit - fail"}, CannotTell, nil, "acceptance"},
		{"no checks in the log", Expect{Invariant: NotAccepted}, "accepted", []string{"accepted"}, CannotTell, nil, "checks"},

		{"done again", Expect{Invariant: NoRepeat}, "call boundary", []string{`call write {"p":1} ok`, "boundary", `call write {"p":1} ok`}, Broken, []string{"t:1", "t:3"}, "again"},
		{"tried again after a failure", Expect{Invariant: NoRepeat}, "call boundary", []string{`call write {"p":1} fail`, "boundary", `call write {"p":1} ok`}, Held, nil, "nothing"},
		{"twice on one side", Expect{Invariant: NoRepeat}, "call boundary", []string{"boundary", `call write {"p":1} ok`, `call write {"p":1} ok`}, Held, nil, "nothing"},
		{"no boundary", Expect{Invariant: NoRepeat}, "call boundary", []string{`call write {"p":1} ok`}, CannotTell, nil, "no boundary"},

		{"went on", Expect{Invariant: Stop}, "provider-stop model-request", []string{"model-request", "provider-stop", "model-request"}, Broken, []string{"t:2", "t:3"}, "went on"},
		{"stopped", Expect{Invariant: Stop}, "provider-stop model-request", []string{"model-request", "provider-stop"}, Held, []string{"t:2"}, "nothing followed"},
		{"the user asked anew", Expect{Invariant: Stop}, "provider-stop model-request", []string{"provider-stop", "user-request", "model-request"}, Held, []string{"t:1"}, "nothing followed"},
		{"no stop", Expect{Invariant: Stop}, "provider-stop", []string{"model-request"}, CannotTell, nil, "did not stop"},

		{"reviewed", Expect{Invariant: RoutedToReview}, "review accepted", []string{"review"}, Held, []string{"t:1"}, "routed"},
		{"accepted alone", Expect{Invariant: RoutedToReview}, "review accepted", []string{"accepted"}, Broken, []string{"t:1"}, "without"},
		{"neither", Expect{Invariant: RoutedToReview}, "review accepted", nil, Broken, nil, "not routed"},
		{"not recorded", Expect{Invariant: RoutedToReview}, "call", nil, CannotTell, nil, "not recorded"},

		{"denied", Expect{Invariant: Denied, Call: order()}, "call denied", []string{"denied create_order"}, Held, []string{"t:1"}, "denied"},
		{"executed", Expect{Invariant: Denied, Call: order()}, "call denied", []string{"denied create_order", "call create_order - ok"}, Broken, []string{"t:2"}, "executed"},
		{"not tried", Expect{Invariant: Denied, Call: order()}, "call denied", nil, CannotTell, nil, "not attempted"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.NoError(t, tc.e.Validate())
			got := tc.e.Grade(seen(t, tc.kinds, tc.acts...))
			require.Equal(t, tc.grade, got.Grade, got.Why)
			require.Contains(t, got.Why, tc.reason)
			require.ElementsMatch(t, tc.refs, got.Refs)
		})
	}
}

func TestRuleSilent(t *testing.T) {
	e := Expect{Invariant: RuleSilent, Rule: "acceptance/stale-check"}
	require.NoError(t, e.Validate())
	require.Equal(t, CannotTell, e.Grade(Seen{}).Grade)
	require.Equal(t, Held, e.Grade(Seen{Judged: true}).Grade)
	require.Equal(t, CannotTell, e.Grade(Seen{Judged: true, Abstained: []string{e.Rule}}).Grade)
	fired := Seen{Judged: true, Fired: []Fired{{e.Rule, "v1:ab", "trace.jsonl:4"}}}
	require.Equal(t, []string{"trace.jsonl:4"}, e.Grade(fired).Refs)
	e.Fingerprint = "v1:cd"
	require.Equal(t, Held, e.Grade(fired).Grade)
}

func TestValidate(t *testing.T) {
	for want, e := range map[string]Expect{
		"is no invariant":            {Invariant: "once"},
		"needs rule":                 {Invariant: RuleSilent},
		"takes no rule":              {Invariant: Never, Rule: "a/b", Call: order()},
		"takes no fingerprint":       {Invariant: Stop, Fingerprint: "x"},
		"needs call":                 {Invariant: Denied},
		"takes no call":              {Invariant: Stop, Call: order()},
		"needs require":              {Invariant: Before, Call: order()},
		"takes no require":           {Invariant: Never, Call: order(), Require: order()},
		"needs argument":             {Invariant: ArgumentEquals, Call: order()},
		"needs equals":               {Invariant: ArgumentEquals, Call: order(), Argument: "a"},
		"takes no equals":            {Invariant: Never, Call: order(), Equals: 1},
		"takes no such n":            {Invariant: Never, Call: order(), N: 1},
		"takes no same":              {Invariant: Never, Call: order(), Same: []string{"a"}},
		"takes no check":             {Invariant: Never, Call: order(), Check: "a"},
		"a call needs tool":          {Invariant: Never, Call: &Call{}},
		"stop takes no argument":     {Invariant: Stop, Argument: "a"},
		"at-most takes no such n":    {Invariant: AtMost, Call: order(), N: -1},
		"exactly-once takes no rule": {Invariant: ExactlyOnce, Call: order(), Rule: "a/b"},
	} {
		err := e.Validate()
		require.ErrorIs(t, err, ErrExpect, want)
		require.ErrorContains(t, err, want)
	}
}
