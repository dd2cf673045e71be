package main

import (
	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
)

const mergeLong = `Merge what "faultline classify --shard i/n" printed for each i, in any order, into
what one classification would have printed, byte for byte. Nothing is merged
when a shard is missing or twice there, or when the stores were redacted with
unlike keys.

  faultline classify --shard 1/2 > a
  faultline classify --shard 2/2 > b
  faultline merge a b`

func newMergeCommand(a *app) *cobra.Command {
	o := judgingOptions{}
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Merge the verdicts of shards",
		Long:  withExit(mergeLong, exitOK, exitFound, exitUsage, exitFailed, exitInterrupted),
		Args:  args(cobra.MinimumNArgs(1)),
		RunE:  func(_ *cobra.Command, files []string) error { return runMerge(a, o, files) },
	}
	a.addFormat(c, judgedFormats...)
	o.addFailOn(c)
	return c
}

func runMerge(a *app, o judgingOptions, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := exist(paths); err != nil {
		return err
	}
	var files []shardFile
	for _, p := range paths {
		f, err := readShard(p)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	verdicts, unlinked, err := mergeShards(files)
	if err != nil {
		return err
	}
	if err := a.printJudged(render.Report{Verdicts: verdicts, Unlinked: unlinked}, o); err != nil {
		return err
	}
	if o.fails(verdicts) {
		return errFound
	}
	return nil
}

// printJudged prints verdicts and their clusters in the format that was asked
// for.
func (a *app) printJudged(r render.Report, o judgingOptions) error {
	r.Clusters, r.Rules = regress.Clusters(r.Verdicts), allRules()
	switch a.format {
	case "json":
		a.sayUnlinked(r.Unlinked)
		return printVerdicts(render.NewJSON(a.stdout), r.Verdicts, r.Clusters)
	case "sarif":
		return render.SARIF(a.stdout, r.Verdicts, r.Rules, moduleVersion())
	case "markdown":
		return render.Markdown(a.stdout, r)
	}
	t := render.NewText(a.stdout, a.judgedStyle(o))
	t.Report(r)
	return t.Flush()
}
