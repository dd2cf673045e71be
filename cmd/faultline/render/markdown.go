package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress"
)

// mostMarkdown is what a step summary may hold, in bytes, with room for what
// other steps write.
const mostMarkdown = 900 << 10

// Markdown writes a report as a step summary of a CI job. What would not fit is
// left out from the end, and said so.
func Markdown(w io.Writer, r Report) error {
	m := markdown{mask: redact.NewMasker()}
	m.add("## Faultline\n\n%s\n", headline(r.Verdicts))
	for _, s := range []classify.Severity{classify.High, classify.Medium} {
		m.findings(r.Verdicts, s)
	}
	m.waived(r.Verdicts)
	m.rejected(r.Verdicts)
	m.clusters(r.Clusters)
	m.untold(r.Verdicts)
	if m.left > 0 {
		fmt.Fprintf(&m.b, "\n%s left out: a step summary holds no more.\n", plural(m.left, "line"))
	}
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

type markdown struct {
	b    strings.Builder
	mask *redact.Masker
	left int // lines that did not fit
}

func (m *markdown) add(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); m.b.Len()+len(line) <= mostMarkdown {
		m.b.WriteString(line)
	} else {
		m.left++
	}
}

// code is text of a trace in a code span of a table: there it is no mark-up, no
// link and no mention.
func (m *markdown) code(s string) string {
	s = strings.NewReplacer("`", "'", "|", `\|`, "\n", " ", "\r", " ").Replace(Clean(m.mask.Mask(s)))
	return "`" + strings.TrimSpace(s) + "`"
}

func (m *markdown) findings(vs []classify.Verdict, s classify.Severity) {
	n := 0
	for _, v := range vs {
		n += count(v.Findings, s)
	}
	if n == 0 {
		return
	}
	m.add("\n### %s\n\n| rule | finding | first event |\n|---|---|---|\n", plural(n, string(s)+" finding"))
	for _, v := range vs {
		for _, f := range v.Findings {
			if f.Severity != s {
				continue
			}
			at := ""
			if len(f.Refs) > 0 {
				at = fmt.Sprintf("%s:%d", f.Refs[0].File, f.Refs[0].Line)
			}
			m.add("| %s | %s | %s |\n", f.Rule, m.code(f.Message), m.code(at))
		}
	}
}

func (m *markdown) waived(vs []classify.Verdict) {
	first := true
	for _, v := range vs {
		for _, w := range v.Waived {
			if first {
				m.add("\n### Waived\n\n| rule | run | reason | before |\n|---|---|---|---|\n")
				first = false
			}
			m.add("| %s | %s | %s | %s |\n", w.Rule, short(v.Run), m.code(w.Reason), m.code(w.Expires))
		}
	}
}

func (m *markdown) clusters(cs []regress.Cluster) {
	if len(cs) == 0 {
		return
	}
	m.add("\n### %s\n\n| runs | rule | fingerprint | such as |\n|--:|---|---|---|\n", plural(len(cs), "pattern"))
	for _, c := range cs {
		m.add("| %d | %s | %s | %s |\n", len(c.Runs), c.Rule, c.Fingerprint, m.code(c.Title))
	}
}

// untold says once a source what could not be told, and why.
func (m *markdown) untold(vs []classify.Verdict) {
	seen := map[string]bool{}
	for _, v := range vs {
		for _, a := range v.Abstentions {
			if key := v.Format + a.Rule + a.Missing; v.Layer == classify.CannotTell && !seen[key] {
				if len(seen) == 0 {
					m.add("\n### Cannot tell\n\n| source | rule | not recorded |\n|---|---|---|\n")
				}
				seen[key] = true
				m.add("| %s | %s | %s |\n", v.Format, a.Rule, m.code(a.Missing))
			}
		}
	}
}
