package rules_test

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// TestScenarios holds every rule to its contract: each file under
// fixtures/rules is a folder to triage and the findings that it must give,
// checked both ways. A finding of medium or high that want does not list is as
// wrong as one that is missing.
func TestScenarios(t *testing.T) {
	root := filepath.Join("..", "..", "fixtures", "rules")
	var files []string
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".txtar") {
			files = append(files, p)
		}
		return err
	}))
	require.NotEmpty(t, files)
	for _, file := range files {
		name, _ := filepath.Rel(root, file)
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			scenario(t, ar, path.Dir(filepath.ToSlash(name)))
		})
	}
}

func scenario(t *testing.T, ar *txtar.Archive, rule string) {
	dir := t.TempDir()
	var want []string
	for _, f := range ar.Files {
		if f.Name == "want" {
			want = strings.Split(string(f.Data), "\n")
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, f.Data, 0o644))
	}
	verdicts := triage(t, dir)
	compare(t, dir, verdicts, want, rule)
}

// triage ingests and judges a folder.
func triage(t *testing.T, dir string) []classify.Verdict {
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{dir}, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	require.NoError(t, err)
	var configs []*config.Config
	for _, path := range res.Configs {
		c, err := config.Load(path)
		require.NoError(t, err)
		configs = append(configs, c)
	}
	out, err := classify.Run(context.Background(), classify.Input{
		Store: store, Runs: res.Runs, Paths: res.Paths, Configs: configs, Rules: rules.All(), Workers: 1,
	})
	require.NoError(t, err)
	return out.Verdicts
}

// expected is one line of want: a finding that must cite all of at.
type expected struct {
	rule, severity string
	at             []string
	needed         bool // else it only may be there
	used           bool
}

// compare checks both ways. Of the scenario's own rule even a low finding must
// be listed; low ones of others explain nothing and may be there.
func compare(t *testing.T, dir string, verdicts []classify.Verdict, want []string, own string) {
	var findings []*expected
	var abstain []string
	for _, line := range want {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "finding" && len(f) >= 3:
			findings = append(findings, &expected{rule: f[1], severity: f[2], at: f[3:], needed: f[2] != "low"})
		case f[0] == "note" && len(f) >= 2:
			findings = append(findings, &expected{rule: f[1], severity: "low", at: f[2:], needed: true})
		case f[0] == "abstain" && len(f) == 2:
			abstain = append(abstain, f[1])
		case f[0] == "layer" && len(f) >= 4:
			checkLayer(t, dir, verdicts, f[1], strings.Join(f[2:], " "))
		default:
			t.Fatalf("want line %q is malformed", line)
		}
	}
	for _, v := range verdicts {
		for _, f := range v.Findings {
			if !match(dir, f, findings) && (f.Severity != classify.Low || f.Rule == own) {
				t.Errorf("unexpected: %s %s %v: %s", f.Rule, f.Severity, places(dir, f), f.Message)
			}
		}
	}
	for _, e := range findings {
		if !e.used && e.needed {
			t.Errorf("missing: %s %s %v", e.rule, e.severity, e.at)
		}
	}
	for _, rule := range abstain {
		found := false
		for _, v := range verdicts {
			for _, a := range v.Abstentions {
				found = found || a.Rule == rule
			}
		}
		if !found {
			t.Errorf("missing: abstention of %s", rule)
		}
	}
}

// match finds the want line that a finding answers.
func match(dir string, f classify.Finding, findings []*expected) bool {
	for _, e := range findings {
		if e.rule != f.Rule || e.severity != string(f.Severity) {
			continue
		}
		cited := map[string]bool{}
		for _, p := range places(dir, f) {
			cited[p] = true
		}
		all := true
		for _, at := range e.at {
			all = all && cited[at]
		}
		if all {
			e.used = true
			return true
		}
	}
	return false
}

func places(dir string, f classify.Finding) []string {
	var out []string
	for _, r := range f.Refs {
		rel, _ := filepath.Rel(dir, r.File)
		out = append(out, filepath.ToSlash(rel)+":"+itoa(r.Line))
	}
	return out
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

var spaces = regexp.MustCompile(`\s+`)

func checkLayer(t *testing.T, dir string, verdicts []classify.Verdict, file, want string) {
	for _, v := range verdicts {
		rel, _ := filepath.Rel(dir, v.Source)
		if filepath.ToSlash(rel) != file {
			continue
		}
		if got := string(v.Layer) + " " + string(v.Owner); spaces.ReplaceAllString(want, " ") != got {
			t.Errorf("layer and owner of %s: got %q, want %q", file, got, want)
		}
		return
	}
	t.Errorf("no verdict for %s", file)
}
