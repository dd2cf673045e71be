package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/review"
)

func newFindingCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "finding",
		Short: "Say what you think of a finding",
		Long:  "Say what you think of a finding.",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newFindingRejectCommand(a))
	return c
}

// rejectOptions are the flags of finding reject.
type rejectOptions struct {
	judging  judgingOptions
	decision review.Decision
	scope    string
	file     string
	suite    string
}

const findingRejectLong = `Say that a finding is none. Findings of its rule and fingerprint are muted: they
are shown apart with your reason, counted, and decide no verdict and no exit
code. They are muted where --scope says: in the repository, that is for the runs
in or below the folder of the file; there and for the finding's task only; there
and for its harness only.

The decision goes into faultline.rejected.yaml, to be reviewed and committed: in
the folder of the faultline.yaml that governs the run, else in that of the run's
file. The folder of cases (--suite) gets the finding as a case with the status
rejected, for the author of the rule: it ought to be silent there. Cases that
were approved and findings that were rejected are a rule's local precision, which
"faultline rules" and triage print.`

func newFindingRejectCommand(a *app) *cobra.Command {
	o := rejectOptions{}
	c := &cobra.Command{
		Use:   "reject ID --by NAME --why TEXT",
		Short: "Say that a finding is none, and mute its like",
		Long:  withExit(findingRejectLong, exitOK, exitFound, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, ids []string) error { return runFindingReject(c.Context(), a, o, ids[0]) },
	}
	a.addStore(c)
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.decision.By, "by", "", "`NAME` of the person who decides")
	c.Flags().StringVar(&o.decision.Why, "why", "", "why it is no failure: `TEXT`")
	c.Flags().StringVar(&o.scope, "scope", "repo", "mute it in the `SCOPE`: repo, task or harness")
	c.Flags().StringVar(&o.file, "file", "", "write the decision into `FILE`")
	c.Flags().StringVar(&o.suite, "suite", "", "write the case into `DIR` (default: the one that the file names, else cases beside it)")
	return c
}

func (o *rejectOptions) check() error {
	switch {
	case strings.TrimSpace(o.decision.By) == "":
		return usagef("add --by NAME", "reject finding: --by is missing: a person decides, by name")
	case strings.TrimSpace(o.decision.Why) == "":
		return usagef("add --why TEXT", "reject finding: --why is missing: others must see what was thought")
	case !slices.Contains([]string{"repo", "task", "harness"}, o.scope):
		return usagef("use --scope repo, task or harness", "read the command line: --scope %s: no such scope", o.scope)
	}
	return nil
}

func runFindingReject(ctx context.Context, a *app, o rejectOptions, id string) error {
	if err := o.check(); err != nil {
		return err
	}
	return a.consult(ctx, o.judging, nil, func(in consulted) error {
		out, err := judge(ctx, in.Input, in.evidence.paths)
		if err != nil {
			return err
		}
		for _, v := range out.Verdicts {
			for _, f := range v.Findings {
				if f.ID == id {
					return a.reject(ctx, in, out.Verdicts, v, f, o)
				}
			}
			for _, r := range v.Rejected {
				if r.ID == id {
					a.say("finding %s is rejected already, by %s", id, r.By)
					return nil
				}
			}
		}
		return usagef("list them with: "+a.next("classify --format json", o.judging), "reject finding: %s: no such finding", id)
	})
}

