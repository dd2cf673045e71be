package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// storedRuns lists the runs of a store.
func storedRuns(s ingest.Store) ([]string, error) {
	var out []string
	for id, err := range s.Runs() {
		if err != nil {
			return nil, fmt.Errorf("list runs: %w", err)
		}
		if id != ingest.RecordsRun {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, nil
}

// findRun resolves a name: the start of a run id, or the id that the agent
// itself gave to the session.
func findRun(s ingest.Store, name string) (string, error) {
	all, err := storedRuns(s)
	if err != nil {
		return "", err
	}
	var found []string
	for _, id := range all {
		if strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		if found, err = byNative(s, all, name); err != nil {
			return "", err
		}
	}
	switch {
	case len(found) == 0 || name == "":
		return "", usagef("list them with: faultline runs", "find run: %s: no such run", name)
	case len(found) > 1:
		return "", usagef("give more of the id", "find run: %s: %d runs match: %s", name, len(found), strings.Join(found[:min(len(found), 5)], ", "))
	}
	return found[0], nil
}

// byNative finds runs by the agent's own id. A sub-agent's run shares the id
// of its parent, so it counts only where no main run has it.
func byNative(s ingest.Store, all []string, name string) ([]string, error) {
	var main, subs []string
	for _, id := range all {
		manifests, err := s.Manifests(id)
		if err != nil {
			return nil, fmt.Errorf("find run: %w", err)
		}
		for _, m := range manifests {
			if m.Meta.Native != name {
				continue
			}
			if m.Meta.Agent == "" {
				main = append(main, id)
			} else {
				subs = append(subs, id)
			}
			break
		}
	}
	if len(main) > 0 {
		return main, nil
	}
	return subs, nil
}

// threadOf lists the runs that belong to one thread with id.
func threadOf(s ingest.Store, id string) ([]string, error) {
	all, err := storedRuns(s)
	if err != nil {
		return nil, err
	}
	linked, err := handovers(s)
	if err != nil {
		return nil, err
	}
	groups, err := ingest.Group(s, all, linked)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if slices.Contains(g, id) {
			return g, nil
		}
	}
	return []string{id}, nil
}

// handovers lists the pairs of runs that stored hand-over records join.
func handovers(s ingest.Store) (pairs [][2]string, err error) {
	r, err := ingest.Load(s, ingest.RecordsRun, nil)
	if errors.Is(err, ingest.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for i := range r.Events {
		rec, err := record.Decode(r.Detail(&r.Events[i]))
		if err == nil && rec.Handoff != nil {
			pairs = append(pairs, [2]string{rec.Handoff.RunID, rec.Handoff.NextRunID})
		}
	}
	return pairs, nil
}

// selection is which stored runs a command works on.
type selection struct {
	runs  []string
	paths map[string][]string // digest → paths below the given ones; nil for all
}

// selectRuns resolves arguments that are runs or paths; none is everything. A
// path selects the stored runs with a file under it, and hides other paths.
func selectRuns(s ingest.Store, args []string) (selection, error) {
	if len(args) == 0 {
		all, err := storedRuns(s)
		if err == nil {
			all, err = withoutPartial(s, all)
		}
		return selection{runs: all}, err
	}
	sel := selection{}
	var under []string
	for _, arg := range args {
		if _, err := os.Stat(arg); err == nil {
			under = append(under, filepath.Clean(arg))
			continue
		}
		id, err := findRun(s, arg)
		if err != nil {
			return sel, err
		}
		sel.runs = append(sel.runs, id)
	}
	if len(under) > 0 && len(sel.runs) > 0 {
		return sel, usagef("ask for runs or for paths, not for both", "select runs: %s: both runs and paths are given", strings.Join(args, " "))
	}
	if len(under) > 0 {
		if err := sel.addUnder(s, under); err != nil {
			return sel, err
		}
	}
	slices.Sort(sel.runs)
	sel.runs = slices.Compact(sel.runs)
	if len(under) > 0 {
		var err error
		if sel.runs, err = withoutPartial(s, sel.runs); err != nil {
			return sel, err
		}
	}
	return sel, nil
}

// addUnder selects what was met under the given paths.
func (sel *selection) addUnder(s ingest.Store, under []string) error {
	sel.paths = map[string][]string{}
	for r, err := range s.Receipts() {
		if err != nil {
			return fmt.Errorf("select runs: %w", err)
		}
		paths, err := s.Paths(r.Digest)
		if err != nil {
			return fmt.Errorf("select runs: %w", err)
		}
		paths = slices.DeleteFunc(paths, func(p string) bool {
			return !slices.ContainsFunc(under, func(dir string) bool { return below(p, dir) })
		})
		if len(paths) > 0 {
			sel.paths[r.Digest] = paths
			sel.runs = append(sel.runs, r.Runs...)
		}
	}
	return nil
}

// below reports that a path lies in dir or is it, as written or in full.
func below(p, dir string) bool {
	if p == dir || dir == "." && !filepath.IsAbs(p) || strings.HasPrefix(p, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)) {
		return true
	}
	if filepath.IsAbs(p) == filepath.IsAbs(dir) {
		return false
	}
	full, err1 := filepath.Abs(p)
	fullDir, err2 := filepath.Abs(dir)
	return err1 == nil && err2 == nil && below(full, fullDir)
}

// configsAbove finds the faultline.yaml files that govern stored runs: those
// in the folders above their files, while these still exist.
func configsAbove(s ingest.Store, sel selection) ([]string, error) {
	seen := map[string]bool{}
	var out []string
	for _, id := range sel.runs {
		manifests, err := s.Manifests(id)
		if err != nil {
			return nil, fmt.Errorf("find configuration: %w", err)
		}
		for _, m := range manifests {
			paths := sel.paths[m.Digest]
			if len(paths) == 0 {
				if paths, err = s.Paths(m.Digest); err != nil {
					return nil, fmt.Errorf("find configuration: %w", err)
				}
			}
			for _, p := range paths {
				out = append(out, configsOver(p, seen)...)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// configsOver finds the configurations in the folders above a file.
func configsOver(file string, seen map[string]bool) []string {
	return namedOver(scan.ConfigName, file, seen)
}
