package regress

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// recordLines writes the records that concern any run of a scope, one a line,
// under the names that the export gives the runs. It returns the lines and
// where each record stands in them.
func (x *exporter) recordLines(records classify.Records, s scope) ([]byte, map[place]int, error) {
	y := &exporter{mask: x.mask, lines: map[place]int{}}
	runs := slices.Concat(s.threads()...)
	for i, rec := range records {
		if s.dropped[i] || !concerns(rec, runs) {
			continue
		}
		at := rec.Cite.Run.Ref(rec.Cite.Event)
		v := jsontext.Value(bytes.Clone(rec.Cite.Run.Raw(rec.Cite.Event)))
		v, err := x.rename(v)
		if err == nil {
			err = y.write(v, placeOf(at))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("export record %s:%d: %w", at.File, at.Line, err)
		}
	}
	return y.out, y.lines, nil
}

func concerns(rec classify.Record, runs []*ingest.Run) bool {
	ids := []string{rec.RunID()}
	if rec.Handoff != nil {
		ids = append(ids, rec.Handoff.NextRunID)
	}
	if rec.Contract != nil && rec.Contract.RunID == "" {
		return true
	}
	if strings.HasPrefix(ids[0], record.CommitPrefix) || strings.HasPrefix(ids[0], record.KeyPrefix) {
		return true // the material holds only what the runs made or carried
	}
	return slices.ContainsFunc(runs, func(r *ingest.Run) bool {
		return slices.Contains(ids, r.ID) || r.Meta.Native != "" && slices.Contains(ids, r.Meta.Native)
	})
}

// rename puts a run's exported name where a record names it by the id that it
// had in the store. A record that names none stays byte for byte.
func (x *exporter) rename(v jsontext.Value) (jsontext.Value, error) {
	var doc map[string]jsontext.Value
	if err := json.Unmarshal(v, &doc, lenient); err != nil {
		return nil, err
	}
	changed := false
	for _, member := range []string{"run_id", "next_run_id"} {
		var id string
		if json.Unmarshal(doc[member], &id, lenient) != nil || x.names[id] == "" || x.names[id] == id {
			continue
		}
		name, err := jsontext.AppendQuote(nil, x.names[id])
		if err != nil {
			return nil, err
		}
		doc[member], changed = name, true
	}
	if !changed {
		return v, nil
	}
	return json.Marshal(doc, lenient)
}
