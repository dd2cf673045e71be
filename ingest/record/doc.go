// Package record holds the durable documents that a harness keeps outside the
// candidate's control: what was accepted and on which evidence (Completion),
// what was sent outside (Operation), what the next session was told (Handoff),
// what a tool does (Contract), what was tried (Trial) and what was asked of the
// model (Request). A trace helps to find them; a trace alone is not the
// acceptance decision.
//
// On disk they are JSON Lines: one object a line, whose member "faultline"
// names type and version ("completion/v1"). Times are RFC 3339 with offset,
// durations Go duration strings. Unknown members are kept by readers, an
// unknown version is refused. Schema prints the JSON Schema of a type.
//
// The package imports nothing of Faultline but JSON, so that a harness can
// import it to write its records.
package record
