package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest/scan"
)

const configLong = `Check a faultline.yaml: its grammar, the rules that it names, and what of it has
no effect any more, such as a waiver that has expired. Without FILE that of the
current folder or the nearest folder above it is checked.

What can stand in it: faultline help config`

func newConfigCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Check faultline.yaml, and what can stand in it",
		Long:  configHelp,
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check a faultline.yaml",
		Long:  withExit(configLong, exitOK, exitFound, exitUsage, exitFailed),
		RunE:  func(_ *cobra.Command, files []string) error { return runConfigCheck(a, files) },
	})
	return c
}

func runConfigCheck(a *app, files []string) error {
	if len(files) == 0 {
		file, err := nearestConfig()
		if err != nil {
			return err
		}
		files = []string{file}
	}
	t, problems := render.NewText(a.stdout, a.style()), 0
	for _, file := range files {
		if err := missing("check configuration", file); err != nil {
			return err
		}
		c, err := config.Load(file)
		if err != nil {
			return err
		}
		stale := outdated(c, time.Now())
		if problems += len(stale); problems == 0 {
			t.Config(c)
		}
		t.ConfigProblems(file, stale)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if problems > 0 {
		return errFound
	}
	return nil
}

// nearestConfig looks for the file in the current folder and those above it.
func nearestConfig() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the configuration: %w", err)
	}
	for {
		file := filepath.Join(dir, scan.ConfigName)
		if isThere(file) {
			return file, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", usagef("name the FILE", "check configuration: no %s here or above", scan.ConfigName)
		}
		dir = up
	}
}

// outdated lists what a configuration names in vain.
func outdated(c *config.Config, now time.Time) (out []string) {
	known := func(name string) bool {
		return slices.ContainsFunc(allRules(), func(r classify.Rule) bool { return r.Name == name })
	}
	for name := range c.Rules {
		if !known(name) {
			out = append(out, fmt.Sprintf("rules: %s is no rule", name))
		}
	}
	slices.Sort(out)
	for i, w := range c.Waivers {
		if !known(w.Rule) {
			out = append(out, fmt.Sprintf("waivers[%d]: %s is no rule", i, w.Rule))
		}
		if !w.Holds(now) {
			out = append(out, fmt.Sprintf("waivers[%d]: expired on %s (%s)", i, w.Expires, w.Reason))
		}
	}
	return out
}
