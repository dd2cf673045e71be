package render

import "github.com/faultline-dev/faultline/classify"

// waived writes the findings that the owner waived, each with its reason.
func (t *Text) waived(vs []classify.Verdict) {
	n := 0
	for _, v := range vs {
		n += len(v.Waived)
	}
	if n == 0 {
		return
	}
	t.title("Waived: %s", plural(n, "finding"))
	for _, v := range vs {
		for _, w := range v.Waived {
			t.line("  %s  %s, before %s", short(v.Run), w.Rule, t.safe(w.Expires))
			by := ""
			if w.By != "" {
				by = " (" + w.By + ")"
			}
			t.block("      ", t.safe(w.Reason+by))
		}
	}
}
