// Package claude decodes what Claude Code writes: session transcripts
// (Session) and the log of `--output-format stream-json` (Stream).
//
// Both are JSON Lines around the messages of the model's API. A unit is one
// JSON object. It is walked once; what the walk saw (type line) is turned into
// events only after the whole object was read, because members come in any
// order.
//
// # What makes the format hard
//
//   - One model response is several lines with one message.id, and its usage is
//     repeated and grows from line to line. Every line's first event carries the
//     usage it states; ingest.Run.Usage counts each message once.
//   - There is no exit status. A failed command's result begins "Exit code N";
//     a Bash result that is no error stands for 0.
//   - `is_error` covers commands that failed, calls that the user refused, calls
//     that were never sent, and calls of which nobody knows whether they took
//     effect. Only the text tells them apart (type verdict).
//   - Text in the user's place is often the harness's: command output,
//     reminders, summaries, notices of background tasks (speak).
//   - A background launch returns at once; a later poll or notice settles it.
//     That notice is an event of its own, joined by the task's id.
//   - A resumed session repeats lines under their uuid, with the id of the
//     session that they came from; tool ids of other vendors repeat as well.
//
// Few things need memory of earlier lines: which tool an open call named and
// which task it asked about, the cost stated so far, whether a stream began
// before. It is bounded by the number of open calls.
package claude
