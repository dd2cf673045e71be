// Package toolerr reads what an error text says became of a tool call.
//
// Agents that keep no exit status and no error class put both into the text
// that the model was shown: "Exit code 2", "The user doesn't want to proceed",
// "Request timed out". The texts differ by agent, but what has to be told apart
// is the same for all of them:
//
//   - the call ran and failed (fail, error), perhaps with an exit status;
//   - the call never ran: a human or a hook refused it (fail, denied), the tool
//     could not take its arguments (fail, rejected), or a call beside it failed
//     first (fail, cancelled);
//   - nobody knows whether it took effect: it ran out of time, its reply was
//     lost, or it was interrupted (unknown).
//
// Only a text that is already known to be an error is to be classified: an
// ordinary output may quote any of these words.
package toolerr
