package render

import (
	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress/suite"
)

// rejected writes the findings that a person rejected, each with the reason,
// and what people said of the rules.
func (t *Text) rejected(vs []classify.Verdict, ps []suite.Precision) {
	n := 0
	for _, v := range vs {
		n += len(v.Rejected)
	}
	if n > 0 {
		t.title("Rejected: %s", plural(n, "finding"))
	}
	for _, v := range vs {
		for _, r := range v.Rejected {
			t.line("  %s  %s, in this %s", short(v.Run), r.Rule, t.safe(r.Scope))
			t.block("      ", t.safe(r.Why+" ("+r.By+")"))
		}
	}
	if len(ps) > 0 {
		t.title("Local precision: findings that people here confirmed or rejected")
	}
	for _, p := range ps {
		t.line("  %s  %s", t.safe(p.Rule), said(p))
	}
}

// said is what people said of a rule, as a share and in numbers.
func said(p suite.Precision) string {
	all := p.Confirmed + p.Rejected
	return itoa(percent(p.Confirmed, all)) + " % (" + itoa(p.Confirmed) + " confirmed, " + itoa(p.Rejected) + " rejected)"
}

// about finds what people said of one rule.
func about(r classify.Rule, ps []suite.Precision) (suite.Precision, bool) {
	for _, p := range ps {
		if p.Rule == r.Name {
			return p, true
		}
	}
	return suite.Precision{}, false
}

type precisionLine struct {
	Type string `json:"type"`
	suite.Precision
}

// Precision writes a line of type precision.
func (j *JSON) Precision(p suite.Precision) error { return j.Object(precisionLine{"precision", p}) }

func (m *markdown) rejected(vs []classify.Verdict) {
	first := true
	for _, v := range vs {
		for _, r := range v.Rejected {
			if first {
				m.add("\n### Rejected\n\n| rule | run | reason | by |\n|---|---|---|---|\n")
				first = false
			}
			m.add("| %s | %s | %s | %s |\n", r.Rule, short(v.Run), m.code(r.Why), m.code(r.By))
		}
	}
}
