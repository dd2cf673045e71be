package classify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// Rule is one detector: a constant value.
type Rule struct {
	// Name is "layer/short-name" and public API once released.
	Name string
	Doc  Doc
	// Highest is the loudest severity that the rule can give. Only a rule that
	// could have been high turns a silent verdict into "cannot tell".
	Highest Severity
	// Needs is the evidence without which the rule abstains.
	Needs ingest.Evidence
	// Occasion reports whether the rule applies to the run at all.
	Occasion func(*View) bool
	// Across, when set, compares an effect with the latest equal one of another
	// thread before it; both have a recorded contract.
	Across func(v *View, p *Pass, first, second *Effect)
	// Check reports findings. It is pure: it reads the view and nothing else.
	Check func(*View, *Pass)
}

// Doc is a rule's documentation; `faultline rules` and RULES.md are made of it.
type Doc struct {
	Title    string // one line
	Text     string // what it finds and why it matters
	Fires    string // a failing example, in words
	NearMiss string // what looks alike and stays silent
	Occasion string
	Needs    string
	Owner    Layer  // who fixes it first
	Change   string // the small change that would help
	Metric   string // the measure that would show it
}

// Layer is the part of the rule's name before the slash.
func (r Rule) Layer() Layer {
	layer, _, _ := strings.Cut(r.Name, "/")
	return Layer(layer)
}

var errRule = errors.New("malformed rule")

var ruleName = phrase.MustCompile(`^(acceptance|idempotency|handoff|context|boundary|permission|runtime|provider|model)/[a-z]+(-[a-z]+)*$`)

// Validate checks that rules are complete and their names unique.
func Validate(rules []Rule) error {
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case !ruleName.MatchString(r.Name):
			return fmt.Errorf("%w: name %q", errRule, r.Name)
		case seen[r.Name]:
			return fmt.Errorf("%w: %s is listed twice", errRule, r.Name)
		case r.Check == nil || r.Occasion == nil:
			return fmt.Errorf("%w: %s lacks a function", errRule, r.Name)
		case r.Highest == "":
			return fmt.Errorf("%w: %s lacks its highest severity", errRule, r.Name)
		}
		d := r.Doc
		for _, text := range []string{d.Title, d.Text, d.Fires, d.NearMiss, d.Occasion, d.Needs, string(d.Owner), d.Change, d.Metric} {
			if text == "" {
				return fmt.Errorf("%w: %s lacks documentation", errRule, r.Name)
			}
		}
		seen[r.Name] = true
	}
	return nil
}
