// Package runner knows check runners: the commands by which projects test,
// build, lint and type-check themselves, and what those print at the end.
//
// Three questions are answered:
//
//   - Is this command a check, and how wide is it? [Recognize] turns an argv
//     without wrappers (see classify/shell) into a [Check]: a canonical runner
//     name and the selection (paths, packages, filters) that narrows it.
//   - Does one check answer for another? [Satisfies] compares runner, folder
//     and selection: `pytest` answers for `pytest tests/a.py`, never the
//     other way round. [Check.Covers] tells whether a changed path could
//     matter to a check.
//   - What did the run say? [ParseOutput] finds the last complete summary in
//     the output, or the reason why nothing was executed; [Check.Parse] that
//     of one check among several commands.
//
// The knowledge stands in tables, one row per runner, task name or summary
// line; a new runner is a new row.
//
// The limits of a text: the output is all there is to see. A summary that a
// program merely quotes (cat of an old log, a test that prints one) looks like
// the real one; of several the last wins. Callers that know better, because
// they parsed the command, should not ask.
package runner
