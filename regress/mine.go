package regress

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/reduce"
)

// FromFinding makes a case of a finding among the verdicts. An unknown id gives
// an error that wraps ingest.ErrNotFound, a finding that its own export does
// not show one that wraps ErrNotReproduced.
func FromFinding(ctx context.Context, in classify.Input, verdicts []classify.Verdict, id string, o Options) (*Case, error) {
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if f.ID == id {
				return mine(ctx, in, v, f, o)
			}
		}
	}
	return nil, fmt.Errorf("make case of finding %s: %w", id, ingest.ErrNotFound)
}

// maxSources bounds how many sources of a cluster are tried.
const maxSources = 3

// FromCluster makes a case of the clearest source of a cluster: among its
// loudest findings the one of the run with the fewest events, then with the
// smallest id. Where that one does not reproduce, the next are tried.
func FromCluster(ctx context.Context, in classify.Input, verdicts []classify.Verdict, fingerprint string, o Options) (*Case, error) {
	sources, err := sourcesOf(in, verdicts, fingerprint)
	if err != nil {
		return nil, fmt.Errorf("make case of cluster %s: %w", fingerprint, err)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("make case of cluster %s: %w", fingerprint, ingest.ErrNotFound)
	}
	var failed []error
	for _, s := range sources[:min(len(sources), maxSources)] {
		c, err := mine(ctx, in, s.verdict, s.finding, o)
		if err == nil || !errors.Is(err, ErrNotReproduced) {
			return c, err
		}
		failed = append(failed, err)
	}
	return nil, fmt.Errorf("make case of cluster %s: %w", fingerprint, errors.Join(failed...))
}

// source is a finding that a case may be made of.
type source struct {
	verdict classify.Verdict
	finding classify.Finding
	events  int
}

func sourcesOf(in classify.Input, verdicts []classify.Verdict, fingerprint string) ([]source, error) {
	var out []source
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if f.Fingerprint != fingerprint {
				continue
			}
			n, err := countEvents(in.Store, v.Run)
			if err != nil {
				return nil, err
			}
			out = append(out, source{v, f, n})
		}
	}
	slices.SortStableFunc(out, func(a, b source) int {
		return cmp.Or(b.finding.Severity.Rank()-a.finding.Severity.Rank(), a.events-b.events, cmp.Compare(a.verdict.Run, b.verdict.Run))
	})
	return slices.CompactFunc(out, func(a, b source) bool { return a.verdict.Run == b.verdict.Run }), nil
}

// countEvents counts the events of a run without loading it: the most that any
// content of each member holds.
func countEvents(s ingest.Store, run string) (int, error) {
	manifests, err := s.Manifests(run)
	if err != nil {
		return 0, fmt.Errorf("count events of run %s: %w", run, err)
	}
	most := map[int]int{}
	for _, m := range manifests {
		n := 0
		for _, p := range m.Places {
			n += p.Events
		}
		most[m.Role] = max(most[m.Role], n)
	}
	total := 0
	for _, n := range most {
		total += n
	}
	return total, nil
}

// mine makes and proves the case of one finding, keeping the least of the
// trace that still shows it.
func mine(ctx context.Context, in classify.Input, v classify.Verdict, f classify.Finding, o Options) (*Case, error) {
	m := miner{in: in, finding: f, verdict: v, cited: citedRuns(v.Run, f), family: family{}}
	c, err := m.make(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("make case of finding %s: %w", f.ID, err)
	}
	return c, nil
}

func (m *miner) make(ctx context.Context, o Options) (_ *Case, err error) {
	if m.material, err = m.in.Material(ctx, m.cited...); err != nil {
		return nil, err
	}
	base, err := m.first(ctx)
	if err != nil {
		return nil, err
	}
	d, found := base, reduce.Result{}
	if base.exact && !o.Whole {
		if d, found, err = m.shrink(ctx, base, o); err != nil {
			return nil, err
		}
	}
	c, err := m.finish(ctx, d, found)
	if d != base && errors.Is(err, ErrNotReproduced) {
		c, err = m.finish(ctx, base, found)
	}
	return c, err
}

// first is the draft of the smallest scope that shows the finding, without the
// configuration where it does not need it.
func (m *miner) first(ctx context.Context) (*draft, error) {
	configs := [][]byte{nil}
	if m.material.Config != nil {
		b, err := yaml.Marshal(m.material.Config)
		if err != nil {
			return nil, fmt.Errorf("write configuration: %w", err)
		}
		configs = append(configs, b)
	}
	for _, s := range m.scopes() {
		for _, text := range configs {
			if d, err := m.attempt(ctx, s, text); err != nil || d != nil {
				return d, err
			}
		}
	}
	return nil, fmt.Errorf("%w: %s is silent on the exported thread", ErrNotReproduced, m.finding.Rule)
}

type miner struct {
	in       classify.Input
	material *classify.Material
	finding  classify.Finding
	verdict  classify.Verdict // of the finding's run
	cited    []string         // the finding's run, then others that it cites
	family   family
}

