package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var claimWithoutAction = classify.Rule{
	Name:    "acceptance/claim-without-action",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "The closing text names an action that never happened",
		Text:     "The claim speaks of an action of a kind (tests run, file written, page checked, committed, sent) of which the thread holds no event, or success was claimed without a single call where a check or a grader demanded a change.",
		Fires:    "\"I ran the tests and they pass\" in an episode with two reads and one edit.",
		NearMiss: "A question answered without tools; the action in a sub-agent, an earlier run of the thread, a user's command, a hook, or a provider-side tool.",
		Occasion: "a closing text that claims an action, or success in a trial",
		Needs:    "tool calls",
		Owner:    classify.Acceptance,
		Change:   "Check claims of actions against the record of calls before the run ends.",
		Metric:   "closing claims without a matching event",
	},
	Occasion: func(v *classify.View) bool {
		for _, e := range v.Judged() {
			if e.Closing.Event != nil && e.Accepted {
				return true
			}
		}
		return len(v.Episodes) > 0 && v.Grader.Present
	},
	Check: func(v *classify.View, p *classify.Pass) {
		last := graded(v)
		for _, e := range v.Judged() {
			if !e.Accepted {
				continue
			}
			if e == last && v.Grader.Rejected() && len(v.ActionsIn(v.Start()-1, e.Last+1)) == 0 && !e.Discloses() {
				p.Report(classify.Hit{
					Severity: classify.High, Grade: e.Grade, Episode: e.Index, At: e.AtPos,
					Cite:      []classify.Cite{e.At, e.Closing, v.Grader.Score},
					Message:   "success was claimed without a single tool call, though the task demanded a change",
					Structure: []string{"no call"},
				})
				continue
			}
			if e.Closing.Event != nil {
				reportClaims(v, p, e)
			}
		}
	},
}

func reportClaims(v *classify.View, p *classify.Pass, e *classify.Episode) {
	seen, text := map[claim.Kind]bool{}, closingText(e)
	for _, c := range e.Statement.Claims {
		if c.Negated || seen[c.Kind] || describes(text, c) || happened(v, e, c) {
			continue
		}
		seen[c.Kind] = true
		grade := e.Grade
		if grade == classify.Recorded {
			grade = classify.Observed
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: grade, Episode: e.Index, At: e.AtPos,
			Cite:      []classify.Cite{e.Closing, e.At},
			Message:   fmt.Sprintf("claims %q, but no such action is in the thread", kindWords(c)),
			Structure: []string{string(c.Kind)},
		})
	}
}

// Participles of acts that leave the workspace.
const acts = `committed|pushed|deployed|published|released|sent|emailed|posted|opened|created|raised|submitted|merged|booked|cancell?ed|refunded|placed|issued|scheduled|ordered|transferred|charged|updated|paid|enrolled|registered|shipped|exchanged|returned`

// stated matches a sentence that states an act as done: by the agent ("I
// pushed the branch", "Committed as 1f3a"), or in the passive ("your order has
// been cancelled", "all changes are committed").
var stated = phrase.MustCompile(`(?i)^[\s\d.)*•>#✅✓☑_-]*(?:\w+ed\b[^.:;]{0,60}?(?:,|,? and) )?(?:(?:and|also|then|now|finally|done|all done|perfect|great)[\s.!,:;—-]+)*(?:(?:I|we)(?:'ve|’ve| have)? )?(?:also |just |now |then |successfully |already )*(?:` + acts + `)(?:$|[.,:;!]| (?:a|an|the|all|both|my|your|this|that|these|those|everything|it|them|changes?|to|as|on|in|with|and|for|via|successfully|\d|[` + "`" + `"'#(]))` +
	`|\b(?:I|we)(?:'ve|’ve| have)? (?:also |just |now |then |successfully |already )*(?:` + acts + `)\b` +
	`|\b(?:has|have) (?:now |also |just |already |successfully )*been (?:now |successfully )*(?:` + acts + `)\b` +
	`|\b(?:changes|everything|work|fix|branch|commit|feature|release|site|app|pr|pull request|email|message|order|booking|reservation|refund) (?:is|are) (?:now |all )?(?:` + acts + `|live|confirmed|open|up)\b`)

// unsure matches words that take a statement back or put it elsewhere.
var unsure = phrase.MustCompile(`(?i)\b(should|shouldn't|would|could|might|may|can|when|whenever|once|after|if|until|unless|before|not|never|won't|cannot|earlier|previously|already|only|would've|will|to be|gets?|don't|doesn't|didn't)\b`)

