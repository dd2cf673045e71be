// Package effect reads one tool call or one command and says what it intends
// outside the workspace.
//
// A harness that loses a reply does not know whether the order was placed. To
// judge what it did next, three questions must be answered from the call
// alone:
//
//   - Does it write outside the workspace at all? Reads, files, loopback,
//     private and container addresses and test doubles never count. That is
//     [Effect].Class, with the ground in Local.
//   - Is a later call the same intent, its undo, or a look-up that would have
//     told what happened? [SameIntent], [Undo] and [Reveals] compare two
//     effects by verb, resource and [Effect].Identity: the arguments that name
//     the intended effect, without keys, times and other noise.
//   - Could a second dispatch do harm? Setting the same value again is
//     Repeatable; a message is Append and needs more evidence; an
//     application-owned OperationID lets a service deduplicate.
//
// Everything here is derived from names and arguments, so every effect is
// marked Inferred: a Contract record overrules it. A name without a known verb
// gives [Unknown], never a guess. The input is hostile data; nothing is
// executed, expanded or looked up.
package effect
