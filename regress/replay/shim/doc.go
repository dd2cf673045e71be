// Package shim is the small program that stands where a harness expects a tool:
// an MCP server on standard input and output, a command such as gh or kubectl, or
// the hook of a bare git repository. It holds nothing and decides nothing: it
// carries what it is given to the world's control socket and the answer back.
//
//	faultline shim --control SOCKET mcp SERVER
//	faultline shim --control SOCKET command NAME -- ARG...
//	faultline shim --control SOCKET git REPO        (refs on standard input)
//
// The socket stands in the words and not in the environment: harnesses start
// their tools with an environment of their own making.
//
// A connection starts with one line of JSON that says what it is; MCP then goes
// on as newline-delimited JSON-RPC in both directions, the others get one line of
// JSON as their answer.
package shim