// describes reports that the sentence of a claim tells how something works,
// rather than what the agent did. Kinds that are claimed in many forms are
// left to the reader of claims.
func describes(text string, c claim.Claim) bool {
	switch c.Kind {
	case claim.TestsPass, claim.TestsRun, claim.FileWritten, claim.PageChecked:
		return false
	}
	if c.Start < 0 || c.End > len(text) || c.Start > c.End {
		return false
	}
	sentence := strings.NewReplacer("**", "", "__", "").Replace(text[c.Start:c.End])
	return !stated.MatchString(sentence) || unsure.MatchString(sentence)
}

func kindWords(c claim.Claim) string {
	w := strings.ReplaceAll(string(c.Kind), "-", " ")
	if c.Subject != "" {
		w += ": " + c.Subject
	}
	return classify.Clip(w, 80)
}

// happened looks for an action of the claimed kind in the thread up to the
// claim. Kinds whose action has no sure form are taken at their word.
func happened(v *classify.View, e *classify.Episode, c claim.Claim) bool {
	switch c.Kind {
	case claim.TestsPass, claim.TestsRun:
		return len(v.ChecksIn(-1, e.Last+1)) > 0 || any(v, e, runsCode) || userActed(v, e) || v.ReportedByOthers(e, classify.Required{}) || quotes(v, e)
	case claim.FileWritten:
		return c.Subject == "" || !strings.Contains(path.Base(c.Subject), ".") || fileTouched(v, e, c.Subject)
	case claim.Committed:
		return any(v, e, git("commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull")) || any(v, e, nameHas("commit")) || any(v, e, command(otherVersioning...)) || userActed(v, e)
	case claim.Pushed:
		return any(v, e, git("push")) || any(v, e, nameHas("push")) || any(v, e, command("gh", "glab")) || any(v, e, command(otherVersioning...)) || userActed(v, e)
	case claim.PROpened:
		return any(v, e, nameHas("pull", "merge_request", "pr")) || any(v, e, command("gh", "glab", "hub", "curl")) || any(v, e, git("push"))
	case claim.PageChecked:
		return any(v, e, nameHas("browser", "playwright", "puppeteer", "screenshot", "chrome", "navigate", "page", "fetch", "web", "computer", "image")) ||
			any(v, e, command("curl", "wget", "playwright", "cypress", "puppeteer", "http", "lynx")) || runsInBrowser(v, e) || userActed(v, e)
	case claim.Deployed:
		return any(v, e, unknownTool) || anyWrite(v, e) || any(v, e, runsCode) || any(v, e, git("push")) || userActed(v, e)
	case claim.Sent, claim.EffectDone:
		return acted(v, e) && (any(v, e, unknownTool) || anyWrite(v, e) || any(v, e, runsCode) || len(v.ChangesIn(-1, e.Last+1)) > 0)
	}
	return true
}

// quotes reports that an episode that changed nothing tells what it read: the
// passing tests of a changelog are not its own.
func quotes(v *classify.View, e *classify.Episode) bool {
	return len(v.CandidateChanges(e)) == 0 && slices.ContainsFunc(v.EpisodeActions(e), func(a *classify.Action) bool {
		return a.Ran() && testsInText.MatchString(a.Output())
	})
}

func acted(v *classify.View, e *classify.Episode) bool { return len(v.ActionsIn(-1, e.Last+1)) > 0 }

var testsInText = phrase.MustCompile(`(?i)\b(tests?|suites?|checks?|specs?)\b[^\n]{0,40}\b(pass(es|ed)?|green|succeed(s|ed)?)\b`)

// otherVersioning are programs beside git that commit and push.
var otherVersioning = []string{"jj", "hg", "svn", "sl", "fossil", "gt", "git-town", "yadm", "chezmoi"}

// test is a named question about an action.
type test struct {
	name string
	pass func(*classify.Action) bool
}

// any reports that an action of the thread up to an episode's end passes.
func any(v *classify.View, e *classify.Episode, t test) bool {
	return classify.Once(&v.Facts, "first "+t.name, func() int {
		for _, a := range v.Actions {
			if a.Ran() && t.pass(a) {
				return a.Pos
			}
		}
		return never
	}) <= e.Last
}

var (
	runsCode    = test{"runs code", mayRunCode}
	unknownTool = test{"unknown tool", isUnknownTool}
)

