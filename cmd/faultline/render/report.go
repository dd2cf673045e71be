package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/suite"
)

// Report is all that a triage says.
type Report struct {
	Verdicts []classify.Verdict
	Clusters []regress.Cluster
	Rules    []classify.Rule   // whose documentation says what to record next time
	Unlinked []ingest.Ref      // records that name no run of this call
	Cases    []CaseFile        // written by this call
	Tally    *Tally            // nil when nothing was ingested
	NotRead  []*ingest.Receipt // of record files that were only consulted
	Said     []suite.Precision // what people said of the rules
}

// CaseFile is a regression case and where it lies, or why it is not there.
type CaseFile struct {
	Fingerprint, Rule, Path string
	Known                   bool   // it was there before
	Problem                 string // why there is none
}

// Report writes the report: first what went wrong, loudest first, last what
// was read.
func (t *Text) Report(r Report) {
	t.line("%s", headline(r.Verdicts))
	quiet := t.blamed(r.Verdicts)
	t.innocent(quiet)
	t.clusters(r.Clusters)
	t.advice(r.Verdicts, r.Rules)
	t.untold(r.Verdicts, r.Rules)
	t.waived(r.Verdicts)
	t.rejected(r.Verdicts, r.Said)
	t.unlinked(r.Unlinked)
	t.cases(r)
	notRead := r.NotRead
	if r.Tally != nil {
		notRead = slices.Concat(r.Tally.Problems, r.NotRead)
	}
	t.problems(notRead)
	if r.Tally != nil {
		t.title("%s", "Read")
		t.Sum(*r.Tally)
	}
}

// headline counts verdicts by layer in a fixed order.
func headline(vs []classify.Verdict) string {
	if len(vs) == 0 {
		return "No runs."
	}
	n := map[classify.Layer]int{}
	for _, v := range vs {
		n[v.Layer]++
	}
	var parts []string
	for _, l := range []classify.Layer{
		classify.Acceptance, classify.Idempotency, classify.Handoff, classify.Context, classify.ToolContract,
		classify.Permission, classify.Runtime, classify.Provider, classify.Model, classify.None,
	} {
		if n[l] > 0 {
			parts = append(parts, itoa(n[l])+" "+string(l))
		}
	}
	silent := n[classify.CannotTell]
	parts = append(parts, itoa(silent)+" cannot tell ("+itoa(percent(silent, len(vs)))+" %)")
	return plural(len(vs), "run") + ": " + strings.Join(parts, ", ") + "."
}

// blamed writes the runs with a primary layer and returns the others.
func (t *Text) blamed(vs []classify.Verdict) (quiet []classify.Verdict) {
	var loud []classify.Verdict
	for _, v := range vs {
		if v.Layer == classify.None || v.Layer == classify.CannotTell {
			quiet = append(quiet, v)
		} else {
			loud = append(loud, v)
		}
	}
	slices.SortStableFunc(loud, func(a, b classify.Verdict) int {
		return cmp.Or(
			count(b.Findings, classify.High)-count(a.Findings, classify.High),
			count(b.Findings, classify.Medium)-count(a.Findings, classify.Medium),
			cmp.Compare(a.Source, b.Source), cmp.Compare(a.Run, b.Run))
	})
	for _, v := range loud[:min(len(loud), maxRuns)] {
		t.verdict(v)
	}
	if len(loud) > maxRuns {
		t.line("")
		t.more("", len(loud)-maxRuns, "run")
	}
	return quiet
}

func count(fs []classify.Finding, s classify.Severity) int {
	n := 0
	for _, f := range fs {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// verdict writes one run with its high and medium findings.
func (t *Text) verdict(v classify.Verdict) {
	t.title("%s  %s", short(v.Run), t.safe(v.Source))
	t.line("  layer %s, first to act: %s", v.Layer, v.Owner)
	shown := 0
	for _, s := range []classify.Severity{classify.High, classify.Medium} {
		if s == classify.Medium && shown > 0 && count(v.Findings, s) > 0 {
			t.line("  risks beside it:")
		}
		for _, f := range v.Findings {
			if f.Severity != s {
				continue
			}
			if shown++; shown <= maxFindings {
				t.finding(v, f)
			}
		}
	}
	t.more("  ", shown-maxFindings, "finding")
	if n := count(v.Findings, classify.Low); n > 0 {
		t.line("  and %s", plural(n, "low finding"))
	}
}

// What a report lists of each, so that it stays readable; the loudest come
// first, and all are in the JSON.
const (
	maxRuns     = 50
	maxFindings = 10 // of one run
	maxRefs     = 5  // of one finding
	maxClusters = 30
	maxProblems = 20
	maxCases    = 50
)

// more counts what a list leaves out.
func (t *Text) more(indent string, n int, one string) {
	if n > 0 {
		t.line("%sand %s more; --format json lists all", indent, plural(n, one))
	}
}

func (t *Text) finding(v classify.Verdict, f classify.Finding) {
	grade := ""
	if f.Grade == classify.Inferred {
		grade = " (inferred)"
	}
	t.styled("  "+t.severity(f.Severity)+" ", 9, t.safe(f.Rule)+": "+t.safe(f.Message)+grade)
	for i, ref := range f.Refs {
		if i == maxRefs {
			t.line("         and %d more", len(f.Refs)-maxRefs)
			break
		}
		t.line("         %s", t.ref(ref))
	}
	if len(f.Refs) > 0 {
		t.line("         %s", t.showHint(v, f.Refs[0]))
	}
}

// ref is file:line (seq N).
func (t *Text) ref(r ingest.Ref) string {
	return t.safe(r.File) + ":" + itoa(r.Line) + " (seq " + itoa(r.Seq) + ")"
}

// showHint is the command that shows the event. A run's other files need
// their name before the number; a record belongs to no run, so it is not
// shown.
func (t *Text) showHint(v classify.Verdict, r ingest.Ref) string {
	if r.Run == ingest.RecordsRun {
		return t.command("show " + short(v.Run))
	}
	at := itoa(r.Seq)
	if r.File != v.Source && r.Run == v.Run {
		at = Quote(t.safe(base(r.File)) + ":" + at)
	}
	return t.command("show " + short(r.Run) + " --at " + at)
}

// command is a faultline command with the flags of this call.
func (t *Text) command(args string) string {
	if t.style.Flags != "" {
		args += " " + t.style.Flags
	}
	return "faultline " + args
}

// innocent counts the runs without a finding that names a layer.
func (t *Text) innocent(quiet []classify.Verdict) {
	none, low := 0, 0
	for _, v := range quiet {
		if v.Layer == classify.None {
			none++
			low += len(v.Findings)
		}
	}
	if none == 0 {
		return
	}
	note := ""
	if low > 0 {
		note = " (" + plural(low, "low finding") + ")"
	}
	t.title("%s without a high or medium finding%s", plural(none, "run"), note)
}

func itoa(n int) string { return strconv.Itoa(n) }
