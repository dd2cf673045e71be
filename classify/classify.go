package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/faultline-dev/faultline/ingest"
)

// Input is what a classification reads.
type Input struct {
	Store ingest.Store
	Runs  []string // ids to judge; a sub-agent's run is judged with its parent
	// Paths maps a content digest to the paths under which this call met it;
	// nil shows the store's.
	Paths map[string][]string
	// Extra is a store with records given for this call (--records), or nil.
	Extra ingest.Store
	// Configs are the faultline.yaml files that this call met; the nearest one
	// above a run's main file governs it. Global, when set, governs all.
	Configs []*Config
	Global  *Config
	Rules   []Rule
	// HideGrader leaves an independent grader's results out.
	HideGrader bool
	Workers    int
}

// Result is what a classification says, in order of run id.
type Result struct {
	Verdicts []Verdict
	// Unlinked are the refs of records that name no run of this call.
	Unlinked []ingest.Ref
}

// Run judges the runs. The result depends on nothing but the input: not on
// the order of ingest, not on the number of workers.
func Run(ctx context.Context, in Input) (*Result, error) {
	records, err := in.records()
	if err != nil {
		return nil, err
	}
	groups, err := ingest.Group(in.Store, in.Runs)
	if err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	out := make([][]Verdict, len(groups))
	linked := make([][]bool, len(groups))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, in.Workers))
	for i, ids := range groups {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			out[i], linked[i], err = in.thread(ids, records)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	res := &Result{Verdicts: slices.Concat(out...)}
	slices.SortFunc(res.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Run, b.Run) })
	for k, rec := range records {
		if rec.Contract == nil && !slices.ContainsFunc(linked, func(l []bool) bool { return l[k] }) {
			res.Unlinked = append(res.Unlinked, rec.Cite.Run.Ref(rec.Cite.Event))
		}
	}
	return res, nil
}

// records loads the record documents of this call: those found beside the
// runs, and those given.
func (in Input) records() (Records, error) {
	var out Records
	run, err := loadRecords(in.Store, in.paths())
	if err != nil {
		return nil, err
	}
	if run != nil {
		out = append(out, readRecords(run, false)...)
	}
	if in.Extra != nil {
		if run, err = loadRecords(in.Extra, nil); err != nil {
			return nil, err
		}
		if run != nil {
			out = append(out, readRecords(run, true)...)
		}
	}
	return out.once(), nil
}

// loadRecords loads the records run, restricted to files of this call.
func loadRecords(s ingest.Store, paths func(string) []string) (*ingest.Run, error) {
	manifests, err := s.Manifests(ingest.RecordsRun)
	if err != nil {
		return nil, fmt.Errorf("read records: %w", err)
	}
	if len(manifests) == 0 {
		return nil, nil
	}
	run, err := ingest.LoadOnly(s, ingest.RecordsRun, paths, func(m *ingest.Manifest) bool {
		return paths == nil || len(paths(m.Digest)) > 0
	})
	if errors.Is(err, ingest.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read records: %w", err)
	}
	return run, nil
}

// once drops a record that says the same as an earlier one.
func (rs Records) once() Records {
	seen := map[string]bool{}
	return slices.DeleteFunc(rs, func(r Record) bool {
		raw := string(r.Cite.Run.Raw(r.Cite.Event))
		if seen[raw] {
			return true
		}
		seen[raw] = true
		return false
	})
}

func (in Input) paths() func(string) []string {
	if in.Paths == nil {
		return nil
	}
	return func(digest string) []string { return in.Paths[digest] }
}

// thread judges the runs of one thread and marks the records it used.
func (in Input) thread(ids []string, records Records) ([]Verdict, []bool, error) {
	runs := make([]*ingest.Run, 0, len(ids))
	for _, id := range ids {
		r, err := ingest.Load(in.Store, id, in.paths())
		if err != nil {
			return nil, nil, err
		}
		runs = append(runs, r)
	}
	linked := make([]bool, len(records))
	for k, rec := range records {
		linked[k] = slices.ContainsFunc(runs, rec.belongsTo)
	}
	t := ingest.NewThread(runs)
	th := newThread(t, records.forRuns(runs), in.config(t.Runs[0].File()))
	var out []Verdict
	for _, r := range t.Runs {
		out = append(out, judge(newView(th, r, in.HideGrader), in.Rules))
	}
	return out, linked, nil
}

// config picks the configuration that governs a file.
func (in Input) config(file string) *Config {
	if in.Global != nil {
		return in.Global
	}
	var best *Config
	for _, c := range in.Configs {
		dir := path.Dir(strings.ReplaceAll(c.path, `\`, "/"))
		if above(c.path, file) && (best == nil || len(dir) > len(path.Dir(best.path))) {
			best = c
		}
	}
	return best
}

// judge runs the rules over one run and settles its verdict.
func judge(v *View, rules []Rule) Verdict {
	out := Verdict{
		Run: v.Run.ID, Source: v.Run.File(), Format: v.Run.Format, Thread: v.Root, Task: v.Run.Meta.Task,
		Episodes: []EpisodeVerdict{}, Findings: []Finding{}, Abstentions: []Abstention{},
	}
	for _, r := range rules {
		if !r.Occasion(v) {
			continue
		}
		p := &Pass{rule: r, view: v}
		if missing := r.Needs &^ v.Run.Grade; missing != 0 {
			p.Abstain(strings.Join(missing.Names(), ", "))
		} else {
			r.Check(v, p)
		}
		out.Findings = append(out.Findings, p.findings...)
		out.Abstentions = append(out.Abstentions, p.abstentions...)
	}
	sortFindings(out.Findings)
	out.Layer, out.Owner = primary(out.Findings, out.Abstentions)
	for _, e := range v.Episodes {
		out.Episodes = append(out.Episodes, episodeVerdict(v, e, out.Findings))
	}
	return out
}

func episodeVerdict(v *View, e *Episode, all []Finding) EpisodeVerdict {
	ev := EpisodeVerdict{
		Index: e.Index, First: v.Run.Events[e.First].Seq, Last: v.Run.Events[e.Episode.Last].Seq,
		Accepted: "no", Open: e.Open,
	}
	if e.Accepted {
		ev.Accepted = string(e.Grade)
	}
	var own []Finding
	for _, f := range all {
		if f.Episode == e.Index {
			own = append(own, f)
		}
	}
	ev.Layer, ev.Owner = primary(own, nil)
	return ev
}
