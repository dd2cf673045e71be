package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/runner"
)

// mostChecks bounds with how many other checks, the latest ones first, a check
// of an episode is compared: beyond it only equal commands are one check. No
// real episode runs so many different ones.
const mostChecks = 200

// mostEarlier bounds how many checks before an episode are asked whether they
// were as red.
const mostEarlier = 1000

// lastRun is the last run of one check with one status in an episode.
type lastRun struct {
	*classify.Check
	at int // among the checks of the episode
}

// lastRuns are those of an episode, latest first.
type lastRuns struct {
	runs []lastRun
	of   map[sameCheck]lastRun
}

type sameCheck struct {
	id     int
	status classify.Status
}

// runsOf reads the last runs of an episode.
func runsOf(v *classify.View, e *classify.Episode) *lastRuns {
	return classify.Once(&v.Own, "last runs "+strconv.Itoa(e.Index), func() *lastRuns {
		l := &lastRuns{of: map[sameCheck]lastRun{}}
		for i, c := range slices.Backward(checksOf(v, e)) {
			key := sameCheck{checkID(v, c), c.Status}
			if _, seen := l.of[key]; !seen {
				l.of[key] = lastRun{c, i}
				l.runs = append(l.runs, l.of[key])
			}
		}
		return l
	})
}

func checksOf(v *classify.View, e *classify.Episode) []*classify.Check {
	return v.ChecksIn(e.Begin-1, e.Last+1)
}

// after reports that a run after the i-th check of the episode passes.
func (l *lastRuns) after(v *classify.View, i int, c *classify.Check, pass func(*classify.Check) bool) bool {
	for _, d := range l.runs[:min(len(l.runs), mostChecks)] {
		if d.at <= i {
			return false
		}
		if pass(d.Check) {
			return true
		}
	}
	for _, status := range []classify.Status{classify.Green, classify.Red, classify.Nothing, classify.Unclear} {
		if d, ok := l.of[sameCheck{checkID(v, c), status}]; ok && d.at > i && pass(d.Check) {
			return true
		}
	}
	return false
}

// checkID numbers the checks of the thread: equal commands in one folder have
// one number.
func checkID(v *classify.View, c *classify.Check) int {
	return classify.Once(&v.Facts, "check ids", func() map[*classify.Check]int {
		ids, numbers := map[*classify.Check]int{}, map[string]int{}
		for _, c := range v.Checks {
			key := strings.Join([]string{c.Name, c.Runner, string(c.Kind), c.Dir, strings.Join(c.Selection, "\x01"), strings.Join(c.Argv, "\x01")}, "\x00")
			if _, ok := numbers[key]; !ok {
				numbers[key] = len(numbers)
			}
			ids[c] = numbers[key]
		}
		return ids
	})[c]
}

// lastTested is where each kind of check last told a result in an episode.
func lastTested(v *classify.View, e *classify.Episode) map[runner.Kind]int {
	return classify.Once(&v.Own, "last tested "+strconv.Itoa(e.Index), func() map[runner.Kind]int {
		last := map[runner.Kind]int{}
		for _, d := range checksOf(v, e) {
			if d.Status == classify.Green || d.Status == classify.Red {
				last[d.Kind] = d.Pos
			}
		}
		return last
	})
}

// redRun is a check that was red before the first change of an episode, with
// the most failures that it showed.
type redRun struct {
	*classify.Check
	failed int
}

// earlier is what was red before the first change of an episode.
type earlier struct {
	changed bool // there is a change at all
	red     []*redRun
}

func redEarlier(v *classify.View, e *classify.Episode) earlier {
	return classify.Once(&v.Own, "red earlier "+strconv.Itoa(e.Index), func() earlier {
		changes := v.CandidateChanges(e)
		if len(changes) == 0 {
			return earlier{}
		}
		out := earlier{changed: true}
		byID := map[int]*redRun{}
		all := v.ChecksIn(-1, changes[0].Action.Pos)
		for _, d := range slices.Backward(all[max(0, len(all)-mostEarlier):]) {
			if d.Status != classify.Red {
				continue
			}
			id := checkID(v, d)
			if byID[id] == nil && len(byID) < mostChecks {
				byID[id] = &redRun{Check: d}
				out.red = append(out.red, byID[id])
			}
			if r := byID[id]; r != nil {
				r.failed = max(r.failed, d.Summary.Failed+d.Summary.Errors)
			}
		}
		return out
	})
}
