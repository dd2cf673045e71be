package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/suite"
)

// clusters writes what the findings have in common.
func (t *Text) clusters(cs []regress.Cluster) {
	if len(cs) == 0 {
		return
	}
	t.title("Clusters: findings with one structure")
	cs = slices.Clone(cs)
	slices.SortStableFunc(cs, func(a, b regress.Cluster) int { // what repeats most and loudest first
		return cmp.Or(b.Severity.Rank()-a.Severity.Rank(), len(b.Runs)-len(a.Runs))
	})
	for _, c := range cs[:min(len(cs), maxClusters)] {
		t.cluster(c)
	}
	t.more("  ", len(cs)-maxClusters, "cluster")
	t.caseHint()
}

// caseHint is the command that makes a case of a cluster.
func (t *Text) caseHint() {
	t.line("  make a case of one: %s", t.command("case new --from FINGERPRINT"))
}

func (t *Text) cluster(c regress.Cluster) {
	repeated := ""
	if c.Repeated {
		repeated = ", repeated"
	}
	t.line("  %s  %s %s  %s, %s%s", t.safe(c.Fingerprint), t.severity(c.Severity), t.safe(c.Rule),
		plural(c.Count, "finding"), plural(len(c.Runs), "run"), repeated)
	t.line("                %s", clip(t.safe(c.Title), t.style.Width-16))
}

// percent rounds half up.
func percent(part, all int) int {
	if all == 0 {
		return 0
	}
	return (200*part + all) / (2 * all)
}

func (t *Text) unlinked(refs []ingest.Ref) {
	if len(refs) == 0 {
		return
	}
	t.title("Records that name no run of this call: %d", len(refs))
	for i, r := range refs {
		if i == maxRefs {
			t.line("  and %d more", len(refs)-maxRefs)
			break
		}
		t.line("  %s:%d", t.safe(r.File), r.Line)
	}
}

// cases writes the cases that were written, or how to get them.
func (t *Text) cases(r Report) {
	if len(r.Cases) > 0 {
		t.title("Case candidates")
		for _, c := range r.Cases[:min(len(r.Cases), maxCases)] {
			if c.Problem != "" {
				t.block("  ", t.safe(c.Fingerprint)+"  "+t.safe(c.Rule)+": no case: "+t.safe(c.Problem))
				continue
			}
			known := ""
			if c.Known {
				known = " (was there before)"
			}
			t.line("  %s%s", t.safe(c.Path), known)
		}
		if len(r.Cases) > maxCases {
			t.line("  and %d more in the same folder", len(r.Cases)-maxCases)
		}
		return
	}
	high := 0
	for _, c := range r.Clusters {
		if c.Severity == classify.High {
			high++
		}
	}
	if high > 0 {
		t.title("Case candidates: %d; add --cases DIR to write one for each cluster with a high finding", high)
	}
}

// problems writes the receipts of what was not read.
func (t *Text) problems(rs []*ingest.Receipt) {
	if len(rs) == 0 {
		return
	}
	t.title("Not read")
	for _, r := range rs[:min(len(rs), maxProblems)] {
		t.Receipt(r)
	}
	t.more("  ", len(rs)-maxProblems, "file")
}

// Rules writes a table of rules, or one rule in full, each with what people here
// said of its findings.
func (t *Text) Rules(rules []classify.Rule, ps []suite.Precision) {
	if len(rules) == 1 {
		t.rule(rules[0])
		if p, ok := about(rules[0], ps); ok {
			t.block(pad("local", 11), "precision "+said(p))
		}
		return
	}
	width := 0
	for _, r := range rules {
		width = max(width, len(r.Name))
	}
	for _, r := range rules {
		title := r.Doc.Title
		if p, ok := about(r, ps); ok {
			title += " Local precision: " + said(p) + "."
		}
		t.styled(pad(r.Name, width)+"  "+t.severity(r.Highest)+"  ", width+10, title)
	}
}

func (t *Text) rule(r classify.Rule) {
	t.line("%s: %s", r.Name, strings.TrimSuffix(r.Doc.Title, "."))
	t.line("")
	t.block("", r.Doc.Text)
	t.line("")
	for _, row := range [][2]string{
		{"occasion", r.Doc.Occasion}, {"needs", r.Doc.Needs}, {"fires", r.Doc.Fires}, {"near miss", r.Doc.NearMiss},
		{"layer", string(r.Layer())}, {"owner", string(r.Doc.Owner)}, {"highest", string(r.Highest)},
		{"change", r.Doc.Change}, {"metric", r.Doc.Metric},
	} {
		t.block(pad(row[0], 11), row[1])
	}
}
