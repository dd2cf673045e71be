// Package render turns receipts, verdicts, clusters, runs and rules into what
// a person or a program reads. It decides nothing: what is printed was decided
// by the packages that are printed.
//
// # Two renderings
//
// [JSON] writes one compact object a line, the contract of the command line:
// fields may be added, none is renamed or left out. [Text] writes a report for
// a person: the loudest first, wrapped to the terminal, with colour only on
// the words of severity.
//
// # Hostile text
//
// All text of a trace is hostile. It goes through one gate: pseudonyms are
// masked («email 2»), so that the key of the store has no effect on output,
// and what could steer a terminal or a reader's eye (control characters,
// escape sequences, line breaks, bidirectional marks, broken UTF-8) is written
// as a visible escape. In JSON the escape is that of JSON, so nothing is lost.
//
// Output depends on its input alone: no clock, no map order; times are UTC.
package render
