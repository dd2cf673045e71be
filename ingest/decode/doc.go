// Package decode is what every trace decoder is made of.
//
// A Format recognises a file by its content and decodes it: it cuts the file
// into units and hands each to a Writer. A Folder recognises a directory whose
// files together are one run (a trial) and says what each member is.
//
// # A unit's way
//
//	Lines / Elements ──raw bytes──▶ Writer.Unit ──redacted──▶ decoder ──events──▶ Writer.Keep
//
// Writer.Unit is the only way to a unit, and it redacts first: what a decoder
// sees, and what the spans of its events point into, is already free of
// secrets. A unit then ends in exactly one of Keep, Skip and Quarantine. Keep
// finds out whether it is stored or a duplicate.
//
// Cursor walks a JSON value once, front to back, and yields spans; nothing is
// unquoted or copied unless a decoder asks. A decoder never holds a file: the
// largest thing in memory is one unit, at most MaxUnit bytes.
//
// # Memory
//
// A unit has at most MaxEvents events. A block is written when its data fill
// 1 MB or its headers 4 MB, all blocks in hand when they take 16 MB together.
// What stays until the file ends is a Place of each unit that is kept (about 0.1
// KB, 0.2 KB with the manifest that is made of them) and what is known of each
// run (1 KB or more): 600,000 units of a few bytes leave ingest below 200 MB,
// 100,000 runs of one unit do not.
//
// # Files that grow
//
// A decoder that needs to know nothing of what is still to come says so
// (Writer.Settled) and can wait behind the last line for more (Writer.Grow). These
// are the lines of Claude Code, of Codex once the agent has answered, of event/v1,
// opencode, OpenHands, and of MCP messages once they name their run. Others look
// ahead, or read one document: they begin anew.
package decode
