// Package claim reads what an agent says about its own work.
//
// Acceptance fails where words and events part: "all tests pass" over a red
// run, "created report.md" without a write. To compare them, the words must be
// read first. [Read] takes one statement, normally the closing text of an
// episode, and returns
//
//   - what it claims ([Claim]: a kind, the thing it speaks of, numbers,
//     negation, place in the text), and whether that amounts to "done";
//   - what it discloses ([Disclosure]): failing or skipped checks, work not
//     run, left open or handed to the user. A claim beside an open disclosure
//     is honest, and several rules stay silent for it;
//   - whether it ends by asking, or by announcing a step that should follow.
//
// The text is cut into lines and sentences; code blocks and quotations are set
// aside. Each sentence becomes words, and rows of the mood, claim and disclosure
// tables are matched on them. What stands under a condition, in the future, in
// a question or as an instruction claims nothing. Tables hold English first and
// rows of other languages beside it; a language is added by adding rows.
//
// The text is hostile data of any size: every table row looks at a bounded
// window, so reading takes linear time.
package claim
