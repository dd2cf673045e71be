package rules

import (
	"path"
	"regexp"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// stateMoved reports that something changed what the action works on between
// its two runs: a change of what it names, for a command any change of the
// work but its prose; an undo; a look that found it gone; a new environment.
func stateMoved(v *classify.View, first, again *classify.Action) bool {
	ts := targets(v, again)
	for _, c := range v.ChangesIn(first.Pos, again.Pos) {
		if c.Action != first && c.Action != again && !c.Install && moves(c, again, ts) {
			return true
		}
	}
	for _, a := range v.ActionsIn(first.Pos, again.Pos) {
		if a != first && a.Ran() && (takesBack(a, again) || findsGone(a, ts) || findsUndone(a, again) || makes(a, again)) {
			return true
		}
	}
	if v.NewEnvironment(first.Pos, again.Pos) {
		return true
	}
	return first.Run.Meta.Cwd != again.Run.Meta.Cwd && first.Run.Meta.Cwd != "" && again.Run.Meta.Cwd != ""
}

// moves reports that a change touches what an action works on.
func moves(c *classify.Change, again *classify.Action, ts []string) bool {
	if again.Kind == classify.RunsShell && !writesContent(again) {
		return c.Candidate() && !c.Formatter && (!prose(c.Path) || strings.Contains(again.Shell, path.Base(c.Path)))
	}
	if again.Kind == classify.Other && c.Path != "." && strings.Contains(string(again.Args), path.Base(c.Path)) {
		return true
	}
	for _, p := range ts {
		if c.Path == p || c.Path == "." || c.Op == shell.OpUnknown {
			return true
		}
	}
	return false
}

// prose are files that no program works on.
func prose(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

// undoWords name acts that put a state back.
var undoWords = regexp.MustCompile(`(?i)\b(roll[ _-]?back|undo|revert|reset|restore|drop|truncate|flush|wipe|purge|teardown|tear-down|destroy|migrate:(down|fresh|reset)|downgrade)\b`)

// takesBack reports that an action undoes states of the kind that a command or
// a tool leaves; files are judged by their changes.
func takesBack(a, again *classify.Action) bool {
	if again.Kind == classify.Edits || a.ReadOnly() {
		return false
	}
	return undoWords.MatchString(a.Shell) || a.Kind == classify.Other && undoWords.MatchString(strings.ReplaceAll(a.Tool, "_", " "))
}

// nothingThere matches a look's answer that what should be there is not, and
// checkWords the commands that would say so by failing.
var (
	nothingThere = regexp.MustCompile(`(?i)(\b(0|no) (rows?|products?|items?|records?|results?|entries|orders?|files?)\b|^\s*0\s*$|count[\s-]+0\b|does not exist|no such (table|file|database|collection)|\bempty\b)`)
	checkWords   = regexp.MustCompile(`(?i)\b(verify|check|validate|status|count|exists?|diff|doctor)`)
)

// findsUndone reports that a look or a check told that work which a command
// did is not there.
func findsUndone(a, again *classify.Action) bool {
	if again.Kind == classify.Edits || a.Same(again) {
		return false
	}
	looked := nothingThere.MatchString(classify.Clip(a.Output(), 1000)) && looksAt(a)
	return looked || a.Outcome == ingest.Fail && checkWords.MatchString(a.Shell+" "+a.Tool)
}

// makes reports that another command between worked on a file that a command
// names: it may have made it anew.
func makes(a, again *classify.Action) bool {
	if again.Kind != classify.RunsShell || a.Kind != classify.RunsShell || a.Same(again) {
		return false
	}
	for _, c := range a.Commands {
		if _, _, isGit := c.Git(); isGit || c.ReadOnly() {
			continue
		}
		own := 1 // its own program, and the script that an interpreter runs
		if interpreters[path.Base(c.Argv[0])] {
			own = 2
		}
		for _, w := range c.Argv[min(own, len(c.Argv)):] {
			if base := path.Base(w); strings.Contains(base, ".") && len(base) > 3 && !prose(base) && strings.Contains(again.Shell, base) {
				return true
			}
		}
	}
	return false
}

var goneWords = regexp.MustCompile(`(?i)(no such file|not found|does not exist|cannot find|can't find|enoent)`)

// findsGone reports that an action looked at one of the files and did not find
// it.
func findsGone(a *classify.Action, ts []string) bool {
	if a.Outcome != ingest.Fail || !goneWords.MatchString(classify.Clip(a.Output(), 1000)) {
		return false
	}
	for _, p := range ts {
		if base := path.Base(p); strings.Contains(string(a.Args), base) {
			return true
		}
	}
	return false
}