// reject writes the case, then the decision: a decision without its case would
// be less than was asked for.
func (a *app) reject(ctx context.Context, in consulted, all []classify.Verdict, v classify.Verdict, f classify.Finding, o rejectOptions) error {
	r := config.Rejection{Rule: f.Rule, Fingerprint: f.Fingerprint, Scope: o.scope, Finding: f.ID, By: o.decision.By, Why: o.decision.Why}
	switch o.scope {
	case "task":
		r.Of = v.Task
	case "harness":
		r.Of = v.Harness
	}
	if o.scope != "repo" && r.Of == "" {
		return usagef("use another --scope", "reject finding: %s: its run names no %s", f.ID, o.scope)
	}
	file := o.where(v)
	dir, text, err := o.read(file, r)
	if err != nil {
		return err
	}
	where, err := a.innocent(ctx, in, all, f, o, dir)
	if err != nil {
		return err
	}
	if err := replaceFile(file, []byte(text)); err != nil {
		return fmt.Errorf("reject finding: %w", err)
	}
	for _, path := range append([]string{file}, where...) {
		if _, err := fmt.Fprintln(a.stdout, render.Clean(path)); err != nil {
			return err
		}
	}
	return nil
}

// where is the file that the decision goes into.
func (o *rejectOptions) where(v classify.Verdict) string {
	switch {
	case o.file != "":
		return o.file
	case o.judging.config != "":
		return filepath.Join(filepath.Dir(o.judging.config), config.RejectedName)
	}
	above := append(namedOver(config.RejectedName, v.Source, map[string]bool{}), namedOver(scan.ConfigName, v.Source, map[string]bool{})...)
	if len(above) > 0 {
		return filepath.Join(filepath.Dir(filepath.FromSlash(above[0])), config.RejectedName)
	}
	return filepath.Join(filepath.Dir(filepath.FromSlash(v.Source)), config.RejectedName)
}

// read is the text of the file with the decision, and the folder of cases. The
// text is read as it will be: a file that was edited into something else is
// left alone.
func (o *rejectOptions) read(file string, r config.Rejection) (dir, text string, err error) {
	data, err := readRegular(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("reject finding: %w", err)
	}
	before, err := config.ParseRejections(file, data)
	if err != nil {
		return "", "", err
	}
	named := "cases"
	if o.suite != "" {
		named = o.suite
		if rel, err := filepath.Rel(filepath.Dir(file), o.suite); err == nil {
			named = rel
		}
	}
	text = appendRejection(string(data), filepath.ToSlash(named), r)
	after, err := config.ParseRejections(file, []byte(text))
	if err == nil && (len(after.Rejected) != len(before.Rejected)+1 || after.Rejected[len(before.Rejected)] != r) {
		err = fmt.Errorf("%w: %s: the list rejected does not stand last", config.ErrInvalid, file)
	}
	if err != nil {
		return "", "", fmt.Errorf("reject finding: %w", err)
	}
	return cmp.Or(o.suite, suiteOf(after), filepath.Join(filepath.Dir(file), "cases")), text, nil
}

// innocent writes the finding as a rejected case. A finding that its own trace
// does not show makes none, and is rejected all the same.
func (a *app) innocent(ctx context.Context, in consulted, all []classify.Verdict, f classify.Finding, o rejectOptions, dir string) ([]string, error) {
	c, err := regress.FromFinding(ctx, in.Input, all, f.ID, regress.Options{Budget: triageBudget})
	if errors.Is(err, regress.ErrNotReproduced) {
		a.say("no case is written: %v", err)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if c, err = review.Reject(c, o.decision); err != nil {
		return nil, err
	}
	held, err := heldIn(dir)
	if err != nil {
		return nil, err
	}
	if k, ok := held[c.Rule+c.Fingerprint]; ok && k.Status == regress.Approved {
		return nil, usagef("retire it first: faultline case retire "+render.Quote(k.Name)+" --by NAME --why TEXT",
			"reject finding: %s: an approved case says that it is a failure: %s", f.ID, k.Name)
	}
	written, err := writeCase(c, dir)
	if err == nil && written.Known {
		_, err = replaceCase(written.Path, c)
	}
	if err != nil {
		return nil, err
	}
	return []string{written.Path}, nil
}

// quoteYAML writes a string that YAML reads back as it is.
func quoteYAML(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r == '-' || r == '/' || r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0 && s != "" && s[0] != '-' && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
}
