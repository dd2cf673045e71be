// Package review is the life of a case: what is proposed that it expects, and
// what a person decides of it.
//
//	mined ─▶ candidate ─▶ approved ─▶ retired
//	            └──▶ rejected: the finding is none
//
// A candidate proposes expectations: that its rule is silent, and where the rule
// speaks of it plainly, what should have been (an effect exactly once, work not
// accepted while a check is unproven), with names of calls and arguments from
// what the finding cites. What happened is never made an expectation beyond
// that.
//
// Approval is a person's, with a name, and the case has to be able to fail: each
// of its expectations is broken on its own trace. Where a trace with the failure
// mended stands in the case (fixed.jsonl), each is held on that one.
package review
