// Package regress turns findings into regression cases.
//
// # From findings to a case
//
//	verdicts ─▶ Clusters: findings of many runs with one fingerprint
//	         ─▶ FromCluster, FromFinding: one of them as a small file
//	         ─▶ RunDir: does every file still show what it was kept for?
//
// A Case is one txtar file that a person can read and a program can run:
//
//	what failed, in words, and how much of the run was kept
//	-- case.json --      id, rule, layer, fingerprint, status, sources, expect
//	-- trace.jsonl --    the run as event/v1 (Export)
//	-- records.jsonl --  its record documents, if it has any
//	-- faultline.yaml -- the configuration, only where it is needed
//	-- want --           finding RULE SEVERITY trace.jsonl:LINE
//	-- fixed.jsonl --    the trace with the failure mended by hand, if somebody did
//	-- script.json --    what a replay plays, if there is one
//
// The id is a hash of everything that decides what the case shows; the status,
// the words, what a reviewer decides and what is expected of other runs may
// change without it. Package review is a case's life, package suite looks after a
// folder of them.
//
// # Nothing is claimed that was not seen
//
// A case is proved before it is handed out: its own bytes are parsed, ingested
// into a store in memory and judged, and unless the same rule fires with the
// same fingerprint there is no case (ErrNotReproduced). What happens to be in
// the trace is never made an expectation: a mined case says that this rule
// fires here, proposes what the rule itself says should have been, and is a
// candidate until a reviewer who is named approves it.
//
// # What is kept of a run
//
// The smallest of three that still shows the finding: the episodes that it
// cites, the whole run, the whole thread. Of that, package reduce leaves out
// what the finding does not need: calls with their results, claims with what
// they rest on, messages, records. What it asks is what a case is asked: does
// the classifier, on this candidate as it would be exported, say the same rule,
// fingerprint and severity, at the event that the finding cites first? The
// search has a budget, and the case says whether it came to its end. An export
// is as redacted as the store, and pseudonyms become ordinals («email 2»), so
// that equal runs give equal bytes under any key.
package regress
