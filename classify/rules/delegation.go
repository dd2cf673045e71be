package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// delegation is a task that was given to a sub-agent, and what is known of how
// it was done.
type delegation struct {
	*classify.Action
	task     string
	reader   bool // the sub-agent is one of those that only read
	recorded bool // the sub-agent's own events are there
	done     []*classify.Action
	answer   string
	told     classify.Cite // the event that brought the answer
	back     int           // its position
}

// delegations are those of an episode that came back.
func delegations(v *classify.View, e *classify.Episode) []*delegation {
	return classify.Once(&v.Own, fmt.Sprint("delegations ", e.Index), func() []*delegation { return findDelegations(v, e) })
}

func findDelegations(v *classify.View, e *classify.Episode) (out []*delegation) {
	for _, a := range v.EpisodeActions(e) {
		if a.Sub || a.Run != v.Run || a.Result < 0 || a.Outcome != ingest.OK || a.Cite().Event.Agent != "" {
			continue
		}
		agent := a.CiteEnd().Event.Agent
		if agent == "" && a.Result >= 0 {
			agent = a.Run.Events[a.Result].Agent
		}
		if a.Kind != classify.Delegates && agent == "" {
			continue
		}
		d := &delegation{Action: a, told: a.CiteEnd(), back: a.End, answer: a.Output()}
		d.readTask()
		d.find(v, e, agent)
		out = append(out, d)
	}
	return out
}

// taskMembers name what a sub-agent is to do, typeMembers which one does it.
var (
	taskMembers = []string{"prompt", "message", "objective", "task", "instructions", "input", "query", "request", "description"}
	typeMembers = []string{"subagent_type", "agent_type", "agent", "agent_name", "type", "name", "role", "worker"}
	readerTypes = phrase.MustCompile(`(?i)explor|plan|research|review|search|analy|read|audit|investigat|critic|judge|evaluat|verif|advis`)
)

