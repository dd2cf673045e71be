package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Record is a record document with the place where it stands.
type Record struct {
	record.Record
	Cite Cite
	// Global: given for this call's runs (--records), not by its folder.
	Global bool
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
		return r.Global || slices.ContainsFunc(r.Cite.Run.Files(r.Cite.Event), func(f string) bool { return above(f, run.File()) })
	}
	return false
}

// namesRun matches a record's run id with the run's own or native id.
func namesRun(id string, run *ingest.Run) bool {
	return id != "" && (id == run.ID || id == run.Meta.Native)
}

// above reports that a file lies in the folder of rec or below it.
func above(rec, file string) bool {
	dir := path.Dir(strings.ReplaceAll(rec, `\`, "/"))
	return dir == "." || strings.HasPrefix(strings.ReplaceAll(file, `\`, "/"), dir+"/")
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
