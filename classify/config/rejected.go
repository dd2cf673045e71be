package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
)

// RejectedName is the name of the file in which rejected findings stand.
const RejectedName = "faultline.rejected.yaml"

// Rejections is one faultline.rejected.yaml: findings of which a person says
// that they are none. It holds for the runs in and below its folder.
type Rejections struct {
	Suite    string      `yaml:"suite"` // folder of the cases, relative to the file
	Rejected []Rejection `yaml:"rejected"`
	// Everywhere: the file holds for all runs of the call.
	Everywhere bool `yaml:"-"`

	path string
}

// Rejection mutes the findings of one rule and structure. They are still shown
// and counted; they decide no verdict and no exit code.
type Rejection struct {
	Rule        string `yaml:"rule"`
	Fingerprint string `yaml:"fingerprint"`
	Scope       string `yaml:"scope"`   // repo, task or harness
	Of          string `yaml:"of"`      // the task's id or the harness's name
	Finding     string `yaml:"finding"` // that was rejected
	By          string `yaml:"by"`
	Why         string `yaml:"why"`
}

// ParseRejections reads a file's contents. Errors tell the line and wrap
// ErrInvalid.
func ParseRejections(name string, data []byte) (*Rejections, error) {
	r := &Rejections{path: name}
	err := yaml.UnmarshalWithOptions(data, r, yaml.Strict())
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for i := range r.Rejected {
		if err == nil {
			if err = r.Rejected[i].check(); err != nil {
				err = fmt.Errorf("rejected[%d]: %w", i, err)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, name, err)
	}
	return r, nil
}

// LoadRejections reads a file.
func LoadRejections(name string) (*Rejections, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read rejected findings: %w", err)
	}
	return ParseRejections(name, data)
}

// Path is where the file lies, Dir its folder.
func (r *Rejections) Path() string { return r.path }

// Dir is the folder that the file governs.
func (r *Rejections) Dir() string { return path.Dir(strings.ReplaceAll(r.path, `\`, "/")) }

func (r Rejection) check() error {
	switch {
	case r.Rule == "":
		return errors.New("lacks rule")
	case r.Fingerprint == "":
		return errors.New("lacks fingerprint")
	case strings.TrimSpace(r.By) == "":
		return errors.New("lacks by")
	case strings.TrimSpace(r.Why) == "":
		return errors.New("lacks why")
	case r.Scope != "repo" && r.Scope != "task" && r.Scope != "harness":
		return fmt.Errorf("scope %q is none of repo, task, harness", r.Scope)
	case (r.Scope == "repo") != (r.Of == ""):
		return fmt.Errorf("of names the task or the harness, and scope is %s", r.Scope)
	}
	return nil
}

// Holds reports that the rejection is about a finding of a run with this task
// and harness.
func (r Rejection) Holds(rule, fingerprint, task, harness string) bool {
	if r.Rule != rule || r.Fingerprint != fingerprint {
		return false
	}
	switch r.Scope {
	case "task":
		return r.Of == task
	case "harness":
		return r.Of == harness
	}
	return true
}
