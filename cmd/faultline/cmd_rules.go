package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

const rulesLong = `List the rules, or explain one: when it applies, what it needs, what it finds and
what looks alike and stays silent.`

func newRulesCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules [NAME]",
		Short: "List or explain the rules",
		Long:  withExit(rulesLong, exitOK, exitUsage),
		Args:  args(cobra.MaximumNArgs(1)),
		RunE:  func(_ *cobra.Command, names []string) error { return runRules(a, names) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	a.addFormat(c)
	return c
}

func runRules(a *app, names []string) error {
	list := allRules()
	if len(names) == 1 {
		i := slices.IndexFunc(list, func(r classify.Rule) bool { return r.Name == names[0] })
		if i < 0 {
			return usagef("list them with: faultline rules", "explain rule: %s: no such rule", names[0])
		}
		list = list[i : i+1]
	}
	if a.json() {
		j := render.NewJSON(a.stdout)
		for _, r := range list {
			if err := j.Rule(r); err != nil {
				return err
			}
		}
		return nil
	}
	t := render.NewText(a.stdout, a.style())
	t.Rules(list)
	return t.Flush()
}

func ruleNames() []string {
	var out []string
	for _, r := range allRules() {
		out = append(out, r.Name)
	}
	return out
}
