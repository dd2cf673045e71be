package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

var staleEnvironment = classify.Rule{
	Name:    "handoff/stale-environment",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "The run acted on an environment that was no longer there",
		Text:     "What the hand-over says is there (a service on a port, a process, a branch, a path) was gone or another's after the boundary. The run met that and went on: it wrote to the new owner, changed the work as if that were to blame, or ended, with no restart, correction or word of it.",
		Fires:    "The summary says that the dev server runs on 5173; the connection is refused; the run edits its router.",
		NearMiss: "The failing call is followed by a restart, a look for what is gone, or a correction; the answer says so; the run stopped it itself.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Hand over what runs with a probe for each, and let the next session run the probes before anything else.",
		Metric:   "acts after a boundary on processes, branches or paths that were gone",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		n := 0
		for _, h := range handover.Find(v) {
			if n > mostMet {
				return
			}
			said := h.Statements()
			said = said[:min(len(said), mostSaid)]
			met := map[string]bool{}
			for _, a := range v.ActionsIn(h.Begin-1, h.Until()) {
				if v.Owns(a) && a.Ran() && len(said) > 0 {
					meets(v, p, h, said, a, met)
				}
			}
			n += len(met)
		}
	},
}

// Bounds: how many things of one hand-over are followed, and of how many that
// are gone the rest of the run is searched for a correction.
const (
	mostSaid = 200
	mostMet  = 200
)

// meets reports the first of the things said that a call finds gone or
// another's, when nothing corrects it.
func meets(v *classify.View, p *classify.Pass, h *handover.Handover, said []handover.Statement, a *classify.Action, met map[string]bool) {
	head := ""
	for _, s := range said {
		if met[s.Target] || s.Kind == handover.Check || !namesTarget(a, s) {
			continue
		}
		if head == "" {
			head = clipRaw(a.Output(), 4000)
		}
		owner := ""
		switch {
		case findsNothing(a, s, head):
		case s.Kind == handover.Service && sendsTo(a):
			if owner = newOwner(v, h, s, head); owner == "" {
				continue
			}
		default:
			continue
		}
		met[s.Target] = true
		if endedByRun(v, h, s, a) || corrected(v, s, a, owner) {
			continue
		}
		reportStaleEnvironment(v, p, h, s, a, owner)
	}
}

func clipRaw(s string, n int) string { return s[:min(len(s), n)] }

// gone holds, by kind, what the programs that look for a thing answer when it
// is not there.
var gone = map[handover.Kind]*phrase.Pattern{
	handover.Service: phrase.MustCompile(`(?i)(connection refused|econnrefused|err_connection_refused|(failed|couldn't|could not|unable) to connect|couldn't connect|connect: no route|network is unreachable)`),
	handover.Process: phrase.MustCompile(`(?i)(no such process|is not running|not running|no process found)`),
	handover.Branch:  phrase.MustCompile(`(?i)(did not match any|unknown revision|invalid reference|not a valid (ref|object name|branch)|couldn't find remote ref|not something we can merge|does not (exist|appear))`),
	handover.File:    goneWords,
}

// findsNothing reports that a call failed because the thing is not there.
func findsNothing(a *classify.Action, s handover.Statement, head string) bool {
	if a.Outcome != ingest.Fail || gone[s.Kind] == nil || !gone[s.Kind].MatchString(head) {
		return false
	}
	if s.Kind == handover.File {
		return s.Before != nil && (a.Kind == classify.Looks || strings.Contains(head, s.Target))
	}
	return true
}

// namesTarget reports that a call works with the thing.
func namesTarget(a *classify.Action, s handover.Statement) bool {
	text := a.Shell
	if text == "" {
		text = string(a.Args)
	}
	switch s.Kind {
	case handover.Service:
		return slices.Contains(handover.Ports(a), s.Target) || len(s.Target) > 5 && strings.Contains(text, s.Target)
	case handover.Branch:
		return slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
			_, args, ok := c.Git()
			return ok && slices.Contains(args, s.Target)
		})
	}
	return len(s.Target) > 2 && strings.Contains(text, s.Target)
}

// sendsTo reports that a call writes to a service.
func sendsTo(a *classify.Action) bool {
	writes := func(x effect.Effect) bool { return x.Class == effect.LocalWrite || x.Class == effect.ExternalWrite }
	if a.Kind == classify.Other {
		return writes(effect.FromTool(a.Tool, a.Args))
	}
	return slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
		return slices.ContainsFunc(effect.FromCommand(c.Argv, c.Stdin), writes)
	})
}

// identity matches how a service names itself in a reply or its head.
var identity = phrase.MustCompile(`(?i)"(?:service|server|app|application|service_?name|app_?name)"\s*:\s*"([^"]{1,60})"|(?m:^<?\s*server:\s*(\S{1,60}))`)

func identityIn(out string) string {
	m := identity.FindStringSubmatch(out)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// newOwner is who answers on a port now, when another answered there before the
// hand-over.
func newOwner(v *classify.View, h *handover.Handover, s handover.Statement, head string) string {
	now := identityIn(head)
	if now == "" {
		return ""
	}
	for _, a := range slices.Backward(onPort(v)[s.Target]) {
		if a.Pos >= h.Begin || a.Outcome != ingest.OK {
			continue
		}
		if then := identityIn(clipRaw(a.Output(), 4000)); then != "" && then != now {
			return now
		} else if then != "" {
			return ""
		}
	}
	return ""
}

// onPort lists the calls that name each port.
func onPort(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Facts, "calls by port", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.Actions {
			for _, port := range handover.Ports(a) {
				out[port] = append(out[port], a)
			}
		}
		return out
	})
}

