// Package opinion reads what an evaluator says of a piece of work.
//
// Harnesses that let one agent judge another's work get answers in many forms:
// an object with scores, a minimum and a decision, or lines that say "Verdict:
// pass" under a list of defects. [Read] takes one answer and returns the
// decision, what was scored, what lies below its minimum and which defects are
// listed. [Evaluator] and [Planner] tell a role from the name of an agent, a
// tool or a member.
//
// The text is hostile data. Words stand in tables, English first and other
// languages beside it; reading takes linear time.
package opinion
