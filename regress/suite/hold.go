package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
)

// Held is a cluster and the cases of its fingerprint.
type Held struct {
	regress.Cluster
	Cases    []Holder `json:"cases"`    // in order of file
	Held     bool     `json:"held"`     // by an approved case
	Reopened string   `json:"reopened"` // which later run shows it again, or ""
}

// Holder is a case of a cluster.
type Holder struct {
	Name   string         `json:"name"` // of the file
	ID     string         `json:"id"`
	Status regress.Status `json:"status"`
}

// Hold says which cases hold each cluster of the verdicts. It keeps the order
// of the clusters.
func Hold(clusters []regress.Cluster, verdicts []classify.Verdict, cases []check.Named) []Held {
	by := map[string][]check.Named{}
	for _, c := range cases {
		if c.Case != nil {
			by[c.Fingerprint] = append(by[c.Fingerprint], c)
		}
	}
	runs := map[string]*classify.Verdict{}
	for i := range verdicts {
		runs[verdicts[i].Run] = &verdicts[i]
	}
	out := make([]Held, 0, len(clusters))
	for _, cl := range clusters {
		h := Held{Cluster: cl, Cases: []Holder{}}
		for _, c := range by[cl.Fingerprint] {
			if c.Rule != cl.Rule {
				continue
			}
			h.Cases = append(h.Cases, Holder{c.Name, c.ID, c.Status})
			h.Held = h.Held || c.Status == regress.Approved
			if h.Reopened == "" {
				h.Reopened = reopened(c.Case, cl.Runs, runs)
			}
		}
		out = append(out, h)
	}
	return out
}

// reopened says which later run shows again what a case holds, or "".
func reopened(c *regress.Case, ids []string, runs map[string]*classify.Verdict) string {
	if c.Status != regress.Approved && c.Status != regress.Retired {
		return ""
	}
	for _, id := range ids {
		v := runs[id]
		if v == nil || slices.ContainsFunc(c.Sources, func(s regress.Source) bool { return s.Run == id }) {
			continue
		}
		if why := later(c, v); why != "" {
			return fmt.Sprintf("run %s %s, case %s", v.Run, why, c.ID)
		}
	}
	return ""
}

// later says why a run is later than a case's end, or "" where it is not, or
// does not say. A version goes before a day.
func later(c *regress.Case, v *classify.Verdict) string {
	if c.FixedIn != "" && v.Version != "" && sameHarness(c, v) {
		if order, ok := compare(v.Version, c.FixedIn); ok {
			if order < 0 {
				return ""
			}
			return "has version " + v.Version + ", fixed in " + c.FixedIn
		}
	}
	if v.Began.IsZero() {
		return ""
	}
	if day, err := time.Parse(time.DateOnly, c.FixedOn); err == nil {
		if v.Began.Before(day) {
			return ""
		}
		return "began on " + v.Began.UTC().Format(time.DateOnly) + ", fixed on " + c.FixedOn
	}
	if c.Status != regress.Retired || c.FixedIn != "" {
		return ""
	}
	for _, s := range c.Sources {
		if s.At.IsZero() || !v.Began.After(s.At) {
			return ""
		}
	}
	return "began on " + v.Began.UTC().Format(time.DateOnly) + ", after the retired case's own"
}

// sameHarness reports that neither names a harness that the other does not.
func sameHarness(c *regress.Case, v *classify.Verdict) bool {
	return v.Harness == "" || !slices.ContainsFunc(c.Sources, func(s regress.Source) bool { return s.Harness != "" && s.Harness != v.Harness })
}

// compare orders versions by their numbers. It reports false where one has none.
func compare(a, b string) (int, bool) {
	x, y := numbers(a), numbers(b)
	if len(x) == 0 || len(y) == 0 {
		return 0, false
	}
	for len(x) < len(y) {
		x = append(x, 0)
	}
	for len(y) < len(x) {
		y = append(y, 0)
	}
	return slices.Compare(x, y), true
}

// numbers are the leading numbers of a version: 1.4.0 of "v1.4.0-rc.1".
func numbers(version string) (out []int) {
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimSpace(version), "v"), ".") {
		end := strings.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' })
		digits := part
		if end >= 0 {
			digits = part[:end]
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			return out
		}
		if out = append(out, n); end >= 0 {
			return out
		}
	}
	return out
}
