package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// lostResults reports the first writing of a file of results after a hand-over
// that leaves out most of what the last one before it held.
func lostResults(v *classify.View, p *classify.Pass, all []*handover.Handover) {
	if len(all) == 0 {
		return
	}
	for _, c := range v.ChangesIn(all[0].Begin-1, v.End()+1) {
		if !c.Known || c.Op != shell.OpWrite || c.Action.Outcome != ingest.OK || !c.Candidate() || !v.Owns(c.Action) {
			continue
		}
		h := lastBefore(all, c.Action.Pos)
		was := lastWrite(v, c)
		if h == nil || was == nil || !was.Known || was.Action.Pos >= h.Begin || v.AskedAnew(was.Action.Pos, c.Action.Pos) {
			continue
		}
		before, after := rowKeys(c.Path, was.Content), rowKeys(c.Path, c.Content)
		missing := 0
		for key := range before {
			if !after[key] {
				missing++
			}
		}
		e := v.EpisodeAt(c.Action.Pos)
		if missing < 2 || 2*missing <= len(before) || len(after) == 0 || e == nil || e.Open {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: c.Action.Pos,
			Cite:      []classify.Cite{c.Action.Cite(), was.Action.Cite(), h.Boundary.Cite},
			Message:   fmt.Sprintf("after %s, %s was written anew without %d of the %d results that it held", boundaryWords(h.Boundary), classify.Clip(c.Path, 60), missing, len(before)),
			Structure: []string{h.Boundary.Kind, "results", path.Ext(c.Path)},
		})
	}
}

// rowKeys are what names the rows of a file of results: the first cell of a
// row, the id or first member of an object, the members of an object. nil for
// any file that is no such list.
func rowKeys(file, content string) map[string]bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".csv", ".tsv", ".psv":
		return cellKeys(content)
	case ".jsonl", ".ndjson":
		out := map[string]bool{}
		for line := range strings.Lines(content) {
			if key := objectKey(jsontext.Value(strings.TrimSpace(line))); key != "" {
				out[key] = true
			}
		}
		return out
	case ".json":
		return jsonKeys(jsontext.Value(strings.TrimSpace(content)))
	}
	return nil
}

func cellKeys(content string) map[string]bool {
	out := map[string]bool{}
	head := true
	for line := range strings.Lines(content) {
		cell, _, found := strings.Cut(strings.TrimSpace(line), ",")
		if !found {
			cell, _, found = strings.Cut(strings.TrimSpace(line), "\t")
		}
		if !found {
			cell, _, _ = strings.Cut(cell, ";")
		}
		if cell = strings.TrimSpace(cell); cell != "" && !head {
			out[cell] = true
		}
		head = false
	}
	return out
}

// jsonKeys are the keys of the elements of a list of objects.
func jsonKeys(v jsontext.Value) map[string]bool {
	var list []jsontext.Value
	if json.Unmarshal(v, &list) != nil {
		return nil
	}
	out := map[string]bool{}
	for _, el := range list {
		if key := objectKey(el); key != "" {
			out[key] = true
		}
	}
	return out
}

var rowIDs = []string{"id", "key", "name", "path", "url", "file", "title"}

// objectKey is what names an object among its like.
func objectKey(v jsontext.Value) string {
	var m map[string]jsontext.Value
	if json.Unmarshal(v, &m) != nil {
		return ""
	}
	for _, name := range rowIDs {
		if len(m[name]) > 0 {
			return string(m[name])
		}
	}
	return string(v)
}
