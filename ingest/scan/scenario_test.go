package scan_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// TestFormats holds every format to what is known about it: each file under
// fixtures/formats is a folder to ingest and, in want, the receipts, runs,
// events and threads that it must give, written by hand. See the README there
// for the form of the lines.
func TestFormats(t *testing.T) {
	root := filepath.Join("..", "..", "fixtures", "formats")
	var found []string
	require.NoError(t, filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".txtar") {
			found = append(found, p)
		}
		return err
	}))
	require.NotEmpty(t, found)
	for _, file := range found {
		name, _ := filepath.Rel(root, file)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			formatScenario(t, ar)
		})
	}
}

func formatScenario(t *testing.T, ar *txtar.Archive) {
	in, want := unpack(t, ar)
	require.NotEmpty(t, want)
	dir, s := in.write(t), memstore.New()
	got := describe(t, scanInto(t, s, dir, dir), s)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s\nall of it:\n%s", diff, strings.Join(got, "\n"))
	}
	for _, r := range scanInto(t, frozen{s}, dir, dir).receipts { // nothing is decoded again
		require.Zero(t, r.Stored, "%s again", r.Source)
	}
}

// wanted drops comments and blank lines.
func wanted(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// describe writes a scan's result as the lines of a want file.
func describe(t *testing.T, f found, s ingest.Store) (out []string) {
	for _, path := range slices.Sorted(func(yield func(string) bool) {
		for path := range f.at {
			if !yield(path) {
				return
			}
		}
	}) {
		out = append(out, receiptLine(path, f.at[path]))
	}
	groups, err := ingest.Group(s, f.Runs, nil)
	require.NoError(t, err)
	var threads []ingest.Thread
	for _, g := range groups {
		var runs []*ingest.Run
		for _, id := range g {
			run, err := ingest.Load(s, id, nil)
			require.NoError(t, err)
			runs = append(runs, run)
		}
		threads = append(threads, ingest.NewThread(runs))
	}
	slices.SortFunc(threads, func(a, b ingest.Thread) int { return cmp.Compare(runName(a.Runs[0]), runName(b.Runs[0])) })
	for _, th := range threads {
		out = append(out, threadLines(th)...)
	}
	return out
}

func receiptLine(path string, r *ingest.Receipt) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "receipt %s %s units=%d", path, r.Format, r.Units)
	for _, n := range []struct {
		name  string
		count int
	}{{"stored", r.Stored}, {"duplicates", r.Duplicates}, {"skipped", r.Skipped}, {"quarantined", r.Quarantined}, {"events", r.Events}, {"collapsed", r.Collapsed}} {
		if n.count > 0 {
			fmt.Fprintf(b, " %s=%d", n.name, n.count)
		}
	}
	for _, c := range r.Reasons {
		fmt.Fprintf(b, " %s:%d", c.Kind, c.Count)
	}
	return b.String()
}

func runName(r *ingest.Run) string { return r.Meta.Native + "/" + r.Meta.Agent }

func threadLines(th ingest.Thread) (out []string) {
	all := slices.Concat(th.Runs, th.Subs)
	if len(all) > 1 {
		out = append(out, fmt.Sprintf("thread runs=%d subs=%d", len(th.Runs), len(th.Subs)))
	}
	for _, r := range all {
		out = append(out, runLine(r))
		for i := range r.Events {
			out = append(out, eventLine(r, &r.Events[i]))
		}
		for _, x := range r.Executions() {
			out = append(out, executionLine(x))
		}
	}
	return out
}

// fields joins the pairs that have a value.
func fields(pairs ...string) string {
	b := &strings.Builder{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(b, " %s=%s", pairs[i], pairs[i+1])
		}
	}
	return b.String()
}

func runLine(r *ingest.Run) string {
	m := r.Meta
	line := "run" + fields("native", m.Native, "agent", m.Agent, "parent", m.Parent, "links", strings.Join(m.Links, ","), "model", m.Model,
		"harness", strings.TrimSpace(m.Harness+" "+m.Version), "cwd", m.Cwd, "branch", m.Branch, "task", m.Task)
	if u := r.Usage(); u != (ingest.Usage{}) {
		line += " usage=" + usageText(u)
	}
	return line + " can=" + strings.Join(r.Grade.Names(), ",")
}

// usageText is uncached input, cache read, cache writes and output, then what
// is not zero of reasoning and cost.
func usageText(u ingest.Usage) string {
	s := fmt.Sprintf("%d+%d+%d+%d>%d", u.InputUncached, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.Output)
	if u.Reasoning > 0 {
		s += fmt.Sprintf("(%d)", u.Reasoning)
	}
	if u.Cost > 0 {
		s += fmt.Sprintf("$%.4f", u.Cost)
	}
	if u.Violation {
		s += "!"
	}
	return s
}

func eventLine(r *ingest.Run, e *ingest.Event) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s/%s", e.Kind, e.Actor)
	outcome := string(e.Outcome)
	if e.Reason != "" {
		outcome += ":" + string(e.Reason)
	}
	exit, value, usage := "", "", ""
	if e.Exit != nil {
		exit = fmt.Sprint(*e.Exit)
	}
	if e.Value != nil {
		value = fmt.Sprint(*e.Value)
	}
	if e.Usage != nil {
		usage = usageText(*e.Usage)
	}
	b.WriteString(fields("name", e.Name, "call", e.Call, "outcome", outcome, "exit", exit, "task", e.Task, "agent", e.Agent,
		"message", e.Message, "model", e.Model, "value", value, "usage", usage))
	for _, flag := range []struct {
		set  bool
		name string
	}{{e.Copied, "copied"}, {e.Summary, "summary"}, {e.Open, "open"}} {
		if flag.set {
			b.WriteString(" " + flag.name)
		}
	}
	if args := r.Args(e); len(args) > 0 {
		fmt.Fprintf(b, " args %s", short(strings.ToValidUTF8(string(args), "\ufffd")))
	}
	if text := r.Text(e); text != "" {
		fmt.Fprintf(b, " %q", short(text))
	}
	return b.String()
}

func executionLine(x ingest.Execution) string {
	outcome := string(x.Outcome)
	if x.Reason != "" {
		outcome += ":" + string(x.Reason)
	}
	line := "execution " + cmp.Or(x.Tool, "?") + " " + outcome
	if x.Repeats > 0 {
		line += fmt.Sprintf(" repeats=%d", x.Repeats)
	}
	return line
}

// short keeps lines readable: what matters stands at the beginning.
func short(s string) string {
	s = strings.ReplaceAll(s, "\n", "\\n")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
