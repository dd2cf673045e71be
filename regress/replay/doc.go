// Package replay runs a real harness against a scripted world and tells whether
// it repeats the failure that a case was made of.
//
//	case ─▶ script ─▶ world (model, tools, faults)  ◀── loopback ──  harness in a sandbox
//	                    │ ledger: what really happened                  │ its own log
//	                    └────────────▶ acts ─▶ expectations ─▶ Result ◀─┘
//
// No model is called and nothing outside can be reached: the harness runs in a
// user and a network namespace of its own that has a loopback and no route. Where
// the system cannot give one, Run refuses, unless the caller says that the
// network stays open; the result then says so too. There is no recording that
// could run out and no live function to fall back on: a request that the script
// does not answer fails the replay.
//
// The world's ledger decides, not the harness's log: logs leave retries out. The
// log is ingested and judged all the same, and stands beside the ledger.
//
// The parts, each a package of its own:
//
//	script   what is played
//	dialect  the model's side on the wire: four dialects
//	mcp      the tools' side on the wire: the Model Context Protocol
//	world    matching, resources, faults and the ledger
//	sandbox  namespaces, process group, limits
//	shim     what stands where the harness expects a tool
//	adapter  how a harness is started, resumed, and where its log lies
//
// What real harnesses did at each fault is written down in SEEN.md.
//
// # What a result says
//
// A play fails when an expectation is broken by what happened, when the harness
// asks for what the script does not answer, reaches what it must not or does not
// reach what it must. It is invalid when the harness never came to the fault: then
// nothing was tried. It cannot be told when an expectation cannot, or when the
// harness did not end in time. What takes a clock that can be turned, a program
// that is not installed or a way to resume that is not known is not replayable.
package replay
