package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/criteria"
	"github.com/faultline-dev/faultline/classify/opinion"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// sprintContract is a document in which a planner or an evaluator wrote what
// done means.
type sprintContract struct {
	criteria.Contract
	file   string // "" for a message
	cite   classify.Cite
	pos    int
	action *classify.Action // that wrote the file, else nil
}

// contractsOf are the sprint contracts of a run and its sub-agents, in order.
func contractsOf(v *classify.View) []*sprintContract {
	return classify.Once(&v.Own, "sprint contracts", func() (out []*sprintContract) {
		who := speakersOf(v)
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			if e.Kind != ingest.Message || e.Actor != ingest.Agent || e.Copied || e.Summary || !judgesOrPlans(who.of(e)) {
				continue
			}
			if c, ok := criteria.Read(v.Run.Text(e)); ok && c.Titled {
				out = append(out, &sprintContract{Contract: c, cite: classify.Cite{Run: v.Run, Event: e}, pos: v.Start() + i})
			}
		}
		for _, c := range v.ChangesIn(v.Start()-1, v.End()+1) {
			if k := writtenContract(v, who, c); k != nil {
				out = append(out, k)
			}
		}
		slices.SortStableFunc(out, func(a, b *sprintContract) int { return a.pos - b.pos })
		return out
	})
}

func judgesOrPlans(name string) bool { return opinion.Planner(name) || opinion.Evaluator(name) }

// contractFile matches the name of a file that holds what done means.
var contractFile = phrase.MustCompile(`(?i)contract|acceptance|criteria|definition[-_]of[-_]done|vertrag|contrato|contrat|验收`)

// writtenContract reads a change as the writing of a sprint contract: its file
// or text says so, and a planner or evaluator wrote it.
func writtenContract(v *classify.View, who *speakers, c *classify.Change) *sprintContract {
	a := c.Action
	if !v.Owns(a) || !documents[strings.ToLower(path.Ext(c.Path))] {
		return nil
	}
	text := writtenText(c)
	named := contractFile.MatchString(c.Path)
	if text == "" || !named && !strings.Contains(strings.ToLower(text), "contract") {
		return nil
	}
	k, ok := criteria.Read(text)
	if !ok || !named && !k.Titled {
		return nil
	}
	by := who.of(a.Cite().Event)
	if a.Sub {
		by = who.names[a.Run.Meta.Agent]
	}
	sprint := k.Sprint || strings.Contains(strings.ToLower(c.Path), "sprint")
	if !judgesOrPlans(by) && !judgesOrPlans(k.By) && !sprint && !inRole(v, a.Pos) {
		return nil
	}
	return &sprintContract{Contract: k, file: c.Path, cite: a.Cite(), pos: a.Pos, action: a}
}

// documents are the extensions of files that hold documents or data.
var documents = wordSet(".md .txt .json .yaml .yml .toml .rst .adoc .mdx .jsonc")

// role matches an instruction that gives the agent itself a role.
var role = phrase.MustCompile(`(?i)\b(?:you are|act as|take the role|your role|role:|du bist|eres|tu es|vous êtes)\b(.{0,60})|(?:你是|あなたは)(.{0,30})`)

// inRole reports that the request which a position belongs to makes the agent a
// planner or evaluator.
func inRole(v *classify.View, pos int) bool {
	e := v.EpisodeAt(pos)
	if e == nil {
		return false
	}
	for _, m := range role.FindAllStringSubmatch(e.Prompt[:min(len(e.Prompt), 1<<16)], 20) {
		if judgesOrPlans(m[1] + m[2]) {
			return true
		}
	}
	return false
}

// writtenText is the text that a change puts into its file, as far as the call
// states it.
func writtenText(c *classify.Change) string {
	if c.Known {
		return c.Content
	}
	args := stringsOf(c.Action.Args)
	for _, key := range []string{"content", "file_text", "new_string", "new_str", "newString", "new_text", "replace"} {
		if s := args[key]; s != "" {
			return s
		}
	}
	for _, key := range []string{"patch", "input"} {
		if s := args[key]; s != "" {
			return addedTo(s, c.Path)
		}
	}
	if s, ok := strings.CutPrefix(string(c.Action.Args), "*** Begin Patch"); ok {
		return addedTo(s, c.Path)
	}
	return ""
}

// addedTo are the lines that a patch adds to a file.
func addedTo(patch, file string) string {
	var b strings.Builder
	here := false
	for line := range strings.Lines(patch) {
		if rest, ok := strings.CutPrefix(line, "*** "); ok {
			_, name, _ := strings.Cut(rest, ": ")
			here = strings.HasSuffix(strings.TrimSpace(name), path.Base(file))
		} else if rest, ok := strings.CutPrefix(line, "+"); ok && here {
			b.WriteString(rest)
		}
	}
	return b.String()
}

// planFile matches files that plan the work or tell of it and are no part of it.
var planFile = phrase.MustCompile(`(?i)(?:^|/)(?:[^/]*(?:plan|progress|todo|notes?|roadmap|backlog|contract|feature[-_]?list|features|spec|tasks?|rubric|handoff|journal|log)[^/]*\.(?:md|txt|json|jsonl|yaml|yml|toml)|init\.sh)$|(?:^|/)(?:plans?|planning|contracts?|specs?|notes|docs/plan)/`)

// plans reports that a changed file plans the work.
func plans(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".txt", ".rst", ".adoc":
		return true
	}
	return planFile.MatchString(file)
}
