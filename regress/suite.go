package regress

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/faultline-dev/faultline/classify"
)

// SuiteReport is what running a folder of cases gave, in order of file name.
type SuiteReport struct {
	Cases []CaseResult `json:"cases"`
}

// CaseResult is one case's result. ID, Rule and Status are empty where the
// file could not be read as a case.
type CaseResult struct {
	Name   string `json:"name"` // of the file
	ID     string `json:"id"`
	Rule   string `json:"rule"`
	Status string `json:"status"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// OK reports that no case failed. An empty suite has nothing that failed.
func (r *SuiteReport) OK() bool {
	for _, c := range r.Cases {
		if !c.OK {
			return false
		}
	}
	return true
}

// Files lists the cases below a folder, *.txtar, by slash-separated paths from
// it, sorted. What is no regular file is listed too: reading it says so. The
// error is for a folder that cannot be read.
func Files(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir || filepath.Ext(path) != ".txtar" {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(rel))
		if err == nil && e.IsDir() {
			return fs.SkipDir
		}
		return err
	})
	slices.Sort(out)
	return out, err
}

// RunDir judges every case below a folder on its own trace: a candidate or an
// approved case must still show its finding, a retired one is skipped, a
// rejected one is only told of. A file that is no case is a failed result. The
// error is for a folder that cannot be read, or a context that ended.
func RunDir(ctx context.Context, dir string, rules []classify.Rule) (*SuiteReport, error) {
	files, err := Files(dir)
	if err != nil {
		return nil, fmt.Errorf("run cases: %w", err)
	}
	report := &SuiteReport{Cases: []CaseResult{}}
	for _, name := range files {
		report.Cases = append(report.Cases, runFile(ctx, dir, name, rules))
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("run cases in %s: %w", dir, err)
		}
	}
	return report, nil
}

func runFile(ctx context.Context, dir, name string, rules []classify.Rule) CaseResult {
	res := CaseResult{Name: name}
	c, err := ReadCase(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		res.Detail = err.Error()
		return res
	}
	res.ID, res.Rule, res.Status = c.ID, c.Rule, string(c.Status)
	if c.Status == Retired {
		res.OK, res.Detail = true, "skipped: retired"
		return res
	}
	err = c.Verify(ctx, rules)
	if c.Status == Rejected { // it is the rule that has to change
		res.OK, res.Detail = true, "rejected: the rule still fires"
		if err != nil {
			res.Detail = "rejected: the rule does not fire any more"
		}
		return res
	}
	if err != nil {
		res.Detail = err.Error()
		return res
	}
	res.OK, res.Detail = true, c.Want[0].String()
	return res
}
