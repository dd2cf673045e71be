// Package decodetest runs decoders in tests: it brings a file or a trial's
// folder into a store in memory and checks what holds for every decoder.
//
//   - A receipt's units fall in exactly one of stored, duplicates, skipped and
//     quarantined.
//   - The bytes that a Ref addresses in the unredacted file are the event's
//     unit.
//   - Spans lie inside the unit and hold one whole value.
//   - The same file again adds nothing.
package decodetest
