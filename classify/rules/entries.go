package rules

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/record"
)

// entries are the results that a record lists, found by name and by arguments.
type entries struct {
	all       []record.Check
	last      []record.Check // of each check the last
	named     map[string][]int
	called    map[string][]int
	lastNamed map[string][]int // of last
}

// entriesOf reads a record once a thread.
func entriesOf(v *classify.View, c *record.Completion) *entries {
	known := classify.Once(&v.Facts, "entries of records", func() map[*record.Completion]*entries { return map[*record.Completion]*entries{} })
	if known[c] == nil {
		known[c] = readEntries(c)
	}
	return known[c]
}

func readEntries(c *record.Completion) *entries {
	out := &entries{all: c.Checks, last: lastOf(c.Checks), named: map[string][]int{}, called: map[string][]int{}, lastNamed: map[string][]int{}}
	for i, check := range c.Checks {
		out.named[check.Name] = append(out.named[check.Name], i)
		if len(check.Argv) > 0 {
			out.called[argvKey(check.Argv)] = append(out.called[argvKey(check.Argv)], i)
		}
	}
	for i, check := range out.last {
		out.lastNamed[check.Name] = append(out.lastNamed[check.Name], i)
	}
	return out
}

func argvKey(argv []string) string { return strings.Join(argv, "\x00") }

// lastOf are the results of checks: of each check the last, because a check
// that was run again tells no more what it told before.
func lastOf(checks []record.Check) []record.Check {
	at := map[string]int{}
	var out []record.Check
	for _, check := range checks {
		key := check.Name + "\x00" + check.Split
		if check.Name == "" {
			key = argvKey(check.Argv)
		}
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(out)
			out = append(out, check)
		case check.Finished.IsZero() || !check.Finished.Before(out[i].Finished):
			out[i] = check
		}
	}
	return out
}

// mostNamesakes bounds how many entries with the same arguments, the last ones,
// are taken for those of a name.
const mostNamesakes = 1000

// about are the entries under a name or with the same arguments, in order.
func (en *entries) about(name string, argv []string) []int {
	var called []int
	if len(argv) > 0 {
		called = en.called[argvKey(argv)]
		called = called[max(0, len(called)-mostNamesakes):]
	}
	out := slices.Concat(en.named[name], called)
	slices.Sort(out)
	return slices.Compact(out)
}

// greenStates are the snapshots on which a record lists a required check as
// green; complete is false when one of the green results names none.
func (en *entries) greenStates(name string, argv []string) (states []string, complete bool) {
	complete = true
	for _, i := range en.about(name, argv) {
		switch c := en.all[i]; {
		case !isGreen(c):
		case c.Snapshot == "":
			complete = false
		default:
			states = append(states, c.Snapshot)
		}
	}
	return states, complete
}
