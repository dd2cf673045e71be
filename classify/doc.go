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
// Everything is deterministic. The clock is never read, text of a trace is
// data, and a fingerprint rests on structure, never on prose.
package classify
