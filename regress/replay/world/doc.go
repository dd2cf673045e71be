// Package world plays a script to a harness: the model that asks, the tools that
// answer, the one fault, and a ledger of what really happened.
//
//	model   ServeModel    a request ─▶ which turn? ─▶ its message, or a cut of it
//	tools   ServeTools    /mcp/SERVER, /http/SERVER/… ─▶ resources ─▶ a reply, or none
//	shims   ServeControl  MCP over a pipe, commands, pushes to the git remote
//
// # Which turn
//
// The content of a request decides, nothing else: which calls of the script it
// holds, with which results. A call is known by its id; where the harness wrote
// the id anew, by its tool and arguments. Every asking of a call has an id of its
// own, a hash of the script, the turn, the place in it and how often it was asked
// before, so that ids are the same in every play that goes the same way.
//
// # What happened
//
// Every dispatch that arrives is a call in the ledger, every change of a
// resource an effect, in the order of arrival. A call of one key, or a look-up,
// has none. A dispatch like one before it was sent again, and By says by whom:
//
//	model    another message of the model asked for it
//	loop     no message did, but the model was asked or the harness restarted in
//	         between, or one call id was dispatched twice
//	sdk      nothing came in between, and it has the same JSON-RPC id, idempotency
//	         key or connection, or says itself that it is a retry
//	wrapper  nothing came in between, and nothing of that kind is the same
//
// # What fails
//
// What the script does not answer fails the replay, with every reason why each
// answer was ruled out. Nothing is made up, and nothing is asked elsewhere.
//
// # After a kill
//
// From the moment of a kill until Restarted nobody is answered: what still
// arrives is the last breath of a process that is dead by the script.
package world
