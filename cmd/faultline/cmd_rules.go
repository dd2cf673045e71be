package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress/suite"
)

const rulesLong = `List the rules, or explain one: when it applies, what it needs, what it finds and
what looks alike and stays silent. Where findings were rejected ("faultline
finding reject"), each rule shows how many of its findings people here confirmed,
by approving a case, and how many they rejected.`

func newRulesCommand(a *app) *cobra.Command {
	rejected := ""
	c := &cobra.Command{
		Use:   "rules [NAME]",
		Short: "List or explain the rules",
		Long:  withExit(rulesLong, exitOK, exitUsage),
		Args:  args(cobra.MaximumNArgs(1)),
		RunE:  func(_ *cobra.Command, names []string) error { return runRules(a, names, rejected) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	a.addFormat(c)
	c.Flags().StringVar(&rejected, "rejected", "", "count the findings that were rejected in `FILE` (default: "+config.RejectedName+", where it is)")
	return c
}

func runRules(a *app, names []string, rejected string) error {
	list := allRules()
	if len(names) == 1 {
		i := slices.IndexFunc(list, func(r classify.Rule) bool { return r.Name == names[0] })
		if i < 0 {
			return usagef("list them with: faultline rules", "explain rule: %s: no such rule", names[0])
		}
		list = list[i : i+1]
	}
	said, err := saidOfRules(rejected)
	if err != nil {
		return err
	}
	if a.json() {
		j := render.NewJSON(a.stdout)
		for _, r := range list {
			if err := j.Rule(r, said); err != nil {
				return err
			}
		}
		return nil
	}
	t := render.NewText(a.stdout, a.style())
	t.Rules(list, said)
	return t.Flush()
}

// saidOfRules is what people said of the rules in a file, or in the one of the
// current folder.
func saidOfRules(file string) ([]suite.Precision, error) {
	if file == "" {
		if file = config.RejectedName; !isThere(file) {
			return nil, nil
		}
	}
	if err := missing("read rejected findings", file); err != nil {
		return nil, err
	}
	list, err := config.LoadRejections(file)
	if err != nil {
		return nil, err
	}
	return precision([]*config.Rejections{list})
}

func ruleNames() []string {
	var out []string
	for _, r := range allRules() {
		out = append(out, r.Name)
	}
	return out
}