func (d *delegation) readTask() {
	var args map[string]jsontext.Value
	if json.Unmarshal(d.Args, &args) != nil {
		return
	}
	first := func(keys []string) string {
		for _, k := range keys {
			var s string
			if json.Unmarshal(args[k], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	d.task = first(taskMembers)
	d.reader = readerTypes.MatchString(first(typeMembers))
}

// find looks for the sub-agent's own events: a run of its own, or those that
// stand in the parent's file under the id of the call.
func (d *delegation) find(v *classify.View, e *classify.Episode, agent string) {
	for _, sub := range v.Subs {
		if agent != "" && sub.Meta.Agent == agent {
			d.recorded = true
			for i := range sub.Events {
				d.hear(sub, &sub.Events[i])
			}
			d.done = actionsOf(v)[agentOf{sub, ""}]
		}
	}
	inline := agentOf{d.Run, d.Cite().Event.Call}
	if events := eventsOf(v)[inline.agent]; !d.recorded && inline.agent != "" && len(events) > 0 {
		d.recorded = true
		for _, ev := range events {
			d.hear(d.Run, ev)
		}
		d.done = actionsOf(v)[inline]
	}
	if w := waitCalls(v, e)[agent]; agent != "" && w != nil && w.Pos > d.Pos {
		d.told, d.back = w.CiteEnd(), w.End
	}
}

// agentOf is a sub-agent: a run of its own, or an id within its parent's run.
type agentOf struct {
	run   *ingest.Run
	agent string
}

func actionsOf(v *classify.View) map[agentOf][]*classify.Action {
	return classify.Once(&v.Facts, "actions of agents", func() map[agentOf][]*classify.Action {
		out := map[agentOf][]*classify.Action{}
		for _, a := range v.Actions {
			if id := a.Cite().Event.Agent; a.Sub || id != "" {
				at := agentOf{a.Run, id}
				if a.Sub {
					at.agent = ""
				}
				out[at] = append(out[at], a)
			}
		}
		return out
	})
}

// eventsOf are the events of the view's run that a sub-agent caused.
func eventsOf(v *classify.View) map[string][]*ingest.Event {
	return classify.Once(&v.Own, "events of agents", func() map[string][]*ingest.Event {
		out := map[string][]*ingest.Event{}
		for i := range v.Run.Events {
			if ev := &v.Run.Events[i]; ev.Agent != "" && ev.Kind != ingest.ToolResult {
				out[ev.Agent] = append(out[ev.Agent], ev)
			}
		}
		return out
	})
}

var agentID = phrase.MustCompile(`[\w-]{6,}`)

// waitCalls are the last calls of the parent that name an agent in their arguments
// and so may have waited for its answer.
func waitCalls(v *classify.View, e *classify.Episode) map[string]*classify.Action {
	return classify.Once(&v.Own, fmt.Sprint("waits ", e.Index), func() map[string]*classify.Action {
		out := map[string]*classify.Action{}
		for _, a := range v.EpisodeActions(e) {
			if a.Sub || a.Run != v.Run || a.Result < 0 || len(a.Args) > 4096 || a.Kind == classify.RunsShell || a.Kind == classify.Edits {
				continue
			}
			for _, id := range agentID.FindAllString(string(a.Args), -1) {
				out[id] = a
			}
		}
		return out
	})
}

// hear keeps the sub-agent's last words.
func (d *delegation) hear(r *ingest.Run, ev *ingest.Event) {
	if ev.Kind == ingest.Message && ev.Actor == ingest.Agent && ev.Text.Len > 0 {
		d.answer = r.Text(ev)
	}
}

// Words by which a task demands a change, and by which it demands to look or to
// tell. A language is added by adding words.
var (
	changeWords = phrase.MustCompile(`(?i)(?:^|[.!:;\n]\s*|^\s*(?:please|bitte|now|then)\s+|\b(?:and|then|und|y|et)\s+)(?:[-*\d.)]+\s*)?(?:please )?(add|change|create|write|implement|fix|remove|delete|rename|replace|update|split|raise|port|make|translate|convert|move|refactor|migrate|install|apply|edit|insert|extract|merge|clean|generate|rewrite|bump|upgrade|lower|increase|correct|repair|introduce|extend|modify|adjust|drop|wire|enable|disable|set|` +
		`füge|ändere|erstelle|schreibe|entferne|lösche|benenne|behebe|ersetze|übersetze|implementiere|aktualisiere|verschiebe|` +
		`añade|agrega|crea|cambia|corrige|elimina|arregla|actualiza|traduce|implementa|ajoute|crée|modifie|supprime|remplace|traduis|adicione|crie|altere|remova|corrija|aggiungi|modifica|correggi|rimuovi|` +
		`добавь|исправь|создай|удали|измени|обнови|переименуй)\b|添加|修改|修复|创建|删除|实现|更新|重构|翻译|替换|追加し|修正し|作成し|削除し|実装し|変更し`)
	readWords = phrase.MustCompile(`(?i)^\W*(?:please |bitte |you are an? [^.\n]*\.\s*)?(list|find|look|search|explain|report|check|review|analy[sz]e|investigate|research|summari[sz]e|identify|explore|read|inspect|verify|determine|describe|count|compare|tell|answer|audit|assess|evaluate|locate|gather|collect|map|which|what|how|why|where|is|are|does|can|plan|think|finde|suche|liste|prüfe|erkläre|lies|busca|lista|explica|revisa|cherche|liste|explique|vérifie|查找|搜索|列出|分析|检查|解释|調べ|найди|проверь|объясни)|\b(read[- ]only|do not (edit|change|modify|write|touch)|don't (edit|change|modify|write|touch)|without (editing|changing|modifying)|no changes)\b|\b(?:write|create|make|give|draft|prepare|generate|provide|return) (?:me |us )?(?:a|an|the|your) (?:\w+ ){0,2}(?:summary|report|list|plan|analysis|overview|review|proposal|answer|description|explanation|outline|draft|assessment|comparison)\b`)
)

// demandsChange reports that the task is to change something.
func (d *delegation) demandsChange() bool {
	return !d.reader && !readWords.MatchString(d.task) && changeWords.MatchString(d.task) || slices.ContainsFunc(d.done, func(a *classify.Action) bool { return a.Kind == classify.Edits })
}

// onlyLooked reports that nothing the sub-agent did can have changed anything.
func (d *delegation) onlyLooked() bool {
	return !slices.ContainsFunc(d.done, func(a *classify.Action) bool {
		return a.Ran() && !a.ReadOnly() && !(a.Kind == classify.Edits && a.Outcome == ingest.Fail)
	})
}

// mostLooks bounds how many actions after an answer are asked whether they look
// at its result.
const mostLooks = 1000

// verified reports that the parent looked at the result itself before the work
// was accepted: it ran a check, compared the tree, changed something, or read a
// file that the answer names.
func (d *delegation) verified(v *classify.View, e *classify.Episode) bool {
	after := v.ActionsIn(d.back, e.AtPos+1)
	for _, a := range after[:min(len(after), mostLooks)] {
		if a.Sub || a.Run != d.Run || a.Cite().Event.Agent != "" || !a.Ran() {
			continue
		}
		if a.Checks() || len(a.Changes()) > 0 {
			return true
		}
		for _, f := range a.Paths() {
			if strings.Contains(d.answer, baseOf(f)) {
				return true
			}
		}
		for _, c := range a.Commands {
			if sub, _, ok := c.Git(); ok && (sub == "diff" || sub == "status" || sub == "show" || sub == "log") {
				return true
			}
			for _, f := range c.Reads() {
				if f == "." || strings.Contains(d.answer, baseOf(f)) {
					return true
				}
			}
		}
	}
	return false
}

func baseOf(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
