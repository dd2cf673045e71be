package render

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// What code hosts take of one file: results beyond the first are not read, and
// of one result's places only so many.
const (
	mostResults   = 25_000
	mostLocations = 100
)

// SARIF writes all findings as one SARIF 2.1.0 log, the loudest first where
// there are more than a code host reads. A finding lies at its first event; the
// others are related places.
func SARIF(w io.Writer, verdicts []classify.Verdict, rules []classify.Rule, version string) error {
	run := sarif.NewRun()
	run.Tool = sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("faultline").WithVersion(version))
	index := map[string]int{}
	for i, r := range rules {
		index[r.Name] = i
		run.Tool.Driver.AddRule(sarifRule(r))
	}
	left := mostResults
	for _, v := range verdicts {
		for _, s := range suppressed(v) {
			if left--; left >= 0 {
				why := sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(s.why)
				run.AddResult(sarifResult(v, s.Finding, index[s.Rule]).WithSuppressions([]*sarif.Suppression{why}))
			}
		}
	}
	for _, s := range []classify.Severity{classify.High, classify.Medium, classify.Low} {
		for _, v := range verdicts {
			for _, f := range v.Findings {
				if f.Severity == s && left > 0 {
					left--
					run.AddResult(sarifResult(v, f, index[f.Rule]))
				}
			}
		}
	}
	var b bytes.Buffer
	if err := sarif.NewReport().AddRun(run).Write(&b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if _, err := io.WriteString(w, cleanJSON(redact.NewMasker().Mask(b.String()))+"\n"); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

func sarifRule(r classify.Rule) *sarif.ReportingDescriptor {
	d := r.Doc
	help := fmt.Sprintf("%s\n\nFires: %s\n\nStays silent: %s\n\nChange: %s\n\nMeasure: %s", d.Text, d.Fires, d.NearMiss, d.Change, d.Metric)
	return sarif.NewRule(r.Name).WithDescription(d.Title).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(d.Text)).
		WithHelp(sarif.NewMultiformatMessageString().WithText(help)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevel(r.Highest))).
		WithProperties(sarif.NewPropertyBag().WithTags([]string{string(r.Layer())}))
}

func sarifLevel(s classify.Severity) string {
	switch s {
	case classify.High:
		return "error"
	case classify.Medium:
		return "warning"
	}
	return "note"
}

func sarifResult(v classify.Verdict, f classify.Finding, rule int) *sarif.Result {
	r := sarif.NewRuleResult(f.Rule).WithRuleIndex(rule).WithLevel(sarifLevel(f.Severity)).WithMessage(sarif.NewTextMessage(f.Message))
	r.WithPartialFingerprints(map[string]string{"faultline/v1": f.Fingerprint, "finding/v1": f.ID})
	r.WithProperties(sarif.NewPropertyBag().Add("run", v.Run).Add("layer", string(f.Layer)).Add("grade", string(f.Grade)).Add("episode", f.Episode))
	for i, ref := range f.Refs[:min(len(f.Refs), mostLocations)] {
		at := sarif.NewLocationWithPhysicalLocation(sarifPlace(ref)).WithID(i)
		if i == 0 {
			r.AddLocation(at)
		} else {
			r.AddRelatedLocation(at.WithMessage(sarif.NewTextMessage(fmt.Sprintf("event %d", ref.Seq))))
		}
	}
	return r
}

// sarifPlace is where an event stands: the line where the file has lines, else the
// bytes. What lies in an archive is placed at the archive.
func sarifPlace(ref ingest.Ref) *sarif.PhysicalLocation {
	p := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(ref.File)))
	switch {
	case ref.Member != "":
	case ref.Line > 0:
		p.WithRegion(sarif.NewRegion().WithStartLine(ref.Line))
	default:
		p.WithRegion(sarif.NewRegion().WithByteOffset(int(ref.Offset)).WithByteLength(int(ref.Length)))
	}
	return p
}

// uri is a path as SARIF wants it: relative, or with its scheme.
func uri(file string) string {
	u := url.URL{Path: strings.ReplaceAll(file, `\`, "/")}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
		return u.Scheme + "://" + u.EscapedPath()
	}
	return strings.TrimPrefix(u.String(), "./")
}

// muted is a finding that decides nothing, and why.
type muted struct {
	classify.Finding
	why string
}

// suppressed are the findings of a run that were waived or rejected.
func suppressed(v classify.Verdict) (out []muted) {
	for _, w := range v.Waived {
		out = append(out, muted{w.Finding, w.Reason})
	}
	for _, r := range v.Rejected {
		out = append(out, muted{r.Finding, r.Why})
	}
	return out
}