// stops match commands that end a service.
var stops = phrase.MustCompile(`(?i)\b(kill|pkill|killall|fuser -k|stop|down|terminate|shutdown|docker rm|kill_?(shell|bash|process))\b`)

// endedByRun reports that the run took the thing away itself.
func endedByRun(v *classify.View, h *handover.Handover, s handover.Statement, a *classify.Action) bool {
	switch s.Kind {
	case handover.File:
		for _, c := range v.ChangesOf(s.Target) {
			if c.Action.Pos < a.Pos && (c.Op == shell.OpDelete || c.Op == shell.OpMove) {
				return true
			}
		}
	case handover.Service, handover.Process:
		for _, x := range v.ActionsIn(h.Begin-1, a.Pos) {
			if stops.MatchString(x.Shell) || stops.MatchString(x.Tool) {
				return true
			}
		}
	}
	return false
}

// restartCommand matches calls that bring a service up beside those of serviceWords.
var restartCommand = phrase.MustCompile(`(?i)(\b(start|restart|launch|spawn|boot|systemctl|service|docker|podman|compose|supervisorctl|pm2|nohup|setsid|screen|tmux)\b|_process\b|&\s*$)`)

// branchWork are the git commands by which a branch is looked for or made.
var branchWork = wordSet("branch checkout switch fetch worktree reflog for-each-ref remote ls-remote show-ref log status")

// corrected reports that what follows a call, up to the next request, looks for
// the thing, brings it back, reaches it, or tells of it; or that nothing follows
// that rests on it.
func corrected(v *classify.View, s handover.Statement, a *classify.Action, owner string) bool {
	until := v.End() + 1
	asked := v.Asked()
	if i, _ := slices.BinarySearch(asked, a.Pos+1); i < len(asked) {
		until = min(until, asked[i])
	}
	acts := owner != ""
	for _, x := range v.ActionsIn(a.Pos, until) {
		if !x.Ran() || x.Kind == classify.Notes {
			continue
		}
		if x != a && (correction(v, s, x) || owner != "" && namesTarget(x, s)) {
			return true
		}
		acts = acts || changesState(x) || handover.Commits(x)
	}
	e := v.EpisodeAt(a.Pos)
	return !acts && (e == nil || !e.Accepted) || toldBefore(v, s, a.Pos, until, owner)
}

func correction(v *classify.View, s handover.Statement, x *classify.Action) bool {
	works := x.Outcome == ingest.OK || x.Outcome == ingest.Pending
	if works && namesTarget(x, s) {
		return true
	}
	switch s.Kind {
	case handover.Service, handover.Process:
		return x.Outcome == ingest.Pending || restartCommand.MatchString(x.Shell) || x.Shell != "" && serviceWords.MatchString(x.Shell) || x.Kind == classify.Other && restartCommand.MatchString(strings.ReplaceAll(x.Tool, "_", " "))
	case handover.Branch:
		return slices.ContainsFunc(x.Commands, func(c shell.Command) bool {
			sub, _, ok := c.Git()
			return ok && branchWork[sub]
		})
	}
	if surveys(v, x) || x.Kind == classify.Looks && len(x.Paths()) == 0 {
		return true
	}
	return works && (strings.Contains(x.Shell, path.Base(s.Target)) || x.Shell == "" && strings.Contains(string(x.Args), path.Base(s.Target)))
}

// toldBefore reports that the agent speaks of the thing, asks, or admits that
// something could not be done or does not work.
func toldBefore(v *classify.View, s handover.Statement, from, to int, owner string) bool {
	for _, pos := range handover.Acts(v) {
		if pos <= from || pos >= to {
			continue
		}
		c := v.Event(pos)
		if c.Event.Kind != ingest.Message {
			continue
		}
		text := c.Run.Text(c.Event)
		if strings.Contains(text, s.Target) || owner != "" && strings.Contains(text, owner) {
			return true
		}
		st := claim.Read(text)
		if st.Asks || slices.ContainsFunc(st.Disclosed, func(d claim.Disclosure) bool {
			return d.Gap == claim.Unable || d.Gap == claim.NotRun || d.Gap == claim.Failing || d.Gap == claim.NeedsUser
		}) {
			return true
		}
	}
	return false
}

func reportStaleEnvironment(v *classify.View, p *classify.Pass, h *handover.Handover, s handover.Statement, a *classify.Action, owner string) {
	e := v.EpisodeAt(a.Pos)
	if e == nil || e.Open {
		return
	}
	how := "is gone"
	if owner != "" {
		how = "is another's"
	}
	cites := []classify.Cite{a.Cite(), s.Cite, a.CiteEnd()}
	if s.Before != nil {
		cites = append(cites, s.Before.Cite())
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: s.Grade, Episode: e.Index, At: a.Pos, Cite: cites,
		Message:   fmt.Sprintf("the hand-over says that the %s %s is there, it %s, and the run goes on without a restart or correction", s.Kind, classify.Clip(s.Target, 60), how),
		Structure: []string{h.Boundary.Kind, string(s.Kind), how, commandClass(a)},
	})
}
