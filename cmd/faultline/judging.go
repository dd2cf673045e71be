package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress"
)

// judgingOptions are the flags of every command that classifies.
type judgingOptions struct {
	records    string
	config     string
	hideGrader bool
	failOn     string
}

func (o *judgingOptions) add(c *cobra.Command) {
	o.addEvidence(c)
	c.Flags().StringVar(&o.failOn, "fail-on", "medium", "exit 1 from this `SEVERITY` on: high, medium or none")
}

// addEvidence declares what is consulted, for commands that judge no one.
func (o *judgingOptions) addEvidence(c *cobra.Command) {
	c.Flags().StringVar(&o.records, "records", "", "consult the record files below `DIR` for this call")
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

// consulted is what stands beside the runs of a call.
type consulted struct {
	configs     []string // paths of the configurations that count
	quarantined int      // units of record files
}

// input prepares a classification: configurations, records, rules. Runs and
// Paths are the caller's.
func (a *app) input(ctx context.Context, o judgingOptions, s ingest.Store, key redact.Key, configs []string) (classify.Input, consulted, error) {
	in := classify.Input{Store: s, Rules: allRules(), HideGrader: o.hideGrader, Workers: a.workers}
	more := consulted{configs: configs}
	if o.config != "" {
		more.configs = []string{o.config}
	}
	var err error
	if in.Global, err = loadGlobal(o.config); err != nil {
		return in, more, err
	}
	if in.Global == nil {
		if in.Configs, err = loadConfigs(configs); err != nil {
			return in, more, err
		}
	}
	extra, quarantined, err := a.loadRecords(ctx, o.records, key)
	if err != nil {
		return in, more, err
	}
	if extra != nil { // a nil *Store would be a non-nil ingest.Store
		in.Extra = extra
	}
	more.quarantined = quarantined
	return in, more, nil
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
