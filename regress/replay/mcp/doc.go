// Package mcp is the tools' side of a replay on the wire: a server of the Model
// Context Protocol whose answers can fail on purpose.
//
//	harness ── stdio (ServeConn) or streamable HTTP (ServeHTTP) ──▶ Server.Call ──▶ Answer
//
// The protocol is served as far as harnesses use it for tools: initialize, ping,
// tools/list, tools/call, cancellation, and tasks in both dialects (the
// experimental one of 2025-11-25 and the extension io.modelcontextprotocol/tasks).
// It is written here and not taken from a library because a library's server
// always answers, and a replay needs answers that are lost, late, doubled, or
// end the connection.
//
// Server.Call is asked once for each tools/call, concurrently; answers may leave
// in any order. A task's effect happens at once; its first poll finds it working,
// the second completed.
package mcp
