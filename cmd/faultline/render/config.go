package render

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/config"
)

// Config sums up what a configuration says.
func (t *Text) Config(c *config.Config) {
	t.line("%s is valid.", t.safe(c.Path()))
	for _, c := range c.Checks {
		t.line("  check      %s", t.safe(strings.TrimSpace(c.Name+"  "+c.Run)))
	}
	for _, c := range c.Contracts {
		t.line("  contract   %s", t.safe(c.Tool+"  "+c.Effect))
	}
	for _, i := range c.Invariants {
		t.line("  invariant  %s", t.safe(i.Name))
	}
	for _, w := range c.Waivers {
		t.line("  waiver     %s", t.safe(w.Rule+"  before "+w.Expires))
	}
	for _, l := range []struct {
		what string
		list []string
	}{{"candidate", c.Candidate}, {"protected", c.Protected}, {"denied", c.Permissions.Deny}, {"writable", c.Permissions.Paths}, {"trusted", c.Trusted}} {
		if len(l.list) > 0 {
			t.line("  %s  %s", pad(l.what, 9), t.safe(strings.Join(l.list, ", ")))
		}
	}
	if n := len(c.Rules); n > 0 {
		t.line("  %s switched", plural(n, "rule"))
	}
	if n := len(c.Lookups); n > 0 {
		t.line("  %s", plural(n, "look-up"))
	}
}

// ConfigProblems writes what is to be corrected in a file.
func (t *Text) ConfigProblems(file string, problems []string) {
	for _, p := range problems {
		t.line("%s: %s", t.safe(file), t.safe(p))
	}
}
