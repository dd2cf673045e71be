package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	outside "github.com/faultline-dev/faultline/ingest/evidence"
	"github.com/faultline-dev/faultline/regress"
)

// judgingOptions are the flags of every command that classifies.
type judgingOptions struct {
	records    string
	config     string
	hideGrader bool
	failOn     string
	shard      string
}

func (o *judgingOptions) add(c *cobra.Command) {
	o.addEvidence(c)
	o.addFailOn(c)
}

func (o *judgingOptions) addFailOn(c *cobra.Command) {
	c.Flags().StringVar(&o.failOn, "fail-on", "medium", "exit 1 from this `SEVERITY` on: high, medium or none")
}

// addEvidence declares what is consulted, for commands that judge no one.
func (o *judgingOptions) addEvidence(c *cobra.Command) {
	c.Flags().StringVar(&o.records, "records", "", "consult the records and CI results below `DIR` for this call")
	c.Flags().StringVar(&o.config, "config", "", "let `FILE` govern all runs in place of the faultline.yaml files met")
	c.Flags().BoolVar(&o.hideGrader, "hide-grader", false, "leave an independent grader's results out")
}

func (o *judgingOptions) check() error {
	switch o.failOn {
	case "high", "medium", "none":
		return nil
	}
	return usagef("use --fail-on high, medium or none", "read the command line: --fail-on %s: no such severity", o.failOn)
}

// fails reports a finding that sets exit code 1.
func (o *judgingOptions) fails(vs []classify.Verdict) bool {
	if o.failOn == "none" {
		return false
	}
	for _, v := range vs {
		for _, f := range v.Findings {
			if f.Severity == classify.High || f.Severity == classify.Medium && o.failOn != "high" {
				return true
			}
		}
	}
	return false
}

// evidence is all that a classification of this call sees.
type evidence struct {
	classify.Input
	paths   []string          // of the configurations that count
	notRead []*ingest.Receipt // of record files with a problem
}

// evidence prepares a classification: configurations, records, rules. Runs and
// Paths are the caller's.
func (a *app) evidence(ctx context.Context, o judgingOptions, s *badgerstore.Store, configs []string) (ev evidence, err error) {
	ev.Input = classify.Input{Store: s, Rules: allRules(), HideGrader: o.hideGrader, Workers: a.workers}
	ev.paths = configs
	if o.config != "" {
		ev.paths = []string{o.config}
	}
	if ev.Global, err = loadGlobal(o.config); err != nil {
		return ev, err
	}
	if ev.Global == nil {
		if ev.Configs, err = loadConfigs(configs); err != nil {
			return ev, err
		}
	}
	r, err := redactorOf(s)
	if err != nil {
		return ev, err
	}
	extra, notRead, err := a.loadRecords(ctx, o.records, r, ev.mappings())
	if err != nil {
		return ev, err
	}
	if extra != nil { // a nil *Store would be a non-nil ingest.Store
		ev.Extra = extra
	}
	ev.notRead = notRead
	return ev, nil
}

// mappings are the look-ups that the configurations of this call name.
func (ev *evidence) mappings() (out []outside.Mapping) {
	if ev.Global != nil {
		return ev.Global.Lookups
	}
	for _, c := range ev.Configs {
		out = append(out, c.Lookups...)
	}
	return out
}

// judgeStored classifies runs of a store that is open for reading.
func (a *app) judgeStored(ctx context.Context, o judgingOptions, s *badgerstore.Store, sel selection) (*judged, evidence, error) {
	configs, err := configsAbove(s, sel)
	if err != nil {
		return nil, evidence{}, err
	}
	ev, err := a.evidence(ctx, o, s, configs)
	if err != nil {
		return nil, ev, err
	}
	ev.Runs, ev.Paths = sel.runs, sel.paths
	if err := ev.addRejected(o, s, sel.paths); err != nil {
		return nil, ev, err
	}
	if ev.Shard, err = parseShard(o.shard); err != nil {
		return nil, ev, err
	}
	out, err := judge(ctx, ev.Input, ev.paths)
	return out, ev, err
}

func allRules() []classify.Rule { return rules.All() }

// printVerdicts writes verdict lines, then cluster lines.
func printVerdicts(j *render.JSON, vs []classify.Verdict, cs []regress.Cluster) error {
	for _, v := range vs {
		if err := j.Verdict(v); err != nil {
			return err
		}
	}
	for _, c := range cs {
		if err := j.Cluster(c); err != nil {
			return err
		}
	}
	return nil
}

// sayUnlinked names the records that no run of this call answers to.
func (a *app) sayUnlinked(refs []ingest.Ref) {
	for _, r := range refs {
		a.say("link records: %s:%d: names no run of this call", r.File, r.Line)
	}
}
