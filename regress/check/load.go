package check

import (
	"fmt"
	"path/filepath"

	"github.com/faultline-dev/faultline/regress"
)

// Named is a case with the path of its file, or a file that is no case.
type Named struct {
	Name string
	*regress.Case
	Err error // why it is no case; Case is nil then
}

// Load reads the *.txtar files below a folder as cases, in order of path. Two
// files with one id are both errors: nobody could tell which of them counts. The
// error is for a folder that cannot be read.
func Load(dir string) ([]Named, error) {
	files, err := regress.Files(dir)
	if err != nil {
		return nil, fmt.Errorf("read suite: %w", err)
	}
	var out []Named
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		c, err := regress.ReadCase(path)
		out = append(out, Named{Name: filepath.ToSlash(path), Case: c, Err: err})
	}
	byID := map[string]int{}
	for i := range out {
		if out[i].Case == nil {
			continue
		}
		if first, twice := byID[out[i].ID]; twice {
			out[i].Err = fmt.Errorf("%w: %s: has the id of %s", regress.ErrCase, out[i].Name, out[first].Name)
			out[first].Err = fmt.Errorf("%w: %s: has the id of %s", regress.ErrCase, out[first].Name, out[i].Name)
			continue
		}
		byID[out[i].ID] = i
	}
	for i := range out {
		if out[i].Err != nil {
			out[i].Case = nil
		}
	}
	return out, nil
}
