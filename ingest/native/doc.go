// Package native decodes Faultline's own JSON Lines: event/v1 traces, as
// harnesses of your own, cases and exports write them, and the record types
// of package record, in one file or apart.
//
// Each event names its run (run_id), so a file may hold several runs. Record
// documents are kept beside the runs, under ingest.RecordsRun, and are linked
// when a run is judged. A file that holds only records has no run.
package native
