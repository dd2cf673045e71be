package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Record is a record document with the place where it stands.
type Record struct {
	record.Record
	Cite Cite
	// Global: given for this call's runs (--records), not by its folder.
	Global bool
	// Linked: a service's own log knows the key that calls of the thread carry.
	// It tells of the effect, not of what the application kept.
	Linked bool
	// dirs are the folders that a contract without a run governs: the smallest
	// one around its file that holds runs of this call.
	dirs []string
}

// Records are all record documents that a call may consult.
type Records []Record

// readRecords decodes the documents of a loaded records run.
func readRecords(r *ingest.Run, global bool) Records {
	var out Records
	for i := range r.Events {
		e := &r.Events[i]
		if e.Kind != ingest.RecordDoc {
			continue
		}
		rec, err := record.Decode(r.Detail(e))
		if err != nil {
			continue // was decoded when it was ingested; kept for a newer reader
		}
		out = append(out, Record{Record: rec, Cite: Cite{r, e}, Global: global})
	}
	return out
}

// forRuns returns the records that belong to any of the runs: those that name
// one, and contracts of a folder above one.
func (rs Records) forRuns(runs []*ingest.Run) Records {
	var out Records
	for _, r := range rs {
		for _, run := range runs {
			if r.belongsTo(run) {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

func (r Record) belongsTo(run *ingest.Run) bool {
	if id := r.RunID(); id != "" && namesRun(id, run) {
		return true
	}
	switch {
	case r.Handoff != nil && r.Handoff.NextRunID != "":
		return namesRun(r.Handoff.NextRunID, run)
	case r.Contract != nil && r.Contract.RunID == "":
		return r.Global || slices.ContainsFunc(r.dirs, func(dir string) bool { return inside(dir, run.File()) })
	}
	return false
}

// namesRun matches a record's run id with the run's own or native id.
func namesRun(id string, run *ingest.Run) bool {
	return id != "" && (id == run.ID || id == run.Meta.Native)
}

// folder is the slash-separated folder of a file.
func folder(file string) string { return path.Dir(strings.ReplaceAll(file, `\`, "/")) }

// inside reports that a file lies in a folder or below it.
func inside(dir, file string) bool {
	return dir == "." || strings.HasPrefix(strings.ReplaceAll(file, `\`, "/"), strings.TrimSuffix(dir, "/")+"/")
}

// place finds the folders that the contracts govern, given the main files of
// this call's runs.
func (rs Records) place(files []string) {
	for i := range rs {
		if rs[i].Contract == nil || rs[i].Contract.RunID != "" {
			continue
		}
		for _, f := range rs[i].Cite.Run.Files(rs[i].Cite.Event) {
			dir := folder(f)
			for dir != path.Dir(dir) && !slices.ContainsFunc(files, func(run string) bool { return inside(dir, run) }) {
				dir = path.Dir(dir)
			}
			rs[i].dirs = append(rs[i].dirs, dir)
		}
	}
}

// contract returns the contract that governs a tool, or nil.
func (rs Records) contract(tool string) *record.Contract {
	for i := range rs {
		if c := rs[i].Contract; c != nil && sameTool(c.Tool, tool) {
			return c
		}
	}
	return nil
}

// roleOf is what contracts say of a tool that they name beside another: a
// look-up reads, an undo writes.
func (rs Records) roleOf(tool string) effect.Class {
	same := func(name string) bool { return sameTool(name, tool) }
	for i := range rs {
		switch c := rs[i].Contract; {
		case c == nil:
		case slices.ContainsFunc(c.Lookup, same):
			return effect.Read
		case slices.ContainsFunc(c.Undo, same):
			return effect.ExternalWrite
		}
	}
	return effect.Unknown
}

// sameTool compares tool names, with or without an MCP server in front.
func sameTool(a, b string) bool {
	if plain(a) == plain(b) {
		return true
	}
	return plain(lastPart(a)) == plain(b) || plain(a) == plain(lastPart(b))
}

// lastPart is the tool's own name in mcp__server__tool and server__tool.
func lastPart(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		return name[i+2:]
	}
	return name
}

// links are the pairs of runs that handoff records tie together.
func (rs Records) links() [][2]string {
	var out [][2]string
	for _, r := range rs {
		if h := r.Handoff; h != nil && h.NextRunID != "" {
			out = append(out, [2]string{h.RunID, h.NextRunID})
		}
	}
	return out
}

// operationIndex finds the record of the operation that a call dispatched.
type operationIndex struct {
	records Records
	byCall  map[runCall]dispatchAt // the first record that names the call
	byTool  map[string][]int       // records without dispatches, by the tool's own name
}

type runCall struct{ run, call string }

type dispatchAt struct{ record, dispatch int }

func (rs Records) operations() operationIndex {
	x := operationIndex{records: rs, byCall: map[runCall]dispatchAt{}, byTool: map[string][]int{}}
	for k, r := range rs {
		if r.Operation == nil {
			continue
		}
		for i, d := range r.Operation.Dispatches {
			key := runCall{r.Operation.RunID, d.CallID}
			if _, known := x.byCall[key]; !known && d.CallID != "" {
				x.byCall[key] = dispatchAt{k, i}
			}
		}
		if len(r.Operation.Dispatches) == 0 {
			name := plain(lastPart(r.Operation.Tool))
			x.byTool[name] = append(x.byTool[name], k)
		}
	}
	return x
}

// of returns the first record that names the call's id, or that is of its tool
// with equal arguments and names no call.
func (x operationIndex) of(a *Action) (*record.Operation, *record.Dispatch) {
	call := a.lead().Call
	best := dispatchAt{record: len(x.records)}
	for _, run := range []string{a.Run.ID, a.Run.Meta.Native} {
		if at, ok := x.byCall[runCall{run, call}]; ok && run != "" && at.record < best.record {
			best = at
		}
	}
	for _, k := range x.byTool[plain(lastPart(a.Tool))] {
		if k >= best.record {
			break
		}
		if op := x.records[k].Operation; namesRun(op.RunID, a.Run) && sameTool(op.Tool, a.Tool) && sameJSON(op.Arguments, a.Args) {
			return op, nil
		}
	}
	if best.record == len(x.records) {
		return nil, nil
	}
	op := x.records[best.record].Operation
	return op, &op.Dispatches[best.dispatch]
}

func sameJSON(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return len(a) > 0 && a.Canonicalize() == nil && b.Canonicalize() == nil && string(a) == string(b)
}
