package render

import (
	"strings"
	"time"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/suite"
)

// Seen writes clusters in full: when they were seen, by whom, and, where a
// suite was asked, which cases are of them.
func (t *Text) Seen(hs []suite.Held, asked bool) {
	if len(hs) == 0 {
		t.line("Nothing to list: no clusters of high or medium findings.")
	}
	for _, h := range hs {
		t.cluster(h.Cluster)
		t.line("                %s", t.safe(when(h.Cluster)))
		if who := strings.Join(append(append([]string{}, h.Harnesses...), h.Models...), ", "); who != "" {
			t.block("                ", t.safe(who))
		}
		if asked {
			t.holders(h)
		}
	}
	if len(hs) > 0 {
		t.caseHint()
	}
}

func when(c regress.Cluster) string {
	if c.First.IsZero() {
		return "when is not known: no run states a time"
	}
	text := "seen " + day(c.First) + " to " + day(c.Last)
	if n := len(c.Undated); n > 0 {
		text += ", and in " + plural(n, "run") + " without a time"
	}
	return text
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func (t *Text) holders(h suite.Held) {
	if len(h.Cases) == 0 {
		t.line("                held by no case")
	}
	for _, c := range h.Cases {
		t.line("                case %s (%s) %s", t.safe(c.ID), c.Status, t.safe(c.Name))
	}
	if h.Reopened != "" {
		t.block("                ", "reopened: "+t.safe(h.Reopened))
	}
}

type heldLine struct {
	Type string `json:"type"`
	suite.Held
}

// Held writes a line of type cluster with the cases that are of it.
func (j *JSON) Held(h suite.Held) error { return j.Object(heldLine{"cluster", h}) }

// listedCase is a case in a list, or a file that is none.
type listedCase struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"` // of the file
	ID          string         `json:"id"`
	Rule        string         `json:"rule"`
	Status      regress.Status `json:"status"`
	Reviewer    string         `json:"reviewer"`
	Expects     []string       `json:"expects"` // invariants
	Components  []string       `json:"components"`
	Events      int            `json:"events"`
	Fingerprint string         `json:"fingerprint"`
	Problem     string         `json:"problem,omitzero"`
}

func listed(c check.Named) listedCase {
	out := listedCase{Type: "suite_case", Name: c.Name, Expects: []string{}, Components: []string{}}
	if c.Case == nil {
		out.Problem = c.Err.Error()
		return out
	}
	out.ID, out.Rule, out.Status, out.Reviewer, out.Fingerprint = c.ID, c.Rule, c.Status, c.Reviewer, c.Fingerprint
	out.Components, out.Events = c.Components, linesOf(c.Trace)
	for _, e := range c.Expect {
		out.Expects = append(out.Expects, string(e.Invariant))
	}
	return out
}

// Listed writes a line of type suite_case.
func (j *JSON) Listed(c check.Named) error { return j.Object(listed(c)) }

// Listed writes a table of cases and how many there are of each status.
func (t *Text) Listed(cases []check.Named) {
	n := map[regress.Status]int{}
	broken := 0
	for _, c := range cases {
		l := listed(c)
		if l.Problem != "" {
			broken++
			t.block("FAIL        ", t.safe(l.Problem))
			continue
		}
		n[l.Status]++
		by := ""
		if l.Reviewer != "" {
			by = " by " + l.Reviewer
		}
		t.line("%s  %s  %s  %s%s", t.safe(l.ID), pad(string(l.Status), 9), t.safe(l.Rule), strings.Join(l.Expects, ", "), t.safe(by))
	}
	sum := plural(len(cases), "case") + ": " + itoa(n[regress.Approved]) + " approved, " + itoa(n[regress.Candidate]) + " candidates, " +
		itoa(n[regress.Retired]) + " retired, " + itoa(n[regress.Rejected]) + " rejected"
	if broken > 0 {
		sum += ", " + itoa(broken) + " malformed"
	}
	t.line("%s", sum)
}

type problemLine struct {
	Type  string `json:"type"`
	Level string `json:"level"` // error or warning
	suite.Problem
}

// Problem writes a line of type suite_problem.
func (j *JSON) Problem(p suite.Problem) error {
	return j.Object(problemLine{"suite_problem", level(p), p})
}

func level(p suite.Problem) string {
	if p.Error() {
		return "error"
	}
	return "warning"
}

// Linted writes what is wrong with a suite, and the sums.
func (t *Text) Linted(ps []suite.Problem, cases int) {
	errors := 0
	for _, p := range ps {
		if p.Error() {
			errors++
		}
		t.block(pad(level(p), 7)+"  ", t.safe(p.Name)+": "+string(p.Kind)+": "+t.safe(p.Text))
	}
	t.line("%s, %s, %s", plural(cases, "case"), plural(errors, "error"), plural(len(ps)-errors, "warning"))
}

type coverageLine struct {
	Type       string            `json:"type"`
	Clusters   int               `json:"clusters"`
	Held       int               `json:"held"`
	Components []suite.Component `json:"components"`
	Guarded    int               `json:"guarded"`
}

// Coverage writes a line for each cluster, and one of type coverage.
func (j *JSON) Coverage(c suite.Coverage) error {
	for _, h := range c.Clusters {
		if err := j.Held(h); err != nil {
			return err
		}
	}
	return j.Object(coverageLine{"coverage", len(c.Clusters), c.Held, c.Components, c.Guarded})
}

// Coverage writes which clusters and components approved cases hold.
func (t *Text) Coverage(c suite.Coverage) {
	t.line("clusters held: %d of %d (%d %%)", c.Held, len(c.Clusters), percent(c.Held, len(c.Clusters)))
	for _, h := range c.Clusters {
		t.cluster(h.Cluster)
		t.holders(h)
	}
	t.line("components guarded: %d of %d (%d %%)", c.Guarded, len(c.Components), percent(c.Guarded, len(c.Components)))
	for _, k := range c.Components {
		cases := "no approved case"
		if len(k.Cases) > 0 {
			cases = strings.Join(k.Cases, ", ")
		}
		t.line("  %s  %s", t.safe(k.Name), t.safe(cases))
	}
}
