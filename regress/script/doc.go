// Package script is the part of a case that a replay plays: what the model
// says, what the tools do and where the world fails.
//
//	{"version": 1,
//	 "prompt": "Order two red mugs for account 17.",
//	 "turns":  [{"id": "order", "calls": [{"tool": "create_order", "args": {"account": 17, "sku": "mug-red"}}]},
//	            {"id": "done", "say": "The order is placed."}],
//	 "tools":  [{"name": "create_order", "via": "mcp", "server": "shop",
//	             "effect": "create", "resource": "order", "identity": ["account", "sku"]},
//	            {"name": "find_orders", "via": "mcp", "server": "shop",
//	             "effect": "lookup", "resource": "order", "identity": ["account"]}],
//	 "fault":  {"point": "committed-not-replied", "tool": "create_order", "nth": 1},
//	 "expect": [{"invariant": "exactly-once", "call": {"tool": "create_order"}, "same": ["account", "sku"]}]}
//
// # Turns
//
// A turn is one message of the model. Which turn answers a request is told by
// the request's content alone, never by its number: the first turn that is not
// done. A turn with calls is done when each of its calls has a result in the
// request; a turn that only speaks when its words are, unless it is the last one,
// which is said as often as it is asked for; any turn also when the request holds
// one of its Unless texts (a summary that says so). Under the persistent model a
// call whose result is no clear answer (an error, a time-out, nothing) is asked
// again, three times at most, under the passive one the next turn follows.
// Calls of one turn are unordered. Requests without tools that ask for a title,
// a summary, a topic or a count of tokens are side requests and get a fixed answer.
//
// # Tools
//
// A tool with an effect is served from a model of resources: create, lookup,
// update, cancel, and deduplication by an idempotency key. A correct harness may
// look up whatever it wants at any time and is answered. A call that no tool
// answers is unanswerable and fails the replay, with the reason of each tool.
//
// A turn calls a tool by its name, or by SERVER/NAME where two servers have one of
// that name. A call of a command goes through the harness's own shell: its words,
// then every other argument as --name value.
//
// # Need
//
// A turn or a tool is must (it has to be reached), may, or never. Turns are must
// unless they say otherwise, tools may.
//
// The text of a script comes from traces: nothing in it is executed by the
// world, and every path of its files stays inside the scratch workspace.
package script
