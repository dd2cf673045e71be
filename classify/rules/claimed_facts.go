package rules

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// printedElsewhere reports that a number stands in the output of something that
// is no check, or in the request: the claim may be about that.
func printedElsewhere(v *classify.View, e *classify.Episode, n int) bool {
	return classify.Once(&v.Own, fmt.Sprint("numbers printed ", e.Index), func() map[string]bool {
		out := map[string]bool{}
		addNumbers(out, e.Prompt)
		for _, a := range v.EpisodeActions(e) {
			if !a.Checks() {
				addNumbers(out, a.Output())
			}
		}
		return out
	})[strconv.Itoa(n)]
}

// longestNumber is how many digits a count has at most.
const longestNumber = 9

// addNumbers adds the whole numbers of a text, not the decimals of others.
func addNumbers(out map[string]bool, text string) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		from := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		if w := text[from:i]; len(w) <= longestNumber && (from == 0 || text[from-1] != '.') && !out[w] {
			out[strings.Clone(w)] = true
		}
	}
}

// What a coverage report looks like, and a sentence that speaks of coverage. A
// language is added by adding a word.
var (
	coverageReport = phrase.MustCompile(`(?m)^(?:All files\s*\||TOTAL\s+\d|coverage: \d|total:\s+\(statements\)|\s*(?:Lines|Statements|Branches|Functions)\s*\.*\s*:\s*\d|Total coverage|Line coverage|.*\bline-rate=|\s*lines\.+: )`)
	percentages    = phrase.MustCompile(`(\d{1,3}(?:\.\d+)?)\s*(?:%|\|)`)
	coverageClaim  = phrase.MustCompile(`(?i)(?:coverage|covered|testabdeckung|abdeckung|cobertura|couverture|copertura|покрыти\w*|覆盖率|カバレッジ)[^.%\n\d]{0,40}?(\d{1,3}(?:\.\d+)?)\s?%|(\d{1,3}(?:\.\d+)?)\s?%[^.%\n\d]{0,25}?(?:coverage|covered|abdeckung|cobertura|couverture|copertura|покрыти|覆盖率|カバレッジ)`)
)

// tooMuchCoverage: a percentage above every one that the last report shows.
func tooMuchCoverage(v *classify.View, e *classify.Episode) *contradiction {
	m := coverageClaim.FindStringSubmatch(closingText(e))
	if m == nil {
		return nil
	}
	said := m[1] + m[2]
	value, err := strconv.ParseFloat(said, 64)
	if err != nil || strings.Contains(e.Prompt, said) {
		return nil
	}
	for _, a := range slices.Backward(v.EpisodeActions(e)) {
		if a.Kind != classify.RunsShell || a.Sub && a.Pos > e.ClosePos {
			continue
		}
		out := a.Output()
		if !coverageReport.MatchString(out) {
			continue
		}
		highest := -1.0
		for _, p := range percentages.FindAllStringSubmatch(out, -1) {
			if n, err := strconv.ParseFloat(p[1], 64); err == nil && n <= 100 {
				highest = max(highest, n)
			}
		}
		if highest < 0 || value <= math.Ceil(highest) {
			return nil
		}
		return &contradiction{"coverage", fmt.Sprintf("claims %s %% coverage, but the last report shows at most %g %%", said, highest), a.CiteEnd()}
	}
	return nil
}

func closingText(e *classify.Episode) string { return e.Closing.Run.Text(e.Closing.Event) }

var hexWord = phrase.MustCompile(`\b[0-9a-f]{7,40}\b`)

// otherCommit: a commit in the claim that stands nowhere in the thread, where
// git named the one that it made.
func otherCommit(v *classify.View, e *classify.Episode) *contradiction {
	text := closingText(e)
	for _, c := range e.Statement.Claims {
		if c.Kind != claim.Committed && c.Kind != claim.Pushed || c.Negated || c.End > len(text) {
			continue
		}
		for _, id := range hexWord.FindAllString(text[c.Start:c.End], -1) {
			if !strings.ContainsAny(id, "0123456789") || !strings.ContainsAny(id, "abcdef") || hexWords(v)[id[:fewestDigits]] {
				continue
			}
			for _, h := range slices.Backward(heads(v)) {
				if h.commits && h.id != "" && h.Pos >= e.Begin && h.Pos <= e.AtPos {
					return &contradiction{"commit", fmt.Sprintf("names commit %.12s, but git made %.12s", id, h.id), h.CiteEnd()}
				}
			}
		}
	}
	return nil
}

