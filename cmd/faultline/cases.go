package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/review"
)

// makeCase makes a case of a cluster or of a finding, with what it may expect.
func makeCase(ctx context.Context, in classify.Input, verdicts []classify.Verdict, from string, o regress.Options) (*regress.Case, error) {
	c, err := regress.FromCluster(ctx, in, verdicts, from, o)
	if errors.Is(err, ingest.ErrNotFound) {
		c, err = regress.FromFinding(ctx, in, verdicts, from, o)
	}
	if err != nil {
		return nil, err
	}
	if c.Expect, err = review.Propose(ctx, c, in); err != nil {
		return nil, err
	}
	return c, nil
}

// writeCase writes a new case into dir. One that is there already stays as it
// is: somebody may have approved it.
func writeCase(c *regress.Case, dir string) (render.CaseFile, error) {
	file := render.CaseFile{Fingerprint: c.Fingerprint, Rule: c.Rule, Path: filepath.Join(dir, c.Name())}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return file, fmt.Errorf("write case: %w", err)
	}
	f, err := os.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		file.Known = true
		return file, sameCase(file.Path, c)
	} else if err != nil {
		return file, fmt.Errorf("write case: %w", err)
	}
	_, err = f.Write(c.Bytes())
	if err = errors.Join(err, f.Close()); err != nil {
		return file, fmt.Errorf("write case: %w", errors.Join(err, os.Remove(file.Path)))
	}
	return file, nil
}

// sameCase checks that what has a case's name is that case.
func sameCase(path string, c *regress.Case) error {
	there, err := regress.ReadCase(path)
	if err != nil {
		return fmt.Errorf("write case: another file has its name: %w", err)
	}
	if there.ID != c.ID {
		return fmt.Errorf("write case: %s: %w: case %s has the name of case %s", path, regress.ErrCase, there.ID, c.ID)
	}
	return nil
}

// readRegular reads a file that a person wrote, other than a case; a pipe
// would be waited for.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, regress.ErrNotRegular)
	}
	return os.ReadFile(path)
}

// heldIn lists the cases of a folder, which may not be there yet, by what they
// hold.
func heldIn(dir string) (map[string]check.Named, error) {
	if dir == "" || !isThere(dir) {
		return nil, nil
	}
	cases, err := check.Load(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]check.Named{}
	for _, c := range cases {
		if c.Case == nil {
			continue
		}
		if _, known := out[c.Rule+c.Fingerprint]; !known {
			out[c.Rule+c.Fingerprint] = c
		}
	}
	return out, nil
}

// findCase reads the case of a file, or of an id or its beginning below dir.
func findCase(doing, name, dir string) (*regress.Case, string, error) {
	if isThere(name) {
		c, err := regress.ReadCase(name)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", doing, err)
		}
		return c, name, nil
	}
	if err := missing(doing, dir); err != nil {
		return nil, "", err
	}
	cases, err := check.Load(dir)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", doing, err)
	}
	var found []check.Named
	for _, c := range cases {
		if c.Case == nil && len(name) >= minPrefix && strings.Contains(filepath.Base(c.Name), name) {
			return nil, "", fmt.Errorf("%s: %w", doing, c.Err)
		}
		if c.Case != nil && len(name) >= minPrefix && len(name) <= len(c.ID) && c.ID[:len(name)] == name {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return nil, "", usagef("list them with: faultline suite list "+render.Quote(dir), "%s: %s: no such file, and no such case below %s", doing, name, dir)
	case 1:
		return found[0].Case, found[0].Name, nil
	}
	return nil, "", usagef("give more of the id", "%s: %s: %d cases below %s begin so", doing, name, len(found), dir)
}

// minPrefix is how much of a case's id has to be given.
const minPrefix = 4

// replaceCase writes a case in place of its file, whole or not at all, and
// reports whether that changed anything.
func replaceCase(path string, c *regress.Case) (changed bool, err error) {
	data := c.Bytes()
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return false, nil
	}
	return true, replaceFile(path, data)
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".faultline-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
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
