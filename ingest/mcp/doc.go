// Package mcp decodes logs of the Model Context Protocol: the JSON-RPC
// messages between an agent's client and its tool servers, as the client or a
// proxy between them wrote them down.
//
// # Who writes them
//
//   - Claude Desktop: mcp.log and mcp-server-NAME.log, lines of text with the
//     message in them, mixed with what the server writes to its standard error
//   - VS Code and its kin: the output of a server, "[editor -> server] {…}"
//   - proxies, inspectors and gateways: JSON Lines or a list, each message in an
//     envelope that states time, direction, server or session
//   - anything that keeps the raw messages, one a line, batches included
//
// A unit is one line, or one element of a list. A line without a message (a
// server's own output) is kept without events.
//
// # How it is read
//
// A request is joined to its answer by server, session and id. Ids are numbers
// or strings and begin again with every connection, so a call's id here is
// server#connection/id. Both sides count their own ids; where the log does not
// state the direction, the method decides.
//
// tools/call, resources/read and prompts/get are calls. An answer with isError,
// or a JSON-RPC error, is a failure: -32601, -32602 and their like were refused
// (rejected), -32001 timed out and -32000 with a closed connection was lost,
// and then nobody knows whether the call took effect. notifications/cancelled
// says that the caller gave up: the outcome is unknown, and an answer that comes
// later is noted, not counted as another result. A server that exits leaves its
// open calls without a result.
//
// # Tasks
//
// Both dialects are read: the experimental one of 2025-11-25 (params.task,
// result.task, tasks/result, tasks/list, related-task) and the extension
// io.modelcontextprotocol/tasks (resultType "task", tasks/get with result or
// error inside, tasks/update). A call that returns a task is pending under
// Event.Task until a status, a result or a notice settles it. "completed" does
// not mean success: the result that comes with it, or with tasks/result, says
// that. A cancelled task is unknown, and so is one whose cancelling was
// acknowledged, because cancelling is a request only.
//
// # What is not there
//
// No model and no user speaks in such a log: it has calls, results and errors,
// times where lines have them, and no end. Tokens, approvals and the reason for
// a call are elsewhere. Claude Desktop cuts the middle out of long messages; of
// those the call is read, but not all of its text.
package mcp
