package render

import (
	"bytes"
	"strings"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
)

type caseLine struct {
	Type string `json:"type"`
	*regress.Case
	Events  int      `json:"events"`
	Records int      `json:"records"`
	Want    []string `json:"want"`
}

// Case writes a line of type case. Events and records are counts.
func (j *JSON) Case(c *regress.Case) error {
	return j.Object(caseLine{"case", c, linesOf(c.Trace), linesOf(c.Records), wants(c)})
}

type caseResultLine struct {
	Type string `json:"type"`
	regress.CaseResult
}

// CaseResult writes a line of type case_result.
func (j *JSON) CaseResult(r regress.CaseResult) error {
	return j.Object(caseResultLine{"case_result", r})
}

// Case writes what a case is and what it must keep showing.
func (t *Text) Case(c *regress.Case) {
	for l := range strings.Lines(strings.TrimSpace(c.Comment)) {
		t.line("%s", t.safe(strings.TrimRight(l, "\r\n")))
	}
	t.line("")
	status := string(c.Status)
	if c.Reviewer != "" {
		status += " by " + c.Reviewer
	}
	for _, row := range [][2]string{
		{"case", c.ID}, {"rule", c.Rule}, {"layer", string(c.Layer)}, {"fingerprint", c.Fingerprint}, {"status", status},
		{"note", c.Note}, {"retired", retired(c)}, {"fixed in", c.FixedIn}, {"fixed on", c.FixedOn},
		{"components", strings.Join(c.Components, ", ")},
	} {
		if row[1] != "" {
			t.line("%s %s", pad(row[0], 11), t.safe(row[1]))
		}
	}
	for _, s := range c.Sources {
		t.line("%s finding %s of run %s %s", pad("source", 11), t.safe(s.Finding), t.safe(short(s.Run)), t.safe(strings.TrimSpace(s.Harness+" "+s.Version)))
	}
	t.line("%s %s, %s", pad("holds", 11), plural(linesOf(c.Trace), "event"), plural(linesOf(c.Records), "record"))
	if r := c.Reduced; r != nil {
		t.line("%s %d of %d events, %d of %d bytes", pad("reduced", 11), r.Events[1], r.Events[0], r.Bytes[1], r.Bytes[0])
	}
	for _, w := range wants(c) {
		t.line("%s %s", pad("want", 11), t.safe(w))
	}
	for _, e := range c.Expect {
		t.block(pad("expects", 11)+" ", t.safe(expects(e)))
	}
}

func retired(c *regress.Case) string {
	if c.RetiredBy == "" {
		return ""
	}
	return "by " + c.RetiredBy + ": " + c.Why
}

// expects is an expectation in one line.
func expects(e expect.Expect) string {
	out := string(e.Invariant)
	for _, part := range []string{e.Rule, e.Check, e.Argument} {
		if part != "" {
			out += " " + part
		}
	}
	if e.Call != nil {
		out += " " + e.Call.String()
	}
	if e.Require != nil {
		out += " requires " + e.Require.String()
	}
	if len(e.Same) > 0 {
		out += ", same " + strings.Join(e.Same, ", ")
	}
	return out
}

// Suite writes one line for each case, those that failed with their reason,
// and the sum.
func (t *Text) Suite(r *regress.SuiteReport) {
	failed := 0
	for _, c := range r.Cases {
		word := "ok  "
		if !c.OK {
			word = "FAIL"
			failed++
		}
		t.block(word+"  ", t.safe(c.Name)+": "+t.safe(c.Detail))
	}
	t.line("%s, %d failed", plural(len(r.Cases), "case"), failed)
}

func wants(c *regress.Case) []string {
	out := []string{}
	for _, w := range c.Want {
		out = append(out, w.String())
	}
	return out
}

func linesOf(data []byte) int { return bytes.Count(data, []byte("\n")) }
