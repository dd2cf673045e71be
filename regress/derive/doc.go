// Package derive writes the script of a case from the run that it was made of:
// what the model asks for, the tools that answer, and the fault that brought
// the failure about.
//
//	finding ─▶ the calls it cites ─▶ a turn, a tool with its contract, a fault ─▶ Script
//
// A script is a proposal like everything else in a candidate case: a person
// reads it before approving. What is not in the trace is not made up, with three
// exceptions that every script names in its expectations or its files: a look-up
// beside a tool with an effect, so that a correct harness can find out what
// became of a lost call; a required check that is red (check.sh), where the
// failure is that work was accepted without one; and the schema of arguments,
// which accepts what the trace holds.
//
// Most failures cannot be replayed without the workspace and the model that they
// happened with. Script then says why, in an error that wraps ErrNotDerivable,
// and the case is kept as a case on its trace.
package derive
