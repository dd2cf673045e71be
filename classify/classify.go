package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/faultline-dev/faultline/classify/config"
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
	Configs []*config.Config
	Global  *config.Config
	// Rejected are the findings of which a person said that they are none.
	Rejected []*config.Rejections
	Rules    []Rule
	// HideGrader leaves an independent grader's results out.
	HideGrader bool
	// Shard limits the judgement to a part of the threads. Effects of the others
	// still count where a contract joins them.
	Shard   Shard
	Workers int
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
	records, groups, err := in.gather()
	if err != nil {
		return nil, err
	}
	byKey := records.keyed()
	out := make([]threadResult, len(groups))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, in.Workers))
	for i, ids := range groups {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if in.Shard.holds(ids[0]) {
				out[i], err = in.thread(ctx, ids, records, byKey)
			} else {
				out[i], err = in.foreign(ctx, ids, records, byKey)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	res := &Result{}
	views := map[string]*View{}
	var effects []*Effect
	for _, t := range out {
		res.Verdicts = append(res.Verdicts, t.verdicts...)
		effects = append(effects, t.effects...)
		for _, v := range t.views {
			views[v.Run.ID] = v
		}
	}
	slices.SortFunc(res.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Run, b.Run) })
	acrossThreads(in.Rules, views, effects, res.Verdicts)
	for k, rec := range records {
		if rec.Contract == nil && !slices.ContainsFunc(out, func(t threadResult) bool { return t.linked[k] }) {
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

// placeContracts finds the folders that contracts without a run govern.
func (in Input) placeContracts(records Records) error {
	if !slices.ContainsFunc(records, func(r Record) bool { return r.Contract != nil && r.Contract.RunID == "" }) {
		return nil
	}
	var files []string
	for _, id := range in.Runs {
		manifests, err := in.Store.Manifests(id)
		if err != nil {
			return fmt.Errorf("classify: read manifests of run %s: %w", id, err)
		}
		for _, m := range manifests {
			paths := in.Paths[m.Digest]
			if len(paths) == 0 {
				if paths, err = in.Store.Paths(m.Digest); err != nil {
					return fmt.Errorf("classify: read paths of run %s: %w", id, err)
				}
			}
			files = append(files, paths...)
		}
	}
	records.place(files)
	return nil
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

// threadResult is what one thread gives: its verdicts, which records it used,
// and, where contracts let effects be compared with other threads', those
// effects with the views of their runs.
type threadResult struct {
	verdicts []Verdict
	linked   []bool
	effects  []*Effect
	views    []*View
}

// thread judges the runs of one thread.
func (in Input) thread(ctx context.Context, ids []string, records Records, k keyed) (threadResult, error) {
	th, linked, err := in.read(ctx, ids, records, k)
	if err != nil {
		return threadResult{}, err
	}
	res := threadResult{linked: linked, effects: th.contracted()}
	for _, r := range th.Runs {
		v := newView(th, r, in.HideGrader)
		v.rejected = in.rejections(r)
		verdict, err := judge(ctx, v, in.Rules)
		if err != nil {
			return res, err
		}
		res.verdicts = append(res.verdicts, verdict)
		if len(res.effects) > 0 {
			res.views = append(res.views, v)
		}
	}
	return res, nil
}

// read loads the runs of a thread and finds its facts, and which records
// belong to it.
func (in Input) read(ctx context.Context, ids []string, records Records, k keyed) (_ *Thread, linked []bool, err error) {
	runs, err := in.load(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	linked = make([]bool, len(records))
	for k, rec := range records {
		linked[k] = slices.ContainsFunc(runs, rec.belongsTo)
	}
	t := ingest.NewThread(runs)
	th, byKey := newThread(t, records.forRuns(runs), k, in.config(t.Runs[0].File()))
	for _, i := range byKey {
		linked[i] = true
	}
	return th, linked, nil
}

// config picks the configuration that governs a file.
func (in Input) config(file string) *config.Config {
	if in.Global != nil {
		return in.Global
	}
	var best *config.Config
	for _, c := range in.Configs {
		if inside(c.Dir(), file) && (best == nil || len(c.Dir()) > len(best.Dir())) {
			best = c
		}
	}
	return best
}

// judge runs the rules over one run and settles its verdict. It stops between
// two rules when the context ends.
func judge(ctx context.Context, v *View, rules []Rule) (Verdict, error) {
	out := Verdict{
		Run: v.Run.ID, Source: v.Run.File(), Format: v.Run.Format, Thread: v.Root, Task: v.Run.Meta.Task,
		Episodes: []EpisodeVerdict{}, Findings: []Finding{}, Abstentions: []Abstention{},
	}
	for _, r := range rules {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if v.config.Rules[r.Name] == config.Off || !r.Occasion(v) {
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
	out.describe(v.Run)
	out.settle(v)
	return out, nil
}

// settle orders the findings and picks layers and owners.
func (out *Verdict) settle(v *View) {
	sortFindings(out.Findings)
	out.waive(v)
	out.reject(v)
	out.Layer, out.Owner = primary(out.Findings, out.Abstentions)
	out.Episodes = out.Episodes[:0]
	own := map[int][]Finding{}
	for _, f := range out.Findings {
		own[f.Episode] = append(own[f.Episode], f)
	}
	for _, e := range v.Episodes {
		out.Episodes = append(out.Episodes, episodeVerdict(v, e, own[e.Index+1]))
	}
}

func episodeVerdict(v *View, e *Episode, own []Finding) EpisodeVerdict {
	ev := EpisodeVerdict{
		Index: e.Index + 1, First: v.Run.Events[e.First].Seq, Last: v.Run.Events[e.Episode.Last].Seq,
		Accepted: "no", Open: e.Open,
	}
	if e.Accepted {
		ev.Accepted = string(e.Grade)
	}
	ev.Layer, ev.Owner = primary(own, nil)
	return ev
}
