package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/faultline-dev/faultline/ingest/evidence"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Config is one faultline.yaml.
type Config struct {
	Checks      []Check            `yaml:"checks"`
	Candidate   []string           `yaml:"candidate"`
	Protected   []string           `yaml:"protected"`
	Permissions Permissions        `yaml:"permissions"`
	Contracts   []Contract         `yaml:"contracts"`
	Trusted     []string           `yaml:"trusted"`
	Lookups     []evidence.Mapping `yaml:"lookups"`
	Invariants  []Invariant        `yaml:"invariants"`
	Rules       map[string]Switch  `yaml:"rules"`
	Waivers     []Waiver           `yaml:"waivers"`

	path string
}

// Check is one required check. Paths, when given, are globs of the files that
// it guards; a change elsewhere does not require it.
type Check struct {
	Name  string   `yaml:"name"`
	Run   string   `yaml:"run"`
	Paths []string `yaml:"paths"`
}

// Permissions say what a run may do. Deny holds tool names or beginnings of
// commands, in which * stands for anything; Paths are globs of the files that
// may be written, all when it is empty.
type Permissions struct {
	Deny  []string `yaml:"deny"`
	Paths []string `yaml:"paths"`
}

// Contract is a contract/v1 record in YAML.
type Contract struct {
	Tool        string   `yaml:"tool"`
	Effect      string   `yaml:"effect"`
	Repeatable  bool     `yaml:"repeatable"`
	Identity    []string `yaml:"identity"`
	KeyArgument string   `yaml:"key_argument"`
	Lookup      []string `yaml:"lookup"`
	Undo        []string `yaml:"undo"`
	Timeout     string   `yaml:"timeout"`
	Retry       struct {
		Max     int    `yaml:"max"`
		Backoff string `yaml:"backoff"`
	} `yaml:"retry"`
	Permission         string `yaml:"permission"`
	TrustedAnnotations bool   `yaml:"trusted_annotations"`
}

// Record is the contract as a record.
func (c Contract) Record() *record.Contract {
	r := &record.Contract{
		Tool: c.Tool, Effect: c.Effect, Repeatable: c.Repeatable, Identity: c.Identity, KeyArgument: c.KeyArgument,
		Lookup: c.Lookup, Undo: c.Undo, Timeout: c.Timeout, Permission: c.Permission, TrustedAnnotations: c.TrustedAnnotations,
	}
	r.Retry.Max, r.Retry.Backoff = c.Retry.Max, c.Retry.Backoff
	return r
}

// ErrInvalid is wrapped by errors of a malformed configuration.
var ErrInvalid = errors.New("invalid configuration")

// Load reads a configuration file.
func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a configuration that stands in data; path is where it counts as
// lying.
func Parse(path string, data []byte) (*Config, error) {
	c := &Config{path: path}
	err := yaml.UnmarshalWithOptions(data, c, yaml.AllowDuplicateMapKey(), yaml.Strict())
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, path, err)
	}
	return c, nil
}

// Path is where the configuration lies.
func (c *Config) Path() string { return c.path }

// Dir is the folder that the configuration governs.
func (c *Config) Dir() string { return path.Dir(strings.ReplaceAll(c.path, `\`, "/")) }

// check finds what the grammar of YAML cannot.
func (c *Config) check() error {
	for i, check := range c.Checks {
		if strings.TrimSpace(check.Run) == "" {
			return fmt.Errorf("checks[%d] lacks run", i)
		}
	}
	for i, m := range c.Lookups {
		if err := m.Check(); err != nil {
			return fmt.Errorf("lookups[%d]: %w", i, err)
		}
	}
	for i, k := range c.Contracts {
		if err := k.check(); err != nil {
			return fmt.Errorf("contracts[%d]: %w", i, err)
		}
	}
	for i := range c.Invariants {
		if err := c.Invariants[i].check(); err != nil {
			return fmt.Errorf("invariants[%d]: %w", i, err)
		}
	}
	for i := range c.Waivers {
		if err := c.Waivers[i].check(); err != nil {
			return fmt.Errorf("waivers[%d]: %w", i, err)
		}
	}
	return checkSwitches(c.Rules)
}

func (c Contract) check() error {
	oneOf := func(s string, of ...string) bool { return slices.Contains(of, s) }
	switch {
	case c.Tool == "":
		return errors.New("lacks tool")
	case !oneOf(c.Effect, "", "read", "local_write", "external_write"):
		return fmt.Errorf("effect %q is none of read, local_write, external_write", c.Effect)
	case !oneOf(c.Permission, "", "auto", "confirm", "deny"):
		return fmt.Errorf("permission %q is none of auto, confirm, deny", c.Permission)
	case !oneOf(c.Retry.Backoff, "", "none", "fixed", "exponential"):
		return fmt.Errorf("retry.backoff %q is none of none, fixed, exponential", c.Retry.Backoff)
	}
	return nil
}
