package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
)

// triageOptions are the flags of triage.
type triageOptions struct {
	judging judgingOptions
	since   time.Duration
	fresh   bool
	cases   string
	minRuns int
	strict  bool
	reread  bool
	redact  redactOptions
}

const triageLong = `Read traces, say for each run which harness layer let it fail, cluster the
findings, propose regression cases, and print a report.

With PATH only runs with a file under PATH are read, printed and consulted.
Without PATH the logs of Claude Code, Codex, opencode and Gemini CLI for this
user that changed within the last 24 hours are read.

With --records DIR what others recorded counts as well, for this call: record
documents, JUnit XML, CTRF, check runs and jobs of GitHub as JSON, logs of CI
jobs, and the service logs that faultline.yaml maps to look-ups. Results of CI
belong to the run that made their commit.

What was read is kept in the store, so that a second triage of the same files
is quick and says the same.`

func newTriageCommand(a *app) *cobra.Command {
	o := triageOptions{}
	c := &cobra.Command{
		Use:   "triage [PATH...]",
		Short: "Read traces and say which layer let each run fail",
		Long:  withExit(triageLong, exitOK, exitFound, exitUsage, exitQuarantined, exitFailed, exitLocked, exitInterrupted),
		RunE: func(c *cobra.Command, paths []string) error {
			if len(paths) == 0 && !c.Flags().Changed("since") {
				o.since = 24 * time.Hour
			}
			if c.Flags().Changed("min-runs") && o.cases == "" {
				return usagef("add --cases DIR", "read the command line: --min-runs: counts only with --cases")
			}
			return runTriage(c.Context(), a, o, paths)
		},
	}
	a.addStore(c)
	a.addFormat(c, judgedFormats...)
	o.judging.add(c)
	c.Flags().DurationVar(&o.since, "since", 0, "read only files changed within `DURATION` (without PATH: 24h; 0s: any)")
	c.Flags().BoolVar(&o.fresh, "new", false, "print only runs with something new since the last call")
	c.Flags().StringVar(&o.cases, "cases", "", "write a candidate case into `DIR` for each cluster with a high finding")
	c.Flags().IntVar(&o.minRuns, "min-runs", 1, "with --cases: only clusters of at least `N` runs")
	c.Flags().BoolVar(&o.strict, "strict", false, "exit 3 when something was quarantined")
	addReread(c, &o.reread)
	o.redact.add(c)
	return c
}

func (o *triageOptions) check() error {
	if o.minRuns < 1 {
		return usagef("use --min-runs 1 or more", "read the command line: --min-runs %d: not a number of runs", o.minRuns)
	}
	return cmp.Or(o.judging.check(), notNegative(o.since))
}

// notNegative checks --since; 0 stands for any age.
func notNegative(since time.Duration) error {
	if since < 0 {
		return usagef("use --since 24h, say, or 0s for any age", "read the command line: --since %v: lies in the future", since)
	}
	return nil
}

func runTriage(ctx context.Context, a *app, o triageOptions, paths []string) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	named := paths
	if paths, err = a.triagePaths(paths); err != nil {
		return err
	}
	s, err := a.openToWrite(o.redact)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	t := triage{app: a, o: o, store: s, json: render.NewJSON(a.stdout)}
	if err := t.read(ctx, paths); err != nil {
		return err
	}
	if err := t.judge(ctx, named); err != nil {
		return err
	}
	if err := t.print(ctx); err != nil {
		return err
	}
	if o.judging.fails(t.verdicts) {
		return errFound
	}
	if o.strict && t.quarantined() {
		return errQuarantined
	}
	return nil
}

// triagePaths checks the given paths, or finds the logs of the installed
// agents.
func (a *app) triagePaths(paths []string) ([]string, error) {
	if len(paths) > 0 {
		return paths, exist(paths)
	}
	all, err := a.installed()
	if err != nil {
		return nil, err
	}
	var looked []string
	for _, l := range all {
		looked = append(looked, l.path)
		if isThere(l.path) {
			a.say("reading %s", l.path)
			paths = append(paths, l.path)
		}
	}
	if len(paths) == 0 {
		a.say("no agent logs found; looked at %s; name a PATH to read others", strings.Join(looked, ", "))
	}
	return paths, nil
}

// triage is one call on its way from files to a report.
type triage struct {
	app      *app
	o        triageOptions
	store    *badgerstore.Store
	json     *render.JSON
	tally    render.Tally
	scanned  *scan.Result
	in       classify.Input
	verdicts []classify.Verdict
	unlinked []ingest.Ref
	notRead  []*ingest.Receipt
}

