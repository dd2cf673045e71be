package config

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Switch is what the owner makes of a rule: off, or another severity for all
// its findings.
type Switch string

// The switches.
const (
	Off    Switch = "off"
	High   Switch = "high"
	Medium Switch = "medium"
	Low    Switch = "low"
)

// Waiver says that findings are known and accepted for a time. A waived finding
// is still shown and counted; it decides no verdict and no exit code.
type Waiver struct {
	Rule        string `yaml:"rule"`
	Fingerprint string `yaml:"fingerprint"` // only findings of this structure
	Run         string `yaml:"run"`         // only this run, by its id or the agent's own
	Reason      string `yaml:"reason"`
	By          string `yaml:"by"`
	Expires     string `yaml:"expires"` // the first day on which it does not hold, 2026-12-31

	until time.Time
}

// Holds reports that the waiver has not expired at a time; without a time it
// does not hold, because nobody can tell.
func (w Waiver) Holds(at time.Time) bool { return !at.IsZero() && at.Before(w.until) }

func (w *Waiver) check() (err error) {
	switch {
	case w.Rule == "":
		return errors.New("lacks rule")
	case w.Reason == "":
		return errors.New("lacks reason")
	case w.Expires == "":
		return errors.New("lacks expires")
	}
	if w.until, err = time.Parse(time.DateOnly, w.Expires); err != nil {
		return fmt.Errorf("expires %q is no day like 2026-12-31", w.Expires)
	}
	return nil
}

func checkSwitches(rules map[string]Switch) error {
	for name, s := range rules {
		if !slices.Contains([]Switch{Off, High, Medium, Low}, s) {
			return fmt.Errorf("rules: %s: %q is none of off, high, medium, low", name, s)
		}
	}
	return nil
}
