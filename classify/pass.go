package classify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// Finding is a rule that fired.
type Finding struct {
	ID          string       `json:"id"`
	Rule        string       `json:"rule"`
	Layer       Layer        `json:"layer"`
	Severity    Severity     `json:"severity"`
	Grade       Grade        `json:"grade"`
	Message     string       `json:"message"`
	Fingerprint string       `json:"fingerprint"`
	Refs        []ingest.Ref `json:"refs"`
	Episode     int          `json:"episode"` // counts from 1, as EpisodeVerdict.Index

	owner Layer
	pos   int
}

// Abstention is a rule whose occasion occurred but whose evidence the source
// cannot record.
type Abstention struct {
	Rule    string `json:"rule"`
	Missing string `json:"missing"`

	couldBeHigh bool
}

// Pass collects what one rule says of one run.
type Pass struct {
	rule        Rule
	view        *View
	findings    []Finding
	abstentions []Abstention
	ids         map[string]bool // of the findings
}

// Hit is one report of a rule.
type Hit struct {
	Severity Severity
	Grade    Grade
	Episode  int // index of the episode in the view, from 0
	// At is the position of the event at which the owner could have prevented
	// or detected the failure.
	At int
	// Cite lists the events that prove it, the deciding one first.
	Cite    []Cite
	Message string
	// Structure feeds the fingerprint: tool, command class, error class, check
	// name, boundary kind. No prose of the trace, no ids, no paths.
	Structure []string
}

// Report adds a finding. Inferred evidence caps it at medium; an independent
// grader that accepted the result caps the three layers' findings at medium
// too.
func (p *Pass) Report(h Hit) {
	severity := h.Severity
	if s := p.view.config.Rules[p.rule.Name]; s != "" { // the owner's own word for it
		severity = Severity(s)
	}
	if h.Grade == Inferred && !p.view.uncapped(p.rule.Name) {
		severity = severity.Cap(Medium)
	}
	if p.rule.Layer() == Acceptance && p.view.Grader.Accepted() {
		severity = severity.Cap(Medium)
	}
	f := Finding{
		Rule: p.rule.Name, Layer: p.rule.Layer(), Severity: severity, Grade: h.Grade,
		Message: h.Message, Fingerprint: fingerprint(p.rule.Name, h.Structure),
		Episode: h.Episode + 1, owner: p.rule.Doc.Owner, pos: h.At,
	}
	seen := map[ingest.Ref]bool{}
	for _, c := range h.Cite {
		if c.Event == nil {
			continue
		}
		if ref := c.Run.Ref(c.Event); !seen[ref] {
			seen[ref] = true
			f.Refs = append(f.Refs, ref)
		}
	}
	f.ID = findingID(p.view.Run.ID, f.Rule, f.Refs)
	if p.ids[f.ID] {
		return
	}
	if p.ids == nil {
		p.ids = map[string]bool{}
	}
	p.ids[f.ID] = true
	p.findings = append(p.findings, f)
}

// Abstain says that the rule cannot be decided here and what is missing.
func (p *Pass) Abstain(missing string) {
	for _, a := range p.abstentions {
		if a.Missing == missing {
			return
		}
	}
	p.abstentions = append(p.abstentions, Abstention{Rule: p.rule.Name, Missing: missing, couldBeHigh: p.rule.Highest == High})
}

// fingerprintVersion changes when equal structures would hash differently.
const fingerprintVersion = "1"

func fingerprint(rule string, structure []string) string {
	sum := sha256.Sum256([]byte(fingerprintVersion + "\x00" + rule + "\x00" + strings.Join(structure, "\x00")))
	return hex.EncodeToString(sum[:6])
}

func findingID(run, rule string, refs []ingest.Ref) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s", run, rule)
	for _, r := range refs {
		fmt.Fprintf(h, "\x00%s:%s:%d", r.Run, r.Source, r.Seq)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// sortFindings orders by first ref, then rule, then id.
func sortFindings(fs []Finding) {
	slices.SortFunc(fs, func(a, b Finding) int {
		if len(a.Refs) > 0 && len(b.Refs) > 0 && a.Refs[0] != b.Refs[0] {
			if a.Refs[0].Less(b.Refs[0]) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.ID, b.ID))
	})
}
