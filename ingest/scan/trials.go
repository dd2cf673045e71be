package scan

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
)

// trials takes the members of a directory's trials in the order of their
// roles, then every other file below it, which belongs to no run. Their
// receipts are handed on together, in order of path.
func (s *scanner) trials(dir string, all []*decode.Trial) error {
	from := len(s.pending)
	s.held++
	for _, t := range all {
		if err := s.trial(dir, t); err != nil {
			return err
		}
	}
	if err := s.rest(dir, all); err != nil {
		return err
	}
	slices.SortStableFunc(s.pending[from:], func(a, b *ingest.Receipt) int { return strings.Compare(a.Source, b.Source) })
	s.held--
	return s.maybeSync()
}

func (s *scanner) trial(dir string, t *decode.Trial) error {
	name := t.Format + "/" + t.Native
	for _, m := range t.Members {
		path := filepath.Join(dir, filepath.FromSlash(m.Path))
		err := s.open(path, func(in *decode.Input, src *source) error {
			head, err := in.Head()
			if err == nil {
				_, err = s.cut(in, src, head, false)
			}
			if err != nil {
				return s.unreadable(path, in.Size, err)
			}
			target := decode.Target{Format: m.Format, Grade: m.Grade, Version: max(m.Version, 1), Role: m.Role, Trial: name, Session: t.Session}
			return s.decode(in, src, m.Decode, target, name+"/"+strconv.Itoa(m.Role)+"/"+m.Path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rest takes the files below a trial's folder that are no members. A folder
// below that holds no member may be a trial of its own.
func (s *scanner) rest(dir string, trials []*decode.Trial) error {
	own := map[string]bool{dir: true}
	for _, t := range trials {
		for _, m := range t.Members {
			own[filepath.Dir(filepath.Join(dir, filepath.FromSlash(m.Path)))] = true
		}
	}
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return s.unreadable(path, 0, err)
		case e.IsDir() && s.exclude[path]:
			return filepath.SkipDir
		case e.IsDir() && !own[path]:
			if inner := claim(path); len(inner) > 0 {
				return cmp.Or(s.trials(path, inner), filepath.SkipDir)
			}
		case e.Type().IsRegular():
			return s.beside(path)
		}
		return nil
	})
}

// beside takes a file of a trial's folder that is not one of its members:
// records and configuration count, another view of the same run does not.
func (s *scanner) beside(path string) error {
	return s.detect(path, "not-evidence", func(f decode.Format) bool { return f.Name == record.TypeEvent })
}