// hexWords are the first digits of all words of hexadecimal digits that calls,
// their outputs and the user's and harness's messages hold.
func hexWords(v *classify.View) map[string]bool {
	return classify.Once(&v.Facts, "hex words", func() map[string]bool {
		out := map[string]bool{}
		add := func(text string) {
			for _, w := range hexWord.FindAllString(strings.ToLower(text), -1) {
				out[w[:fewestDigits]] = true
			}
		}
		for _, a := range v.Actions {
			add(string(a.Args))
			add(a.Output())
		}
		for _, r := range v.Runs {
			add(r.Meta.Branch)
			for i := range r.Events {
				if ev := &r.Events[i]; ev.Kind == ingest.Message && ev.Actor != ingest.Agent {
					add(r.Text(ev))
				}
			}
		}
		return out
	})
}

// absentFile: a file of the claim that the last look did not find.
func absentFile(v *classify.View, e *classify.Episode) *contradiction {
	text := closingText(e)
	for _, m := range missing(v, e) {
		at := strings.Index(text, m.path)
		if at < 0 || !strings.Contains(m.path, "/") && path.Ext(m.path) == "" {
			continue
		}
		s := claim.Read(sentenceAt(text, at))
		if admits(s) || slices.ContainsFunc(s.Claims, func(c claim.Claim) bool { return c.Negated || c.Kind == claim.FileDeleted }) || denial.MatchString(sentenceAt(text, at)) {
			continue
		}
		return &contradiction{"file", fmt.Sprintf("speaks of %s, which the last look did not find", classify.Clip(m.path, 60)), m.CiteEnd()}
	}
	return nil
}

// denial matches words that take a sentence about a file back.
var denial = phrase.MustCompile(`(?i)\b(not|no|never|n't|cannot|without|missing|absent|removed?|deleted?|gone|dropped|renamed|moved|unlike|instead|kein\w*|nicht|sin|falta|sans|pas|manqu\w*|non|não|нет|не)\b|n't\b|没|不|未|删除|なし|ない|削除`)

// sentenceAt is the sentence around a place of a text.
func sentenceAt(text string, at int) string {
	start := 0
	for i, r := range text[:at] {
		if r == '\n' || r == '。' || (r == '.' || r == '!' || r == '?') && i+1 < at && text[i+1] == ' ' {
			start = i + 1
		}
	}
	end := len(text)
	for i := at; i < len(text); i++ {
		if c := text[i]; c == '\n' || (c == '.' || c == '!' || c == '?') && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			end = i + 1
			break
		}
	}
	return text[start:end]
}

// looked is a look for a file that was not there.
type looked struct {
	*classify.Action
	path string
}

var noSuchFile = phrase.NewWords("no such file", "enoent", "does not exist", "cannot find the file", "cannot find the path", "file not found", "not a file")

// shellError matches the line by which a program says that a file is not there.
var shellError = phrase.MustCompile(`(?i)^[\w./-]+: .*(no such file or directory|does not exist|cannot open)`)

// missing are the files that were not there when they were last looked for, and
// that nothing after can have made.
func missing(v *classify.View, e *classify.Episode) (out []looked) {
	for _, a := range slices.Backward(v.EpisodeActions(e)) {
		if a.Sub || !a.Ran() {
			continue
		}
		if !a.ReadOnly() && !a.Checks() {
			break // it may have made the file
		}
		if a.Kind == classify.Looks && a.Outcome != ingest.Fail {
			continue // what a file holds is no word about it
		}
		text := a.Output()
		if !noSuchFile.In(text) {
			continue
		}
		for _, f := range lookedFor(a) {
			for line := range strings.Lines(text) {
				if a.Kind == classify.Looks || shellError.MatchString(line) && strings.Contains(line, f) {
					out = append(out, looked{a, f})
					break
				}
			}
		}
	}
	return out
}

func lookedFor(a *classify.Action) []string {
	if a.Kind == classify.Looks {
		return a.Paths()
	}
	var out []string
	for _, c := range a.Commands {
		if shell.Program(c.Argv[0]) != "find" && shell.Program(c.Argv[0]) != "grep" {
			out = append(out, c.Reads()...)
		}
	}
	return slices.DeleteFunc(out, func(f string) bool { return f == "." })
}