// read takes the files in. As JSON, receipts come first, by path.
func (t *triage) read(ctx context.Context, paths []string) error {
	var since time.Time
	if t.o.since > 0 {
		since = time.Now().Add(-t.o.since)
	}
	var receipts []*ingest.Receipt
	res, err := t.app.takeIn(ctx, t.store, paths, scan.Options{Since: since, Reread: t.o.reread}, func(r *ingest.Receipt) error {
		receipts = append(receipts, r)
		return nil
	})
	if err != nil {
		return err
	}
	t.scanned = res
	byPath(receipts)
	for _, r := range receipts {
		t.tally.Add(r)
		if t.app.json() {
			if err := t.json.Receipt(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge classifies the runs that were met.
func (t *triage) judge(ctx context.Context, paths []string) error {
	ev, err := t.app.evidence(ctx, t.o.judging, t.store, t.scanned.Configs)
	if err != nil {
		return err
	}
	t.notRead = ev.notRead
	sc, err := t.scope(paths)
	if err != nil {
		return err
	}
	ev.Runs, ev.Paths = sc.consulted, sc.paths
	if err := ev.addRejected(t.o.judging, t.store, sc.paths); err != nil {
		return err
	}
	t.in = ev.Input
	out, err := judge(ctx, ev.Input, ev.paths)
	if err != nil {
		return err
	}
	t.verdicts, t.unlinked = out.Verdicts, out.Unlinked
	t.verdicts = slices.DeleteFunc(t.verdicts, func(v classify.Verdict) bool { return !sc.printed[v.Run] })
	t.unlinked = slices.DeleteFunc(t.unlinked, func(r ingest.Ref) bool { return sc.old[r.File] })
	return nil
}

// quarantined reports a unit that was quarantined in a trace or in a record
// file of this call.
func (t *triage) quarantined() bool {
	return t.tally.Quarantined > 0 || slices.ContainsFunc(t.notRead, func(r *ingest.Receipt) bool { return r.Quarantined > 0 })
}

// print writes verdicts, clusters and cases.
func (t *triage) print(ctx context.Context) error {
	clusters := regress.Clusters(t.verdicts)
	cases, err := t.cases(ctx, clusters)
	if err != nil {
		return err
	}
	said, err := precision(t.in.Rejected)
	if err != nil {
		return err
	}
	if t.app.json() {
		for _, c := range cases {
			t.app.sayCase(c)
		}
		t.app.sayUnlinked(t.unlinked)
		if err := printVerdicts(t.json, t.verdicts, clusters); err != nil {
			return err
		}
		for _, p := range said {
			if err := t.json.Precision(p); err != nil {
				return err
			}
		}
		return nil
	}
	return t.app.printJudged(render.Report{
		Verdicts: t.verdicts, Unlinked: t.unlinked, Cases: cases, Tally: &t.tally, NotRead: t.notRead, Said: said,
	}, t.o.judging)
}

// triageBudget limits how many candidates are judged to make the case of one
// cluster small: a triage is waited for.
const triageBudget = 100

// cases writes a candidate for each cluster with a high finding in enough
// runs, where --cases asks for it. A cluster that a case of the folder is of
// already gets no other.
func (t *triage) cases(ctx context.Context, clusters []regress.Cluster) ([]render.CaseFile, error) {
	held, err := heldIn(t.o.cases)
	if err != nil {
		return nil, err
	}
	var out []render.CaseFile
	progress := t.app.newProgress()
	defer progress.done()
	for _, c := range clusters {
		if t.o.cases == "" || c.Severity != classify.High || len(c.Runs) < t.o.minRuns {
			continue
		}
		if k, ok := held[c.Rule+c.Fingerprint]; ok {
			out = append(out, render.CaseFile{Fingerprint: c.Fingerprint, Rule: c.Rule, Path: filepath.FromSlash(k.Name), Known: true})
			continue
		}
		file, err := t.candidate(ctx, c.Fingerprint, progress)
		if err != nil {
			return nil, err
		}
		file.Fingerprint, file.Rule = c.Fingerprint, c.Rule
		out = append(out, file)
	}
	return out, nil
}

func (t *triage) candidate(ctx context.Context, fingerprint string, p *progress) (render.CaseFile, error) {
	c, err := makeCase(ctx, t.in, t.verdicts, fingerprint, regress.Options{Budget: triageBudget, Told: p.reducing})
	if errors.Is(err, regress.ErrNotReproduced) {
		return render.CaseFile{Problem: err.Error()}, nil
	} else if err != nil {
		return render.CaseFile{}, err
	}
	return writeCase(c, t.o.cases)
}
