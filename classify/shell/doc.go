// Package shell reads the text of a shell command out of a trace and says
// what would have run: nothing is ever executed, and no variable is expanded
// except one that the same text set to a literal.
//
// An agent rarely runs one plain command. It writes
//
//	cd web && sudo timeout 60 npx playwright test tests/a 2>&1 | tail -20
//
// and the harness sees one exit status. Three questions follow, and each
// [Command] answers them for itself:
//
//   - What ran, and where? Argv is the command with quotes removed and its
//     wrappers (sudo, timeout, npx, docker exec, bash -c …) peeled off; Dir and
//     Host say where it ran. The script of a nested shell is parsed in turn.
//   - Would a failure have been seen? ExitSeen is false, and Masked says why,
//     when the status of the whole text does not reveal that this command
//     failed: it is behind a pipe without pipefail, before `|| true`, followed
//     by another command, or in the background. `set -e`, pipefail,
//     PIPESTATUS, `exit $?` and `|| exit 1` are understood.
//   - What did it touch? [Command.Changes], [Command.Reads] and
//     [Command.ReadOnly] tell what the program does to files by its own
//     nature. They are a best effort: a program that is not in the tables
//     changes nothing that can be named and is not read-only either.
//
// All paths are as written, joined with Dir: relative to where the text
// started. The text is hostile: its size, nesting and number of commands are
// bounded, and work is linear in its length.
package shell
