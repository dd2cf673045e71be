package render

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/audit"
)

type claimLine struct {
	Type string `json:"type"`
	audit.Claim
}

// Claim writes a line of type claim.
func (j *JSON) Claim(c audit.Claim) error { return j.Object(claimLine{"claim", c}) }

type auditLine struct {
	Type string `json:"type"`
	audit.Tally
}

// AuditSum writes a line of type audit.
func (j *JSON) AuditSum(t audit.Tally) error { return j.Object(auditLine{"audit", t}) }

// Audit writes the claims run by run, then their sums.
func (t *Text) Audit(claims []audit.Claim, sums []audit.Tally) {
	if len(sums) == 0 {
		t.line("No closing claims.")
		return
	}
	run := ""
	for _, c := range claims {
		if c.Run != run {
			run = c.Run
			t.title("%s  %s", short(c.Run), t.safe(c.Source))
		}
		what := strings.ReplaceAll(string(c.Kind), "-", " ")
		if c.Subject != "" {
			what += ": " + c.Subject
		}
		t.line("  %-13s %s", c.Standing, t.safe(what))
		for _, ref := range c.Refs {
			t.line("                %s", t.ref(ref))
		}
	}
	for _, by := range []string{"harness", "model", "week"} {
		t.auditTable(by, sums)
	}
}

func (t *Text) auditTable(by string, sums []audit.Tally) {
	head := []string{strings.ToUpper(by), "CLAIMS"}
	for _, s := range audit.Standings() {
		head = append(head, strings.ToUpper(string(s)))
	}
	table := [][]string{head}
	for _, sum := range sums {
		if sum.By != by {
			continue
		}
		name := t.safe(sum.Group)
		if name == "" {
			name = "(not recorded)"
		}
		row := []string{name, itoa(sum.Claims)}
		for _, s := range audit.Standings() {
			row = append(row, itoa(sum.Counts[s]))
		}
		table = append(table, row)
	}
	t.line("")
	t.table(table)
}
