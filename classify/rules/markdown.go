package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
)

// Markdown renders the rules' documentation as the page RULES.md.
func Markdown(all []classify.Rule) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the rules themselves (`go test ./classify/rules -update`). Severities: high, work was accepted or an\neffect happened wrongly; medium, it could have; low, alone it explains nothing.\n")
	layer := classify.Layer("")
	for _, r := range all {
		if r.Layer() != layer {
			layer = r.Layer()
			fmt.Fprintf(&b, "\n## %s\n", layer)
		}
		d := r.Doc
		fmt.Fprintf(&b, "\n### %s\n\n**%s.** %s\n\n", r.Name, strings.TrimSuffix(d.Title, "."), d.Text)
		for _, row := range [][2]string{
			{"Fires", d.Fires}, {"Stays silent", d.NearMiss}, {"Occasion", d.Occasion}, {"Needs", d.Needs},
			{"Loudest", string(r.Highest)}, {"First to act", string(d.Owner)}, {"Change that would help", d.Change}, {"Measure that would show it", d.Metric},
		} {
			fmt.Fprintf(&b, "- %s: %s\n", row[0], row[1])
		}
	}
	return b.String()
}
