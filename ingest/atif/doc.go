// Package atif reads agent trajectories in the Agent Trajectory Interchange
// Format, versions 1.2 to 1.7 and later minors.
//
// A trajectory is one JSON document; its units are the steps. A step groups
// what other formats keep apart: what the agent said, what it called and what
// came back. It becomes, in this order, the events
//
//	reasoning_content ─▶ model call      tool_calls[]            ─▶ tool call
//	message           ─▶ message         observation.results[]   ─▶ tool result
//
// Three things need care. Converters write a message into steps that had none
// ("Executed Read call_1"): that is no claim of the agent, and no event.
// Prompt tokens include cached tokens. A step that repeats an earlier
// trajectory's context (is_copied_context) is marked copied: it is shown, and
// counts nowhere.
//
// Steps have no native id. A run is named by session id, agent, continuation
// and first step, so that a trajectory keeps its run while it grows, and a
// continuation is a run of its own, joined to the first by the session id.
// Embedded sub-agent trajectories are skipped, each with its place.
package atif
