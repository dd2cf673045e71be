// Package classify names the harness layer that let a run fail and cites the
// events that show it.
//
// # From a thread to verdicts
//
//	runs of a thread ─▶ View (facts, computed once) ─▶ rules ─▶ Finding ─▶ Verdict
//
// A Thread of runs is read into facts: actions (executions with what they
// changed, checked and sent), checks with their parsed summaries, workspace
// changes, the effect ledger, boundaries, and per episode whether work was
// accepted and on what grounds. A Rule is a pure function over a View of one
// run of the thread. Its occasion says whether it applies at all; without the
// evidence it needs it abstains, once per source; otherwise it may report.
//
// # What a finding is worth
//
// A Finding has a severity (high: work was accepted or an effect happened
// wrongly; medium: it could have; low: alone it explains nothing) and a grade
// (recorded, observed, inferred). Inferred evidence never gives a high
// finding. The Verdict takes the layer of the first high finding, else of the
// first medium one, by the event at which the owner could have acted; a
// neighbour (runtime, model, boundary …) yields to one of the three layers
// that cites the same event. Nothing found and a rule that abstained: the
// verdict is "cannot tell".
//
// # Fingerprints
//
// A fingerprint says which findings are one failure met several times. Version
// 1 is the first 6 bytes, as 12 hex digits, of the SHA-256 of "1", the rule's
// name and its structure, each after a NUL. The structure is what a rule gives as
// Hit.Structure, by the kind of rule:
//
//	checks       runner (or the record's word), what was wrong: red, masked, moved
//	effects      tool, verb and resource; "operation" where a record says it
//	calls        tool, class of the command, outcome or reason
//	boundaries   kind of boundary, then what was done or claimed after it
//	invariants   the owner's names for them
//	ends         kind of limit or error
//
// Never in it are prose of the trace or of a judge, ids, dates, paths and
// arguments: inputs that differ in these are not merged because they look alike,
// they have one structure or they do not. A cluster (package regress) is the
// findings of one rule and fingerprint; another version never joins with this
// one.
//
// Everything is deterministic. The clock is never read, text of a trace is
// data, and a fingerprint rests on structure, never on prose.
package classify
