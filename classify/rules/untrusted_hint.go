package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var untrustedHint = classify.Rule{
	Name:    "idempotency/untrusted-hint",
	Highest: classify.Medium,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "A write rested on nothing but the hint of a server that is not trusted",
		Text:     "MCP servers annotate their tools (readOnlyHint, idempotentHint, destructiveHint), and clients must not rely on that unless they trust the server. Here a write ran without a question, or was sent again by itself, and the only ground was such a hint from a server outside the trust list.",
		Fires:    "create_test_order is approved without asking because its server calls it read-only; the trust list names another server.",
		NearMiss: "A trusted server; the client's own contract says that the call may be repeated, runs without a question, or that its annotations are trusted; a human approved; a read.",
		Occasion: "an automatic approval, or a write whose server annotates it",
		Needs:    "approvals with their ground, or the server's list of tools",
		Owner:    classify.Permission,
		Change:   "Take annotations into account only for servers in a trust list, and decide on the client's own contract otherwise.",
		Metric:   "writes approved or repeated on untrusted hints",
	},
	Occasion: func(v *classify.View) bool { return len(hinted(v)) > 0 || len(annotated(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, h := range hinted(v) {
			approvedOnHint(v, p, h)
		}
		for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if hint := annotated(v)[ownName(x.Action.Tool)]; hint.harmless() && x.Writes() && v.Owns(x.Action) && judged(v, x) && !vouched(v, x, x.Server) {
				if !v.Has(ingest.HasApprovals) {
					p.Abstain("approvals: whether anybody was asked is not in the log")
				}
				retriedOnHint(v, p, x, hint)
			}
		}
	},
}

// approval is an automatic approval that rests on an annotation.
type approval struct {
	classify.Cite
	server string
}

// hints are the annotations of MCP by which a server says that a call does no
// harm.
var hints = phrase.MustCompile(`\b(readOnlyHint|idempotentHint|destructiveHint|openWorldHint)\b`)

// hinted are the run's approvals by the harness whose ground is an annotation:
// it says so, or names none but an annotation.
func hinted(v *classify.View) []approval {
	return classify.Once(&v.Own, "approved on hints", func() []approval {
		var out []approval
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			if e.Kind != ingest.Approval || e.Actor == ingest.User || e.Outcome != ingest.OK || e.Call == "" || e.Copied {
				continue
			}
			var d struct {
				Server string `json:"server"`
				Ground string `json:"ground"`
			}
			detail := v.Run.Detail(e)
			if len(detail) > 0 && detail[0] == '{' && json.Unmarshal(detail, &d) != nil {
				continue
			}
			if d.Ground != "" && !strings.Contains(d.Ground, "annotation") && !hints.MatchString(d.Ground) {
				continue
			}
			if d.Ground != "" || hints.MatchString(v.Run.Text(e)) || hints.MatchString(string(detail)) {
				out = append(out, approval{classify.Cite{Run: v.Run, Event: e}, d.Server})
			}
		}
		return out
	})
}

func approvedOnHint(v *classify.View, p *classify.Pass, h approval) {
	a := actionOf(v, h.Event.Call)
	if a == nil {
		return
	}
	for _, x := range a.Effects() {
		server := h.server
		if server == "" {
			server = x.Server
		}
		if x.Writes() && judged(v, x) && !vouched(v, x, server) {
			reportHint(v, p, x, h.Cite, "approved without a question", x.Action.Cite())
			return
		}
	}
}

// vouched reports that the client itself stands for the call: it trusts the
// server, or its contract says how the tool may be called.
func vouched(v *classify.View, x *classify.Effect, server string) bool {
	if c := x.Contract; c != nil && (c.TrustedAnnotations || c.Repeatable || c.Permission == "auto") {
		return true
	}
	return slices.ContainsFunc(v.Config().Trusted, func(name string) bool { return server != "" && bare(name) == bare(server) })
}

// bare drops what names of one server differ by: case and separators.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// annotation is what a server says of one of its tools.
type annotation struct {
	ReadOnly    bool  `json:"readOnlyHint"`
	Idempotent  bool  `json:"idempotentHint"`
	Destructive *bool `json:"destructiveHint"`
	at          classify.Cite
}

// harmless: a client that believes it would neither ask nor fear a repeat.
func (a annotation) harmless() bool {
	return a.ReadOnly || a.Idempotent || a.Destructive != nil && !*a.Destructive
}

// annotated are the annotations in the lists of tools that servers sent, by the
// tool's own name.
func annotated(v *classify.View) map[string]annotation {
	return classify.Once(&v.Facts, "annotated tools", func() map[string]annotation {
		out := map[string]annotation{}
		for _, r := range v.Runs {
			for i := range r.Events {
				e := &r.Events[i]
				if e.Kind != ingest.Message || e.Actor != ingest.Harness || !strings.HasSuffix(e.Name, "tools/list") || e.Detail.Len == 0 {
					continue
				}
				var list struct {
					Tools []struct {
						Name        string         `json:"name"`
						Annotations jsontext.Value `json:"annotations"`
					} `json:"tools"`
				}
				if json.Unmarshal(r.Detail(e), &list) != nil {
					continue
				}
				for _, t := range list.Tools {
					a := annotation{at: classify.Cite{Run: r, Event: e}}
					if delete(out, t.Name); len(t.Annotations) > 0 && json.Unmarshal(t.Annotations, &a) == nil && a.harmless() {
						out[t.Name] = a
					}
				}
			}
		}
		return out
	})
}

// ownName is a tool's name without the server in front.
func ownName(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		return tool[i+2:]
	}
	return tool
}

// soon is how fast a client sends again by itself; a model takes longer.
const soon = 2 * time.Second

// retriedOnHint reports a write that a client sent again at once after an
// unknown outcome.
func retriedOnHint(v *classify.View, p *classify.Pass, w *classify.Effect, hint annotation) {
	if w.Outcome != ingest.Unknown || w.Repeatable {
		return
	}
	again := sentAgain(v, w)
	if again == nil {
		return
	}
	ended, next := w.Action.CiteEnd().Event.At, dispatched(again)
	if gap := next.Sub(ended); ended.IsZero() || next.IsZero() || gap < 0 || gap > soon {
		return
	}
	reportHint(v, p, again, again.Action.Cite(), "sent again at once", w.Action.Cite(), hint.at)
}

func reportHint(v *classify.View, p *classify.Pass, x *classify.Effect, at classify.Cite, how string, more ...classify.Cite) {
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: classify.Observed, Episode: v.EpisodeAt(x.Action.Pos).Index, At: x.Action.Pos,
		Cite:      append([]classify.Cite{at}, more...),
		Message:   fmt.Sprintf("%s was %s on the ground of its server's annotation, and the server is in no trust list", what(x), how),
		Structure: []string{tool(x), string(x.Verb), how},
	})
}
