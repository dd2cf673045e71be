package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
)

// maxAdvice is for how many rules a report says what would help.
const maxAdvice = 8

// advice writes, for the rules that name the primary layer of most runs, the
// small change that would help and the measure that would show it.
func (t *Text) advice(vs []classify.Verdict, rules []classify.Rule) {
	runs := map[string]int{}
	for _, v := range vs {
		seen := map[string]bool{}
		for _, f := range v.Findings {
			if f.Layer == v.Layer && f.Severity != classify.Low && !seen[f.Rule] {
				seen[f.Rule] = true
				runs[f.Rule]++
			}
		}
	}
	if len(runs) == 0 {
		return
	}
	t.title("What would help")
	names := slices.SortedFunc(maps.Keys(runs), func(a, b string) int { return cmp.Or(runs[b]-runs[a], cmp.Compare(a, b)) })
	for _, name := range names[:min(len(names), maxAdvice)] {
		if i := slices.IndexFunc(rules, func(r classify.Rule) bool { return r.Name == name }); i >= 0 {
			t.line("  %s, %s", name, plural(runs[name], "run"))
			t.block("      ", rules[i].Doc.Change)
			t.block("      ", "measure: "+rules[i].Doc.Metric)
		}
	}
	t.more("  ", len(names)-maxAdvice, "rule")
}

// gap is evidence that a source cannot record.
type gap struct{ format, missing string }

// untold writes what each kind of source did not record, on how many runs, the
// rules that it left undecided, and what to record so that they can be.
func (t *Text) untold(vs []classify.Verdict, rules []classify.Rule) {
	silent := 0
	runs, open := map[gap]int{}, map[gap][]string{}
	for _, v := range vs {
		if v.Layer == classify.CannotTell {
			silent++
		}
		counted := map[gap]bool{}
		for _, a := range v.Abstentions {
			g := gap{v.Format, a.Missing}
			if !counted[g] {
				counted[g] = true
				runs[g]++
			}
			if !slices.Contains(open[g], a.Rule) {
				open[g] = append(open[g], a.Rule)
			}
		}
	}
	if len(runs) == 0 && silent == 0 {
		return
	}
	t.title("Could not tell: %d of %s (%d %%)", silent, plural(len(vs), "run"), percent(silent, len(vs)))
	gaps := slices.SortedFunc(maps.Keys(runs), func(a, b gap) int {
		return cmp.Or(runs[b]-runs[a], cmp.Compare(a.format, b.format), cmp.Compare(a.missing, b.missing))
	})
	for _, g := range gaps {
		slices.Sort(open[g])
		t.block("  ", t.safe(g.format)+", "+plural(runs[g], "run")+": "+t.safe(g.missing)+" not recorded; undecided: "+strings.Join(open[g], ", "))
		t.block("      ", "record next time: "+needs(open[g], rules))
	}
}

// needs joins what rules need, each need once.
func needs(names []string, rules []classify.Rule) string {
	var out []string
	for _, name := range names {
		i := slices.IndexFunc(rules, func(r classify.Rule) bool { return r.Name == name })
		if i >= 0 && !slices.Contains(out, rules[i].Doc.Needs) {
			out = append(out, rules[i].Doc.Needs)
		}
	}
	return strings.Join(out, "; ")
}
