package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
)

// writeCase makes a case of a cluster and writes it into dir. A case that is
// there already stays as it is: somebody may have approved it.
func writeCase(ctx context.Context, in classify.Input, verdicts []classify.Verdict, fingerprint, dir string) (render.CaseFile, error) {
	c, err := regress.FromCluster(ctx, in, verdicts, fingerprint)
	if err != nil {
		return render.CaseFile{}, err
	}
	file := render.CaseFile{Fingerprint: fingerprint, Rule: c.Rule, Path: filepath.Join(dir, c.Name())}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return file, fmt.Errorf("write case: %w", err)
	}
	f, err := os.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		file.Known = true
		return file, nil
	} else if err != nil {
		return file, fmt.Errorf("write case: %w", err)
	}
	_, err = f.Write(c.Bytes())
	if err = errors.Join(err, f.Close()); err != nil {
		return file, fmt.Errorf("write case: %w", errors.Join(err, os.Remove(file.Path)))
	}
	return file, nil
}

// sayCase tells of a case on stderr, where stdout is JSON.
func (a *app) sayCase(c render.CaseFile) {
	switch {
	case c.Problem != "":
		a.say("write case: %s: %s", c.Fingerprint, c.Problem)
	case c.Known:
		a.say("case %s is there already", c.Path)
	default:
		a.say("wrote case %s", c.Path)
	}
}
