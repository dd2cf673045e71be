package render

import (
	"cmp"
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

// RunRow is one run in the list of runs. Start is RFC 3339 in UTC, empty when
// the source tells no times.
type RunRow struct {
	Type   string `json:"type"`
	Run    string `json:"run"`
	Native string `json:"native"`
	Agent  string `json:"agent,omitzero"`
	Format string `json:"format"`
	Start  string `json:"start"`
	Events int    `json:"events"`
	Task   string `json:"task"`
	Cwd    string `json:"cwd"`
	Source string `json:"source"`
}

// NewRunRow describes a loaded run.
func NewRunRow(r *ingest.Run) RunRow {
	row := RunRow{
		Type: "run", Run: r.ID, Native: r.Meta.Native, Agent: r.Meta.Agent, Format: r.Format, Events: len(r.Events),
		Task: r.Meta.Task, Cwd: r.Meta.Cwd, Source: r.File(),
	}
	if start := r.Start(); !start.IsZero() {
		row.Start = start.UTC().Format(time.RFC3339)
	}
	return row
}

// Runs writes the list as a table.
func (t *Text) Runs(rows []RunRow) {
	if len(rows) == 0 {
		t.line("No runs.")
		return
	}
	table := [][]string{{"RUN", "FORMAT", "START (UTC)", "EVENTS", "TASK", "SOURCE"}}
	for _, r := range rows {
		start := "-"
		if at, err := time.Parse(time.RFC3339, r.Start); err == nil {
			start = at.Format(time.DateTime)
		}
		table = append(table, []string{
			short(r.Run), t.safe(r.Format), start, itoa(r.Events), clip(t.safe(cmp.Or(r.Task, base(r.Cwd), "-")), 24), t.safe(r.Source),
		})
	}
	t.table(table)
}

// table aligns all columns but the last.
func (t *Text) table(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row[:len(row)-1] {
			line += pad(cell, widths[i]) + "  "
		}
		t.line("%s%s", line, row[len(row)-1])
	}
}