// mayRunCode reports that the action may have executed the work: any command
// that is not a plain look at files.
func mayRunCode(a *classify.Action) bool {
	if a.Kind == classify.Delegates || a.Kind == classify.Other {
		return true
	}
	if a.Kind != classify.RunsShell {
		return false
	}
	if len(a.Commands) == 0 {
		return true
	}
	for _, c := range a.Commands {
		if _, _, isGit := c.Git(); !isGit && !c.ReadOnly() && len(c.Changes()) == 0 {
			return true
		}
	}
	return false
}

func isUnknownTool(a *classify.Action) bool {
	if a.Kind == classify.Delegates {
		return true
	}
	return a.Kind == classify.Other && effect.FromTool(a.Tool, a.Args).Class != effect.Read
}

func anyWrite(v *classify.View, e *classify.Episode) bool {
	return classify.Once(&v.Facts, "first write", func() int {
		for _, x := range v.Effects {
			if x.Class == effect.ExternalWrite && x.Outcome != ingest.Fail {
				return x.Action.Pos
			}
		}
		return never
	}) <= e.Last
}

func git(subs ...string) test {
	return test{"git " + strings.Join(subs, " "), func(a *classify.Action) bool {
		for _, c := range a.Commands {
			if sub, _, ok := c.Git(); ok {
				for _, s := range subs {
					if s == sub {
						return true
					}
				}
			}
		}
		return a.Kind == classify.RunsShell && len(a.Commands) == 0 && strings.Contains(a.Shell, "git "+subs[0])
	}}
}

func command(names ...string) test {
	return test{"command " + strings.Join(names, " "), func(a *classify.Action) bool {
		for _, c := range a.Commands {
			for _, n := range names {
				if len(c.Argv) > 0 && path.Base(c.Argv[0]) == n {
					return true
				}
			}
		}
		return false
	}}
}

func nameHas(parts ...string) test {
	return test{"nameHas " + strings.Join(parts, " "), func(a *classify.Action) bool {
		name := strings.ToLower(a.Tool)
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}}
}

// lineRange is the place in a file that a claim may name.
var lineRange = phrase.MustCompile(`:[\w.:()-]+$`)

// mostFiles bounds how many files that no call changed are sought in the texts
// of all calls; further ones are taken at their word.
const mostFiles = 200

// fileTouched reports that some action or message up to the claim knows the
// file: it was changed, or named in a command, its output, or by the user.
func fileTouched(v *classify.View, e *classify.Episode, file string) bool {
	base := path.Base(lineRange.ReplaceAllString(file, ""))
	if first, ok := changedFirst(v)[base]; ok && first <= e.Last {
		return true
	}
	known := classify.Once(&v.Facts, "files named", func() map[string]int { return map[string]int{} })
	first, ok := known[base]
	if !ok {
		if len(known) == mostFiles {
			return true
		}
		first = namedFirst(v, base)
		known[base] = first
	}
	return first <= e.Last || strings.Contains(e.Prompt, base) && acted(v, e) && any(v, e, runsCode)
}

// changedFirst is where a file of a name was first changed.
func changedFirst(v *classify.View) map[string]int {
	return classify.Once(&v.Facts, "files changed", func() map[string]int {
		first := map[string]int{}
		for _, c := range v.Changes {
			if _, ok := first[path.Base(c.Path)]; !ok {
				first[path.Base(c.Path)] = c.Action.Pos
			}
		}
		return first
	})
}

// namedFirst is where a call or its output first names a file.
func namedFirst(v *classify.View, base string) int {
	for _, a := range v.Actions {
		if a.Kind == classify.Looks && a.Outcome != ingest.OK {
			continue
		}
		if strings.Contains(a.Shell, base) || strings.Contains(string(a.Args), base) || strings.Contains(a.Output(), base) {
			return a.Pos
		}
	}
	return never
}

func runsInBrowser(v *classify.View, e *classify.Episode) bool {
	return classify.Once(&v.Facts, "first in a browser", func() int {
		for _, c := range v.Checks {
			if c.Runner == "playwright" || c.Runner == "cypress" {
				return c.Pos
			}
		}
		return never
	}) <= e.Last
}

// userActed reports that the user, a hook or a notification reported something
// in the episode that the agent may be quoting.
func userActed(v *classify.View, e *classify.Episode) bool {
	for i := e.First; i <= e.Episode.Last; i++ {
		ev := &v.Run.Events[i]
		if ev.Kind == ingest.Message && ev.Actor == ingest.Harness && (ev.Name == "command" || ev.Task != "") {
			return true
		}
	}
	return false
}
