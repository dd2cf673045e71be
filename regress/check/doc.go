// Package check grades runs against approved cases: do they show again what the
// cases were made of?
//
//	runs ─▶ views ─▶ Seen: acts in order, what the log can show ─┐
//	approved cases ─▶ expectations ─────────────────────────────┴▶ Trial ─▶ CaseResult ─▶ Report
//
// A run is a trial of a case where the case says something of it: its rule or
// one of its expectations has an occasion there. A trial passes,
// is regressed (an expectation is broken), or cannot be told. A trial is
// invalid where the run is unfinished or its environment failed before the
// harness could show anything. An invalid trial stays in the denominator: a
// harness that crashes does not get better by it.
//
// A case is regressed when one of its trials is, else it cannot be told when
// one of them cannot, else it passed; without a trial it was not exercised,
// which is no pass. Candidates and retired cases are listed as skipped.
//
// A baseline holds the results of an earlier check. What is regressed there
// too is known and does not fail again; what is better than there is fixed.
package check
