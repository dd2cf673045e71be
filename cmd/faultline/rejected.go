package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/suite"
)

// addRejected finds the rejected findings that govern the runs of this call:
// beside the file of --config, else in the folders above the runs' files.
func (ev *evidence) addRejected(o judgingOptions, s ingest.Store, paths map[string][]string) error {
	var files []string
	if o.config != "" {
		if beside := filepath.Join(filepath.Dir(o.config), config.RejectedName); isThere(beside) {
			files = append(files, beside)
		}
	} else {
		var err error
		if files, err = rejectedAbove(s, paths); err != nil {
			return err
		}
	}
	for _, f := range files {
		r, err := config.LoadRejections(f)
		if err != nil {
			return err
		}
		r.Everywhere = o.config != ""
		ev.Rejected = append(ev.Rejected, r)
		ev.paths = append(ev.paths[:len(ev.paths):len(ev.paths)], f)
	}
	return nil
}

// rejectedAbove looks in the folders above the files of this call.
func rejectedAbove(s ingest.Store, paths map[string][]string) (out []string, err error) {
	seen := map[string]bool{}
	look := func(files []string) {
		for _, f := range files {
			out = append(out, namedOver(config.RejectedName, f, seen)...)
		}
	}
	for _, files := range paths {
		look(files)
	}
	if paths == nil {
		for r, err := range s.Receipts() {
			if err != nil {
				return nil, fmt.Errorf("find rejected findings: %w", err)
			}
			files, err := s.Paths(r.Digest)
			if err != nil {
				return nil, fmt.Errorf("find rejected findings: %w", err)
			}
			look(files)
		}
	}
	slices.Sort(out)
	return out, nil
}

// precision is what people said of the findings of the rules: in these files,
// and in the suites that they name.
func precision(lists []*config.Rejections) ([]suite.Precision, error) {
	var cases []check.Named
	var rejected []config.Rejection
	seen := map[string]bool{}
	for _, list := range lists {
		rejected = append(rejected, list.Rejected...)
		dir := suiteOf(list)
		if dir == "" || seen[dir] || !isThere(dir) {
			continue
		}
		seen[dir] = true
		more, err := check.Load(dir)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	return suite.Precisions(cases, rejected), nil
}

// suiteOf is the folder of cases that a file names, as this call reaches it.
func suiteOf(list *config.Rejections) string {
	if list.Suite == "" || filepath.IsAbs(list.Suite) {
		return list.Suite
	}
	return filepath.Join(filepath.Dir(list.Path()), list.Suite)
}

// namedOver walks up from a file to find files of a name, and stops where
// another walk passed.
func namedOver(name, file string, seen map[string]bool) (out []string) {
	for dir := path.Dir(filepath.ToSlash(file)); !seen[dir]; dir = path.Dir(dir) {
		seen[dir] = true
		at := path.Join(dir, name)
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			out = append(out, at)
		}
	}
	return out
}

// appendRejection adds an entry to the text of a file of rejected findings. What
// a person wrote in it stays as it is.
func appendRejection(text, dir string, r config.Rejection) string {
	var b strings.Builder
	if text == "" {
		text = "# Findings of which a person says that they are none. They are shown apart and decide nothing.\n" +
			"suite: " + quoteYAML(dir) + " # whose approved cases count as confirmed\nrejected:\n"
	}
	b.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	sep := "  - "
	for _, m := range [][2]string{
		{"rule", r.Rule}, {"fingerprint", r.Fingerprint}, {"scope", r.Scope}, {"of", r.Of}, {"finding", r.Finding}, {"by", r.By}, {"why", r.Why},
	} {
		if m[1] != "" {
			b.WriteString(sep + m[0] + ": " + quoteYAML(m[1]) + "\n")
			sep = "    "
		}
	}
	return b.String()
}
