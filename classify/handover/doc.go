// Package handover reads what one part of a run hands to the next: what a
// summary or a Handoff record says is true, and what was true by the events.
//
//	events before ─▶ State          Find ─▶ Handover ─▶ Statements
//	                   └───────── compared by the rules ────────┘
//
// A [Handover] gathers the boundaries between which nobody acted (a compaction
// and its summary, the start of a run and its "continues …"), the texts that
// were handed over there, and the record for the run that goes on.
//
// [Handover.Statements] are what it says of things: a file, a branch, a service,
// a check, a commit. In a text they are found by name, not by grammar: only what
// the events before know under that name (a path that was worked on, a branch
// that was checked out, a port that was used) counts as spoken of, so that
// language and wording do not matter. Claims of success are read by package
// claim, items of a list by the label that they stand under ([Handover.Items]),
// measures by their unit ([Handover.Measures]).
//
// [Before] is the state that the events show at a point: the last result of each
// check, commits, what no commit holds, servers that were started, open items.
//
// The texts are data of any size: each is cut into words once, and words are
// looked up in what the thread knows.
package handover