// citedRuns lists the run of a finding and those of its refs: an effect may
// have happened again in another thread.
func citedRuns(run string, f classify.Finding) []string {
	out := []string{run}
	for _, ref := range f.Refs {
		if ref.Run != ingest.RecordsRun && !slices.Contains(out, ref.Run) {
			out = append(out, ref.Run)
		}
	}
	return out
}

// draft is a case that shows its finding and was not yet proved from its bytes.
type draft struct {
	*Case
	scope scope
	found classify.Finding // in the case's own trace
	exact bool             // at the event that the finding cites first

	unplayed string // why it has no script
}

// blank is a case of the finding without a trace.
func (m *miner) blank(text []byte) *Case {
	return &Case{
		Rule: m.finding.Rule, Layer: m.finding.Layer, Fingerprint: m.finding.Fingerprint, Status: Candidate,
		HideGrader: m.in.HideGrader, Components: []string{}, Config: text,
	}
}

// attempt builds the case of a scope and judges it: nil when it does not show
// the finding. Only the last scope may show it at another place.
func (m *miner) attempt(ctx context.Context, s scope, text []byte) (*draft, error) {
	c := m.blank(text)
	at, err := m.fill(c, s)
	if err != nil || at == nil && !s.last {
		return nil, err
	}
	found, err := c.judge(ctx, m.in.Rules)
	if err != nil {
		return nil, err
	}
	f, exact := m.shown(found, at, s.last)
	if f == nil {
		return nil, nil
	}
	c.Want = []Want{wantOf(*f)}
	c.Sources = []Source{m.source()}
	c.Expect = []expect.Expect{{Invariant: expect.RuleSilent, Rule: c.Rule, Fingerprint: c.Fingerprint}}
	c.ID = c.contentID()
	return &draft{Case: c, scope: s, found: *f, exact: exact}, nil
}

// finish says what was kept and proves the case.
func (m *miner) finish(ctx context.Context, d *draft, found reduce.Result) (*Case, error) {
	all := scope{parts: m.everything()}
	var before Case
	if _, err := m.fill(&before, all); err != nil {
		return nil, err
	}
	c := d.Case
	c.Reduced = &Reduction{
		Events: [2]int{all.events(), d.scope.events()},
		Bytes:  [2]int{len(before.Trace) + len(before.Records), len(c.Trace) + len(c.Records)},
		Judged: found.Judged, Complete: found.Complete,
	}
	var err error
	if c.Script, d.unplayed, err = m.script(ctx); err != nil {
		return nil, err
	}
	c.Comment = m.comment(d)
	return m.prove(ctx, c)
}

// measures reports that an invariant of the configuration asks for spans of a
// name.
func (m *miner) measures(name string) bool {
	if m.material.Config == nil {
		return false
	}
	return slices.ContainsFunc(m.material.Config.Invariants, func(i config.Invariant) bool {
		return i.Spans != "" && config.Wild(i.Spans, name)
	})
}

// fill writes the trace and the records, and tells where the event that the
// finding cites first stands in them: nil when a cited event is not among them.
func (m *miner) fill(c *Case, s scope) (*Want, error) {
	x := newExporter(s.threads())
	x.family = m.family
	for _, p := range slices.Concat(s.parts...) {
		if err := x.events(p); err != nil {
			return nil, err
		}
		if err := x.spans(p.run, m.measures); err != nil {
			return nil, err
		}
	}
	records, recordLines, err := x.recordLines(m.material.Records, s)
	if err != nil {
		return nil, err
	}
	c.Trace, c.Records = x.out, records
	var at *Want
	for i, ref := range m.finding.Refs {
		w := Want{Rule: c.Rule, Severity: m.finding.Severity, File: traceFile, Line: x.lines[placeOf(ref)]}
		if w.Line == 0 {
			w.File, w.Line = recordsFile, recordLines[placeOf(ref)]
		}
		if w.Line == 0 {
			return nil, nil
		}
		if i == 0 {
			at = &w
		}
	}
	return at, nil
}

// shown picks the finding that is the same: rule, fingerprint, severity and
// place; or, where the whole thread was kept, rule and fingerprint.
func (m *miner) shown(found []classify.Finding, at *Want, anywhere bool) (_ *classify.Finding, exact bool) {
	if at != nil {
		if f := at.in(found, m.finding.Fingerprint); f != nil {
			return f, true
		}
	}
	for i, f := range found {
		if anywhere && f.Rule == m.finding.Rule && f.Fingerprint == m.finding.Fingerprint && len(f.Refs) > 0 {
			return &found[i], false
		}
	}
	return nil, false
}

// prove reads the case back from its bytes and verifies what was read.
func (m *miner) prove(ctx context.Context, c *Case) (*Case, error) {
	data := c.Bytes()
	back, err := ParseCase(c.Name(), data)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(back.Bytes(), data) {
		return nil, fmt.Errorf("%w: %s: does not survive being written", ErrCase, c.Name())
	}
	if err := back.Verify(ctx, m.in.Rules); err != nil {
		return nil, err
	}
	return back, nil
}

func (m *miner) source() Source {
	s := Source{Finding: m.finding.ID, Run: m.cited[0]}
	if r := m.find(m.cited[0]); r != nil {
		s.Harness, s.Version, s.At = r.Meta.Harness, r.Meta.Version, r.End()
	}
	return s
}
